import { pageSizes } from '@lectern/contract/http/paging.ts'
import { type LicenceFilter, LicenceSort } from '@lectern/contract/licences/licences.ts'
import { CalendarDate } from '@lectern/contract/text/text.ts'

/** What the list of licences shows; all of it stands in the page's address. `page` starts at 0; a day is empty where there is none. */
export interface LicenceList {
  text: string
  from: string
  to: string
  sort: LicenceSort
  page: number
  size: number
}

const names = { text: 'search', from: 'from', to: 'to', column: 'sort', direction: 'order', page: 'page', size: 'size' } as const

/** As many characters as the server takes. */
export const longestText = 200

/** The newest first, ten a page (decided). */
export const firstList: LicenceList = {
  text: '',
  from: '',
  to: '',
  sort: { ColumnName: 'Date', Direction: 'Descending' },
  page: 0,
  size: pageSizes[0],
}

/** Reads the list from an address; what makes no sense there counts as not said. */
export function readList(address: URLSearchParams): LicenceList {
  const sort = LicenceSort.safeParse({
    ColumnName: address.get(names.column) ?? undefined,
    Direction: address.get(names.direction) ?? undefined,
  })
  const page = Number(address.get(names.page) ?? 1)
  const day = (name: string) => CalendarDate.safeParse(address.get(name)).data ?? ''
  return {
    text: (address.get(names.text) ?? '').slice(0, longestText).toWellFormed().replaceAll('\0', ''),
    from: day(names.from),
    to: day(names.to),
    sort: sort.success ? sort.data : firstList.sort,
    page: Number.isInteger(page) && page >= 1 && page <= 10_000_000 ? page - 1 : 0,
    size: pageSizes.find((size) => String(size) === address.get(names.size)) ?? firstList.size,
  }
}

/** The address of a list; what is as at first is left out. */
export function writeList({ text, from, to, sort, page, size }: LicenceList): URLSearchParams {
  const address = new URLSearchParams()
  if (text !== '') address.set(names.text, text)
  if (from !== '') address.set(names.from, from)
  if (to !== '') address.set(names.to, to)
  if (sort.ColumnName !== firstList.sort.ColumnName) address.set(names.column, sort.ColumnName)
  if (sort.Direction !== firstList.sort.Direction) address.set(names.direction, sort.Direction)
  if (page !== 0) address.set(names.page, String(page + 1))
  if (size !== firstList.size) address.set(names.size, String(size))
  return address
}

/** Whether the list shows less than all licences. */
export const isFiltered = ({ text, from, to }: LicenceList): boolean => text.trim() !== '' || from !== '' || to !== ''

/** Whether no licence can be from these days. */
export const isBackwards = ({ from, to }: LicenceList): boolean => from !== '' && to !== '' && from > to

/** The query parameters of the page (spec §7). */
export function pageQuery({ text, from, to, sort, page, size }: LicenceList) {
  const filter: Partial<LicenceFilter> = {
    ...(text.trim() !== '' && { textFilter: text.trim() }),
    ...(from !== '' && { startDate: from }),
    ...(to !== '' && { endDate: to }),
  }
  return { ...filter, ...sort, PageNumber: page, PageSize: size }
}
