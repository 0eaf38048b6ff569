import { counted } from '@lectern/contract/text/numbers.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { Table } from '../ui/table/table.tsx'
import { zoneColumns } from './zone-columns.tsx'
import { matchesZone, type ZoneRow } from './zone-row.ts'

/** Zones on screen at first, and on a page once all are asked for. */
const firstShown = 8
const pageSize = 100

type ZoneListProps = { zones: readonly ZoneRow[]; canCreate: boolean }

/** The zones with a search box; the first few, or all of them in pages. */
export function ZoneList({ zones, canCreate }: ZoneListProps) {
  const [search, setSearch] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const [page, setPage] = useState(1)
  const searchBox = useRef<HTMLInputElement>(null)
  const matching = useMemo(() => zones.filter((zone) => matchesZone(zone, search)), [zones, search])
  const pages = Math.max(1, Math.ceil(matching.length / pageSize))
  const current = Math.min(page, pages)
  const rows = useMemo(
    () => (showsAll ? matching.slice((current - 1) * pageSize, current * pageSize) : matching.slice(0, firstShown)),
    [matching, showsAll, current],
  )

  const count = zones.length
  const countBefore = useRef(count)
  useEffect(() => {
    // A deleted zone takes the button that had focus with it.
    if (count < countBefore.current && document.activeElement === document.body) searchBox.current?.focus({ preventScroll: true })
    countBefore.current = count
  }, [count])

  if (zones.length === 0) {
    return (
      <Panel flush aria-label="Zones">
        <EmptyState action={<p>{canCreate ? 'Create the first one below.' : 'Ask a colleague who manages firmware to create one.'}</p>}>
          No zones yet.
        </EmptyState>
      </Panel>
    )
  }
  return (
    <Panel
      flush
      aria-label="Zones"
      foot={
        !showsAll &&
        matching.length > rows.length && (
          <Button variant="link" onClick={() => setShowsAll(true)}>
            {search.trim() === ''
              ? `Show all ${counted(matching.length, 'zone')}`
              : `Show all ${counted(matching.length, 'matching zone')}`}
          </Button>
        )
      }
    >
      <Table
        label="Zone table"
        columns={zoneColumns}
        rows={rows}
        rowId={(zone) => zone.id}
        search={
          <SearchInput
            ref={searchBox}
            label="Search zones"
            placeholder="Zone name"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              setPage(1)
            }}
          />
        }
        tools={
          <span className="text-13 text-ink-2" role="status">
            {counted(zones.length, 'zone')}, showing {rows.length}
          </span>
        }
        empty={
          <EmptyState
            action={
              <Button variant="link" onClick={() => setSearch('')}>
                Clear search
              </Button>
            }
          >
            No zone matches “{search.trim()}”.
          </EmptyState>
        }
      />
      {showsAll && pages > 1 && <Pager page={current} pageSize={pageSize} total={matching.length} noun="zones" onPage={setPage} />}
    </Panel>
  )
}
