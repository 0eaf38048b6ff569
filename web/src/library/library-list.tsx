import { foldName } from '@lectern/contract/text/clean-name.ts'
import './library-list.css'
import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import type { LibraryEntry } from '@lectern/contract/library.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { ChevronDown, ChevronUp, GitCompareArrows } from 'lucide-react'
import { type MouseEvent, useEffect, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { formatMinute } from '../lib/format.ts'
import { type List, listAddress, type Parameter, scope, text } from '../lib/list-address.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { type Query, QueryStates } from '../ui/feedback/query-states.tsx'
import { Select } from '../ui/input/select.tsx'
import { lazyExtra } from '../ui/lazy.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { QueryTable } from '../ui/table/query-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import type { EntryDetailsProps } from './entry-details.tsx'

const EntryDetails = lazyPart(async () => (await import('./entry-details.tsx')).EntryDetails, <p role="status">Loading...</p>)
const SupportBadge = lazyExtra(async () => (await import('./saved-details.tsx')).SupportBadge)

const comparing: Parameter<'' | 'yes'> = { first: '', read: () => 'yes' }

/**
 * `open`: the entry of the open row. `version`: the one shown in it. `compare`, `a`, `b`: the comparison above the list, and the keys of
 * what it compares.
 */
const filters = {
  search: text(),
  device: text(),
  open: scope(text(36)),
  version: scope(text(4)),
  compare: scope(comparing),
  a: scope(text(400)),
  b: scope(text(400)),
}
export const libraryAddress = listAddress({ filters })
export type LibraryControl = List<typeof filters, never>

interface LibraryListProps {
  query: Query<LibraryEntry[]>
  catalogue: Query<Catalogue>
  list: LibraryControl
  /** What the server finds for the search, also inside contents; undefined until it is known. */
  found: ReadonlySet<string> | undefined
  onDelete: EntryDetailsProps['onDelete']
  onCompare: (key: string | null, other?: string) => void
}

interface LibraryRow extends LibraryEntry {
  isOpen: boolean
}

export function LibraryList({ query, catalogue, list, found, onDelete, onCompare }: LibraryListProps) {
  const { version } = list.state
  const configurations = query.data ?? none
  const rows = useRows(configurations, list.state, found)
  const { show } = list
  const columns = useMemo(
    () => libraryColumns((id, isOpen) => show({ open: isOpen ? '' : id, version: '' }, { replace: true, preventScrollReset: true })),
    [show],
  )
  const count = configurations.length
  useFocusAfterDeletion(count, list.searchBox)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the keyboard has the button of the row
    <div className="library-rows" onClick={toggleRow}>
      <QueryTable
        label="Saved configurations"
        query={query}
        list={count > 0 ? list : undefined}
        columns={columns}
        rows={() => rows}
        rowId={({ id }) => id}
        failed={failed}
        sort={{ id: 'creationDate', descending: true }}
        detail={(row) =>
          row.isOpen && (
            <QueryStates query={catalogue} failed={failed}>
              {(loaded) => (
                <EntryDetails
                  id={row.id}
                  catalogue={loaded}
                  version={Number(version) || row.version}
                  onVersion={(number) =>
                    show({ version: number === row.version ? '' : String(number) }, { replace: true, preventScrollReset: true })
                  }
                  onDelete={onDelete}
                  onCompare={onCompare}
                />
              )}
            </QueryStates>
          )
        }
        search={(count > 0 || query.data === undefined) && <Filters configurations={configurations} list={list} />}
        tools={count > 0 && <Tools shown={rows.length} count={count} onCompare={() => onCompare(null)} />}
        empty={<EmptyState action={<Link to={paths.createConfiguration()}>Make a new one</Link>}>No saved configurations.</EmptyState>}
        noMatch="No configuration matches."
        showAll="Show all"
      />
    </div>
  )
}

// A click in a row counts as one on its button, except on what is open below it, and when it ends a selection of text.
function toggleRow({ target, currentTarget }: MouseEvent) {
  if (!(target instanceof Element) || target.closest('button, a, .table-detail, .record-detail') || String(getSelection()) !== '') return
  const row = target.closest('tr, .record')
  if (row && currentTarget.contains(row)) row.querySelector<HTMLElement>('[aria-expanded]')?.click()
}

