import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { GitCompareArrows } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import { Select } from '../ui/input/select.tsx'
import { Table } from '../ui/table/table.tsx'
import { type LibraryRow, libraryColumns } from './library-columns.tsx'
import { getKey } from './reading.ts'
import { SavedDetails } from './saved-details.tsx'

type LibraryListProps = {
  configurations: readonly SavedConfiguration[]
  catalogue: Catalogue
  onDelete: (configuration: SavedConfiguration) => Promise<void>
  /** Opens the comparison, with one configuration chosen or none. */
  onCompare: (key: string | null) => void
}

const allDevices = 'all devices'

/** The saved configurations in a table whose rows open. */
export function LibraryList({ configurations, catalogue, onDelete, onCompare }: LibraryListProps) {
  const [search, setSearch] = useState('')
  const [device, setDevice] = useState(allDevices)
  const [opened, setOpened] = useState<string | null>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const columns = useMemo(() => libraryColumns((key) => setOpened((before) => (before === key ? null : key))), [])
  const rows = useMemo(
    () =>
      configurations
        .filter((one) => (device === allDevices || one.device === device) && matches(one, search))
        .map((one): LibraryRow => ({ ...one, key: getKey(one), isOpen: getKey(one) === opened })),
    [configurations, device, search, opened],
  )
  const devices = [...new Set(configurations.map((one) => one.device))].toSorted()

  const count = configurations.length
  const countBefore = useRef(count)
  useEffect(() => {
    // A deleted configuration takes the button that had focus with it.
    if (count < countBefore.current && document.activeElement === document.body) searchBox.current?.focus({ preventScroll: true })
    countBefore.current = count
  }, [count])

  function showAll() {
    setSearch('')
    setDevice(allDevices)
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
      search={
        <>
          <SearchInput
            ref={searchBox}
            label="Search configurations"
            placeholder="Name or device"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <Select
            label="Device"
            className="library-device"
            options={[{ value: allDevices, label: 'All devices' }, ...devices.map((model) => ({ value: model, label: model }))]}
            value={device}
            onChange={setDevice}
          />
        </>
      }
      tools={
        <>
          <span className="toolbar-note" role="status">
            {rows.length === count ? `${count}` : `${rows.length} of ${count}`} configuration{count === 1 ? '' : 's'}
          </span>
          {count > 1 && (
            <Button icon={GitCompareArrows} onClick={() => onCompare(null)}>
              Compare
            </Button>
          )}
        </>
      }
      empty={
        <EmptyState
          action={
            <Button variant="link" onClick={showAll}>
              Show all
            </Button>
          }
        >
          No configuration matches.
        </EmptyState>
      }
    />
  )
}

function matches({ name, device }: SavedConfiguration, search: string): boolean {
  const text = search.trim().toLowerCase()
  return name.toLowerCase().includes(text) || device.toLowerCase().includes(text)
}
