import { pageSizes } from '@lectern/contract/http/paging.ts'
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** The most characters that the server takes. */
export const longestSearch = 200

/** A parameter of a list's address. Invalid text is read as `first`, and `first` is not written. */
export interface Parameter<Value> {
  first: Value
  /** Returns undefined for invalid text. */
  read(text: string): Value | undefined
  /** Whether it chooses among lists. Then it is no filter, and clearing filters keeps it. */
  isScope?: boolean
}

/** Text that a database can store: without NUL and unpaired surrogates. */
export const text = (longest = longestSearch): Parameter<string> => ({
  first: '',
  read: (given) => given.slice(0, longest).toWellFormed().replaceAll('\0', ''),
})

export const oneOf = <const Value extends string>(values: readonly Value[], first = values[0] as NoInfer<Value>): Parameter<Value> => ({
  first,
  read: (given) => values.find((value) => value === given),
})

export const scope = <Value>(parameter: Parameter<Value>): Parameter<Value> => ({ ...parameter, isScope: true })

interface Schema<Value> {
  safeParse(value: unknown): { data?: Value | undefined }
}

/** A value of one of the contract's schemas, or ''. */
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

/** What a list shows. `page`: from 0. */
export type ListState<P extends Parameters = Parameters, Column extends string = string> = Filters<P> & {
  sort: Sort<Column>
  page: number
  size: number
}

interface ListOptions<P extends Parameters, Column extends string> {
  /** Filters by their names in the address. `search`: the text of the search box. */
  filters?: P
  sort?: { columns: readonly Column[]; first: Sort<NoInfer<Column>> }
  size?: number
  /** A prefix for the names in the address, where another list on the page has the plain ones. */
  prefix?: string
  /** Makes a state consistent, such as where one filter replaces another. */
  normalize?: (state: ListState<P, Column>) => ListState<P, Column>
}

export interface ListAddress<P extends Parameters = Parameters, Column extends string = string> {
  first: ListState<P, Column>
  read(address: URLSearchParams): ListState<P, Column>
  /** Leaves out first values. */
  write(state: ListState<P, Column>): URLSearchParams
  /** Returns the parameters of an address that belong to this list. */
  own(address: URLSearchParams): URLSearchParams
  isFiltered(state: ListState<P, Column>): boolean
  clear(state: ListState<P, Column>): ListState<P, Column>
}

const lastPage = 10_000_000

/** The address of a list: filters, `sort`, `order`, `page` (from 1) and `size`. */
export function listAddress<const P extends Parameters = Record<never, never>, const Column extends string = never>({
  filters = {} as P,
  sort = { columns: [], first: { id: '' as Column, descending: false } },
  size = pageSizes[0],
  prefix = '',
  normalize = (state) => state,
}: ListOptions<P, Column> = {}): ListAddress<P, Column> {
  const names = Object.keys(filters)
  const narrowing = names.filter((name) => !filters[name]?.isScope)
  const firstFilters = Object.fromEntries(Object.entries(filters).map(([name, { first }]) => [name, first])) as Filters<P>
  const first: ListState<P, Column> = { ...firstFilters, sort: sort.first, page: 0, size }

  type Get = (name: string) => string | null

  function readSort(get: Get): Sort<Column> {
    const id = sort.columns.find((column) => column === (get('sort') ?? sort.first.id))
    const order = get('order') ?? (sort.first.descending ? 'Descending' : 'Ascending')
    return id !== undefined && (order === 'Ascending' || order === 'Descending') ? { id, descending: order === 'Descending' } : sort.first
  }

  const list: ListAddress<P, Column> = {
    first,
    read(address) {
      const get: Get = (name) => address.get(prefix + name)
      const read = Object.entries(filters).map(([name, parameter]) => {
        const given = get(name)
        return [name, (given === null ? undefined : parameter.read(given)) ?? parameter.first]
      })
      const page = Number(get('page') ?? 1)
      return normalize({
        ...(Object.fromEntries(read) as Filters<P>),
        sort: readSort(get),
        page: Number.isInteger(page) && page >= 1 && page <= lastPage ? page - 1 : 0,
        size: pageSizes.find((one) => String(one) === get('size')) ?? size,
      })
    },
    write(state) {
      const address = new URLSearchParams()
      const set = (name: string, value: string) => address.set(prefix + name, value)
      for (const name of names) if (state[name] !== first[name]) set(name, String(state[name]))
      if (state.sort.id !== sort.first.id) set('sort', state.sort.id)
      if (state.sort.descending !== sort.first.descending) set('order', state.sort.descending ? 'Descending' : 'Ascending')
      if (state.page !== 0) set('page', String(state.page + 1))
      if (state.size !== size) set('size', String(state.size))
      return address
    },
    own: (address) => list.write(list.read(address)),
    isFiltered: (state) => narrowing.some((name) => String(state[name]).trim() !== first[name]),
    clear: (state) => ({ ...state, ...Object.fromEntries(narrowing.map((name) => [name, first[name]])) }),
  }
  return list
}

// Joins the addresses of several lists on one page.
export const joined = (...lists: URLSearchParams[]) => new URLSearchParams(lists.flatMap((list) => [...list]))

export interface List<P extends Parameters = Parameters, Column extends string = string> {
  state: ListState<P, Column>
  isFiltered: boolean
  /** Shows the first page unless `page` is given. While a word is typed, Back leads to the list before the word. */
  show(change: Partial<ListState<P, Column>>, how?: { replace: boolean; preventScrollReset?: boolean }): void
  /** Clears all filters and focuses the search box, as the button that cleared them disappears. */
  clear(): void
  searchBox: RefObject<HTMLInputElement | null>
}

// Keeps parameters of the page's other list.
export function useList<P extends Parameters, Column extends string>(
  address: ListAddress<P, Column>,
  beside?: Pick<ListAddress, 'own'>,
): List<P, Column> {
  const [parameters, setParameters] = useSearchParams()
  // The list whose link led here.
  const { state: arrival } = useLocation()
  const searchBox = useRef<HTMLInputElement>(null)
  const state = useMemo(() => address.read(parameters), [address, parameters])
  // What was shown last, while the router is still drawing it: a second change in that time keeps the first.
  const last = useRef(parameters)
  useLayoutEffect(() => {
    last.current = parameters
  }, [parameters])
  const show = useCallback<List<P, Column>['show']>(
    (change, how) => {
      const own = address.write({ ...address.read(last.current), page: 0, ...change })
      last.current = beside ? joined(own, beside.own(last.current)) : own
      setParameters(last.current, {
        replace: false,
        preventScrollReset: true,
        state: arrival,
        ...how,
      })
    },
    [address, arrival, beside, setParameters],
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

/** For links in a list: carries the list's query, for the way back. */
export const useLinkState = (): LinkState => ({ list: useLocation().search })

/** Empty where no list's link led here. */
export const useListQuery = (): URLSearchParams => new URLSearchParams((useLocation().state as LinkState | null)?.list)

/** With the names of spec §7. */
export const pageQuery = ({ page, size }: { page: number; size: number }) => ({ PageNumber: page, PageSize: size })

export const sortQuery = <Column extends string>({ id, descending }: Sort<Column>) => ({
  ColumnName: id,
  Direction: descending ? ('Descending' as const) : ('Ascending' as const),
})

/** With the name of spec §7; {} for an empty text. */
export const searchQuery = (search: string) => (search.trim() === '' ? {} : { textFilter: search.trim() })
