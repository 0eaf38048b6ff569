import { pageSizes } from '@lectern/contract/http/paging.ts'

/** What the directory shows; all of it stands in the page's address. `page` starts at 0. */
export interface Directory {
  text: string
  page: number
  size: number
}

/** As many characters as the server takes. */
export const longestText = 200

const names = { text: 'search', page: 'page', size: 'size' } as const

/** Reads the directory from an address; what makes no sense there counts as not said. */
export function readDirectory(address: URLSearchParams): Directory {
  const page = Number(address.get(names.page) ?? 1)
  return {
    text: (address.get(names.text) ?? '').slice(0, longestText).toWellFormed(),
    page: Number.isInteger(page) && page >= 1 && page <= 10_000_000 ? page - 1 : 0,
    size: pageSizes.find((size) => String(size) === address.get(names.size)) ?? pageSizes[0],
  }
}

/** The address of a directory; what is as at first is left out. */
export function writeDirectory({ text, page, size }: Directory): URLSearchParams {
  const address = new URLSearchParams()
  if (text !== '') address.set(names.text, text)
  if (page !== 0) address.set(names.page, String(page + 1))
  if (size !== pageSizes[0]) address.set(names.size, String(size))
  return address
}
