import { pageSizes } from '@lectern/contract/http/paging.ts'
import { ConnectStatus } from '@lectern/contract/readers.ts'

/** What the registry shows; all of it stands in the page's address. `page` starts at 0. */
export interface ReaderList {
  status: ConnectStatus
  text: string
  page: number
  size: number
}

const names = { status: 'show', text: 'search', page: 'page', size: 'size' } as const

/** As many characters as the server takes. */
export const longestText = 200

export const firstList: ReaderList = { status: 'all', text: '', page: 0, size: pageSizes[0] }

/** Reads the list from an address; what makes no sense there counts as not said. */
export function readList(address: URLSearchParams): ReaderList {
  const page = Number(address.get(names.page) ?? 1)
  return {
    status: ConnectStatus.safeParse(address.get(names.status)).data ?? 'all',
    text: (address.get(names.text) ?? '').slice(0, longestText).toWellFormed().replaceAll('\0', ''),
    page: Number.isInteger(page) && page >= 1 && page <= 10_000_000 ? page - 1 : 0,
    size: pageSizes.find((size) => String(size) === address.get(names.size)) ?? firstList.size,
  }
}

/** The address of a list; what is as at first is left out. */
export function writeList({ status, text, page, size }: ReaderList): URLSearchParams {
  const address = new URLSearchParams()
  if (status !== 'all') address.set(names.status, status)
  if (text !== '') address.set(names.text, text)
  if (page !== 0) address.set(names.page, String(page + 1))
  if (size !== firstList.size) address.set(names.size, String(size))
  return address
}