function useRows(
  configurations: readonly LibraryEntry[],
  { search, device, open }: LibraryControl['state'],
  found: LibraryListProps['found'],
) {
  return useMemo(
    () =>
      configurations
        .filter((one) => (device === '' || one.device === device) && (found ? found.has(one.id) : matches(one, search)))
        .map((one): LibraryRow => ({ ...one, isOpen: one.id === open })),
    [configurations, search, found, device, open],
  )
}

const formatCount = (shown: number, count: number): string =>
  `${shown === count ? '' : `${formatNumber(shown)} of `}${counted(count, 'configuration')}`

const none: LibraryEntry[] = []
const failed = 'Error loading the saved configurations'
const allDevices = 'all devices'

interface ToolsProps {
  shown: number
  count: number
  onCompare: () => void
}

const Tools = ({ shown, count, onCompare }: ToolsProps) => (
  <>
    <span className="toolbar-note" role="status">
      {formatCount(shown, count)}
    </span>
    {count > 1 && (
      <Button icon={GitCompareArrows} onClick={onCompare}>
        Compare
      </Button>
    )}
  </>
)

interface FiltersProps {
  configurations: readonly LibraryEntry[]
  list: LibraryListProps['list']
}

function Filters({ configurations, list }: FiltersProps) {
  const devices = [...new Set(configurations.map(({ device }) => device))].toSorted()
  return (
    <>
      <ListSearch list={list} label="Search configurations" placeholder="Name, option, command or text" />
      <Select
        label="Device"
        className="w-48"
        options={[{ value: allDevices, label: 'All devices' }, ...devices.map((model) => ({ value: model, label: model }))]}
        value={list.state.device || allDevices}
        onChange={(device) => list.show({ device: device === allDevices ? '' : device })}
      />
    </>
  )
}

function matches(configuration: LibraryEntry, search: string): boolean {
  const part = foldName(search)
  return foldName(configuration.name).includes(part) || configuration.device.toLowerCase().includes(part)
}

function useFocusAfterDeletion(count: number, target: { current: HTMLElement | null }) {
  const before = useRef(count)
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) target.current?.focus({ preventScroll: true })
    before.current = count
  }, [count, target])
}

const column = columnHelper<LibraryRow>()

const libraryColumns = (onToggle: (id: string, isOpen: boolean) => void) =>
  column.columns([
    column.accessor('name', {
      header: 'Configuration Name',
      sortFn: 'alphanumeric',
      meta: { className: 'whitespace-normal wrap-anywhere font-semibold', record: 'title', width: 160 },
      cell: ({ row: { original: row } }) => (
        <>
          {row.name}
          {row.version > 1 && <span className="library-version">Version {row.version}</span>}
        </>
      ),
    }),
    column.accessor('device', {
      header: 'Device',
      sortFn: 'alphanumeric',
      meta: { record: 'subtitle', width: 80 },
      cell: ({ getValue }) => (
        <span className="flex flex-wrap items-center gap-2">
          {getValue()}
          <SupportBadge device={getValue()} />
        </span>
      ),
    }),
    column.accessor('creationDate', {
      header: 'Creation Date',
      sortFn: 'basic',
      sortDescFirst: true,
      meta: { className: 'text-ink-2', width: 120 },
      cell: ({ getValue }) => formatMinute(getValue()),
    }),
    column.display({
      id: 'more',
      header: 'View QR, Print, More Info',
      meta: { numeric: true, record: 'aside', width: 60 },
      cell: ({ row: { original: row } }) => (
        <Button
          small
          variant="ghost"
          iconAfter={row.isOpen ? ChevronUp : ChevronDown}
          aria-expanded={row.isOpen}
          aria-label={`${row.isOpen ? 'Close' : 'View'} ${row.name}`}
          onClick={() => onToggle(row.id, row.isOpen)}
        >
          {row.isOpen ? 'Close' : 'View'}
        </Button>
      ),
    }),
  ])
