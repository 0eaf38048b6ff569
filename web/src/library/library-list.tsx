import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { ChevronDown, ChevronUp, GitCompareArrows } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
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

const SavedDetails = lazyPart(async () => (await import('./saved-details.tsx')).SavedDetails, <p role="status">Loading...</p>)
const SupportBadge = lazyExtra(async () => (await import('./saved-details.tsx')).SupportBadge)

const comparing: Parameter<'' | 'yes'> = { first: '', read: () => 'yes' }

/** `compare`, `a` and `b`: the comparison above the list, and the keys of what it compares. */
const filters = { search: text(), device: text(), compare: scope(comparing), a: scope(text(400)), b: scope(text(400)) }
export const libraryAddress = listAddress({ filters })
export type LibraryControl = List<typeof filters, never>

interface LibraryListProps {
  query: Query<SavedConfiguration[]>
  catalogue: Query<Catalogue>
  list: LibraryControl
  onDelete: (configuration: SavedConfiguration) => Promise<void>
  onCompare: (key: string | null) => void
}

/** A name is unique per device. */
export const getKey = ({ device, name }: Pick<SavedConfiguration, 'device' | 'name'>): string => `${device} ${name}`

interface LibraryRow extends SavedConfiguration {
  key: string
  isOpen: boolean
}

export function LibraryList({ query, catalogue, list, onDelete, onCompare }: LibraryListProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const { search, device } = list.state
  const configurations = query.data ?? none
  const rows = useMemo(
    () =>
      configurations
        .filter((one) => matches(one, search, device))
        .map((one): LibraryRow => ({ ...one, key: getKey(one), isOpen: getKey(one) === opened })),
    [configurations, search, device, opened],
  )
  const columns = useMemo(() => libraryColumns((key) => setOpened((before) => (before === key ? null : key))), [])
  const count = configurations.length
  useFocusAfterDeletion(count, list.searchBox)
  const all = counted(count, 'configuration')

  return (
    <QueryTable
      label="Saved configurations"
      query={query}
      list={count > 0 ? list : undefined}
      columns={columns}
      rows={() => rows}
      rowId={({ key }) => key}
      failed={failed}
      sort={{ id: 'creationDate', descending: true }}
      detail={(row) =>
        row.isOpen && (
          <QueryStates query={catalogue} failed={failed}>
            {(loaded) => (
              <SavedDetails configuration={row} catalogue={loaded} onDelete={() => onDelete(row)} onCompare={() => onCompare(row.key)} />
            )}
          </QueryStates>
        )
      }
      search={(count > 0 || query.data === undefined) && <Filters configurations={configurations} list={list} />}
      tools={
        count > 0 && (
          <>
            <span className="toolbar-note" role="status">
              {rows.length === count ? all : `${formatNumber(rows.length)} of ${all}`}
            </span>
            {count > 1 && (
              <Button icon={GitCompareArrows} onClick={() => onCompare(null)}>
                Compare
              </Button>
            )}
          </>
        )
      }
      empty={<EmptyState action={<Link to={paths.createConfiguration()}>Make a new one</Link>}>No saved configurations.</EmptyState>}
      noMatch="No configuration matches."
      showAll="Show all"
    />
  )
}

const none: SavedConfiguration[] = []
const failed = 'Error loading the saved configurations'
const allDevices = 'all devices'

interface FiltersProps {
  configurations: readonly SavedConfiguration[]
  list: LibraryListProps['list']
}

function Filters({ configurations, list }: FiltersProps) {
  const devices = [...new Set(configurations.map(({ device }) => device))].toSorted()
  return (
    <>
      <ListSearch list={list} label="Search configurations" placeholder="Name or device" />
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

function matches(configuration: SavedConfiguration, search: string, device: string): boolean {
  const part = search.trim().toLowerCase()
  const isOfDevice = device === '' || configuration.device === device
  return isOfDevice && (configuration.name.toLowerCase().includes(part) || configuration.device.toLowerCase().includes(part))
}

function useFocusAfterDeletion(count: number, target: { current: HTMLElement | null }) {
  const before = useRef(count)
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) target.current?.focus({ preventScroll: true })
    before.current = count
  }, [count, target])
}

const column = columnHelper<LibraryRow>()

const libraryColumns = (onToggle: (key: string) => void) =>
  column.columns([
    column.accessor('name', {
      header: 'Configuration Name',
      sortFn: 'alphanumeric',
      meta: { className: 'whitespace-normal wrap-anywhere py-1 font-semibold', record: 'title', width: 160 },
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
          onClick={() => onToggle(row.key)}
        >
          {row.isOpen ? 'Close' : 'View'}
        </Button>
      ),
    }),
  ])
