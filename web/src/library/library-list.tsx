import { BuilderDevice, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { ChevronDown, ChevronUp, GitCompareArrows } from 'lucide-react'
import { type Ref, useEffect, useMemo, useRef, useState } from 'react'
import { formatMinute } from '../lib/format.ts'
import { Button } from '../ui/button/button.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import { Select } from '../ui/input/select.tsx'
import { Table } from '../ui/table/table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { getKey } from './reading.ts'
import { SavedDetails } from './saved-details.tsx'

interface LibraryListProps {
  configurations: readonly SavedConfiguration[]
  catalogue: Catalogue
  onDelete: (configuration: SavedConfiguration) => Promise<void>
  onCompare: (key: string | null) => void
}

interface LibraryRow extends SavedConfiguration {
  key: string
  isOpen: boolean
}

export function LibraryList({ configurations, catalogue, onDelete, onCompare }: LibraryListProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const [filter, setFilter] = useState(everything)
  const rows = useMemo(
    () =>
      configurations
        .filter((one) => matches(one, filter))
        .map((one): LibraryRow => ({ ...one, key: getKey(one), isOpen: getKey(one) === opened })),
    [configurations, filter, opened],
  )
  const columns = useMemo(() => libraryColumns((key) => setOpened((before) => (before === key ? null : key))), [])
  const count = configurations.length
  useFocusAfterDeletion(count, searchBox)
  const all = counted(count, 'configuration')

  function showAll() {
    setFilter(everything)
    searchBox.current?.focus()
  }

  return (
    <Table
      label="Saved configurations"
      columns={columns}
      rows={rows}
      rowId={({ key }) => key}
      sort={{ id: 'creationDate', descending: true }}
      detail={(row) =>
        row.isOpen && (
          <SavedDetails configuration={row} catalogue={catalogue} onDelete={() => onDelete(row)} onCompare={() => onCompare(row.key)} />
        )
      }
      search={<Filters configurations={configurations} filter={filter} onFilter={setFilter} searchBox={searchBox} />}
      tools={
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
      }
      empty={<EmptyState action={<Button variant="link" onClick={showAll} children="Show all" />}>No configuration matches.</EmptyState>}
    />
  )
}

const allDevices = 'all devices'
const everything = { text: '', device: allDevices }
type Filter = typeof everything

interface FiltersProps {
  configurations: readonly SavedConfiguration[]
  filter: Filter
  onFilter: (filter: Filter) => void
  searchBox: Ref<HTMLInputElement>
}

function Filters({ configurations, filter, onFilter, searchBox }: FiltersProps) {
  const devices = [...new Set(configurations.map(({ device }) => device))].toSorted()
  return (
    <>
      <SearchInput
        ref={searchBox}
        label="Search configurations"
        placeholder="Name or device"
        value={filter.text}
        onChange={({ target }) => onFilter({ ...filter, text: target.value })}
      />
      <Select
        label="Device"
        className="w-48"
        options={[{ value: allDevices, label: 'All devices' }, ...devices.map((model) => ({ value: model, label: model }))]}
        value={filter.device}
        onChange={(device) => onFilter({ ...filter, device })}
      />
    </>
  )
}

function matches({ name, device }: SavedConfiguration, filter: Filter): boolean {
  const text = filter.text.trim().toLowerCase()
  const isOfDevice = filter.device === allDevices || device === filter.device
  return isOfDevice && (name.toLowerCase().includes(text) || device.toLowerCase().includes(text))
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
          {!BuilderDevice.safeParse(getValue()).success && <Badge kind="warn">config not supported for device</Badge>}
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
