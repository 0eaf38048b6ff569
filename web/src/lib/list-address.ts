import { pageSizes } from '@lectern/contract/http/paging.ts'
import { type RefObject, useCallback, useMemo, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** Most characters of a search, as the server takes them. */
export const longestSearch = 200

/** One parameter of a list's address. What makes no sense reads as `first`; what equals `first` is left out. */
export interface Parameter<Value> {
  first: Value
  /** Undefined where the text makes no sense. */
  read(text: string): Value | undefined
  /** It chooses among lists: no filter, and it stays when the filters are taken away. */
  isScope?: boolean
}

/** Text that a database can keep: no NUL, no half of a character. */
export const text = (longest = longestSearch): Parameter<string> => ({
  first: '',
  read: (given) => given.slice(0, longest).toWellFormed().replaceAll('\0', ''),
})

/** One of `values`, the first of them unless said otherwise. */
export const oneOf = <const Value extends string>(values: readonly Value[], first = values[0] as NoInfer<Value>): Parameter<Value> => ({
  first,
  read: (given) => values.find((value) => value === given),
})

/** Chooses among lists, such as one's own and everybody's. */
export const scope = <Value>(parameter: Parameter<Value>): Parameter<Value> => ({ ...parameter, isScope: true })

interface Schema<Value> {
  safeParse(value: unknown): { data?: Value | undefined }
}

/** What a schema of the contract takes, or nothing. */
export const optional = <Value extends string>(schema: Schema<Value>): Parameter<Value | ''> => ({
  first: '',
  read: (given) => schema.safeParse(given).data,
})

export interface Sort<Column extends string = string> {
  id: Column
  descending: boolean
}

type Parameters = Record<string, Parameter<string>>
type Filters<P extends Parameters> = { [Name in keyof P]: P[Name]['first'] }

/** What a list shows. `page` counts from 0. */
export type ListState<P extends Parameters = Parameters, Column extends string = string> = Filters<P> & {
  sort: Sort<Column>
  page: number
  size: number
}

interface ListOptions<P extends Parameters, Column extends string> {
  /** Each under its own name in the address. `search`, where there is one, is what the search box holds. */
  filters?: P
  /** The columns that the server can sort by, and the order it begins with. */
  sort?: { columns: readonly Column[]; first: Sort<NoInfer<Column>> }
  /** Rows per page at first. */
  size?: number
  /** Makes a state consistent, where one filter replaces another. */
  settle?: (state: ListState<P, Column>) => ListState<P, Column>
}

/** How the address of a list is read and written. */
export interface ListAddress<P extends Parameters = Parameters, Column extends string = string> {
  first: ListState<P, Column>
  read(address: URLSearchParams): ListState<P, Column>
  /** What is as at first is left out. */
  write(state: ListState<P, Column>): URLSearchParams
  /** Whether a filter is set. */
  isFiltered(state: ListState<P, Column>): boolean
  /** The same list without filters. */
  clear(state: ListState<P, Column>): ListState<P, Column>
}

const lastPage = 10_000_000

/** Describes the address of a list: its filters, `sort` and `order`, `page` (from 1 there) and `size`. */
export function listAddress<const P extends Parameters = Record<never, never>, const Column extends string = never>({
  filters = {} as P,
  sort = { columns: [], first: { id: '' as Column, descending: false } },
  size = pageSizes[0],
  settle = (state) => state,
}: ListOptions<P, Column> = {}): ListAddress<P, Column> {
  const names = Object.keys(filters)
  const narrowing = names.filter((name) => !filters[name]?.isScope)
  const firstFilters = Object.fromEntries(Object.entries(filters).map(([name, { first }]) => [name, first])) as Filters<P>
  const first: ListState<P, Column> = { ...firstFilters, sort: sort.first, page: 0, size }

  function readSort(address: URLSearchParams): Sort<Column> {
    const id = sort.columns.find((column) => column === (address.get('sort') ?? sort.first.id))
    const order = address.get('order') ?? (sort.first.descending ? 'Descending' : 'Ascending')
    return id !== undefined && (order === 'Ascending' || order === 'Descending') ? { id, descending: order === 'Descending' } : sort.first
  }

  return {
    first,
    read(address) {
      const read = Object.entries(filters).map(([name, parameter]) => {
        const given = address.get(name)
        return [name, (given === null ? undefined : parameter.read(given)) ?? parameter.first]
      })
      const page = Number(address.get('page') ?? 1)
      return settle({
        ...(Object.fromEntries(read) as Filters<P>),
        sort: readSort(address),
        page: Number.isInteger(page) && page >= 1 && page <= lastPage ? page - 1 : 0,
        size: pageSizes.find((one) => String(one) === address.get('size')) ?? size,
      })
    },
    write(state) {
      const address = new URLSearchParams()
      for (const name of names) if (state[name] !== first[name]) address.set(name, String(state[name]))
      if (state.sort.id !== sort.first.id) address.set('sort', state.sort.id)
      if (state.sort.descending !== sort.first.descending) address.set('order', state.sort.descending ? 'Descending' : 'Ascending')
      if (state.page !== 0) address.set('page', String(state.page + 1))
      if (state.size !== size) address.set('size', String(state.size))
      return address
    },
    isFiltered: (state) => narrowing.some((name) => String(state[name]).trim() !== first[name]),
    clear: (state) => ({ ...state, ...Object.fromEntries(narrowing.map((name) => [name, first[name]])) }),
  }
}

/** A list whose state is in the page's address. */
export interface List<P extends Parameters = Parameters, Column extends string = string> {
  state: ListState<P, Column>
  isFiltered: boolean
  /** Shows other rows, from the first page unless `page` is given. While a word is typed, Back leads to the list before it. */
  show(change: Partial<ListState<P, Column>>, how?: { replace: boolean }): void
  /** Takes all filters away and puts the focus on the search box, as the button that did it goes. */
  clear(): void
  searchBox: RefObject<HTMLInputElement | null>
}

export function useList<P extends Parameters, Column extends string>(address: ListAddress<P, Column>): List<P, Column> {
  const [parameters, setParameters] = useSearchParams()
  const searchBox = useRef<HTMLInputElement>(null)
  const state = useMemo(() => address.read(parameters), [address, parameters])
  const show = useCallback<List<P, Column>['show']>(
    (change, how) => setParameters(address.write({ ...state, page: 0, ...change }), { replace: false, ...how, preventScrollReset: true }),
    [address, state, setParameters],
  )
  return useMemo(
    () => ({
      state,
      isFiltered: address.isFiltered(state),
      show,
      clear() {
        show({ ...address.clear(state), page: 0 })
        searchBox.current?.focus()
      },
      searchBox,
    }),
    [address, state, show],
  )
}

interface LinkState {
  list: string
}

/** The state of a link in a list: the list's own query, for the way back. */
export const useLinkState = (): LinkState => ({ list: useLocation().search })

/** The query of the list whose link led here; empty where none did. */
export const useListQuery = (): URLSearchParams => new URLSearchParams((useLocation().state as LinkState | null)?.list)

/** The query of the API for a page, by the names of the specification (§7). */
export const pageQuery = ({ page, size }: { page: number; size: number }) => ({ PageNumber: page, PageSize: size })

/** The sort by the names of the specification (§7). */
export const sortQuery = <Column extends string>({ id, descending }: Sort<Column>) => ({
  ColumnName: id,
  Direction: descending ? ('Descending' as const) : ('Ascending' as const),
})

/** The search text by the name of the specification (§7); nothing for an empty one. */
export const searchQuery = (search: string) => (search.trim() === '' ? {} : { textFilter: search.trim() })
