import { type CaseStatus, caseStatuses } from '@lectern/contract/cases/cases.ts'
import { pageSizes } from '@lectern/contract/http/paging.ts'

/** What the list shows; all of it stands in the page's address. `page` starts at 0. */
export interface CaseView {
  /** Of everybody, as only staff may ask. */
  isEverybodys: boolean
  text: string
  status: CaseStatus | undefined
  page: number
  size: number
}

/** As many characters as the server takes. */
export const longestText = 200

/** Reads the view from an address; what makes no sense there counts as not said. Staff see everybody's cases first. */
export function readView(address: URLSearchParams, isStaff: boolean): CaseView {
  const page = Number(address.get('page') ?? 1)
  return {
    isEverybodys: isStaff && address.get('of') !== 'me',
    text: (address.get('search') ?? '').slice(0, longestText).toWellFormed(),
    status: caseStatuses.find((status) => status === address.get('status')),
    page: Number.isInteger(page) && page >= 1 && page <= 10_000_000 ? page - 1 : 0,
    size: pageSizes.find((size) => String(size) === address.get('size')) ?? pageSizes[0],
  }
}

/** The address of a view; what is as at first is left out. */
export function writeView({ isEverybodys, text, status, page, size }: CaseView, isStaff: boolean): URLSearchParams {
  const address = new URLSearchParams()
  if (isStaff && !isEverybodys) address.set('of', 'me')
  if (text !== '') address.set('search', text)
  if (status !== undefined) address.set('status', status)
  if (page !== 0) address.set('page', String(page + 1))
  if (size !== pageSizes[0]) address.set('size', String(size))
  return address
}

/** What a link to a case tells it: the list it came from, as a query. */
export interface CameFrom {
  list: string
}
