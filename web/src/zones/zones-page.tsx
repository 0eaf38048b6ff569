import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { Table } from '../ui/table/table.tsx'
import { CreateZone } from './create-zone.tsx'
import { zoneColumns } from './zone-columns.tsx'
import { ZoneGuide } from './zone-guide.tsx'
import { matchesZone, toZoneRows, type ZoneRow } from './zone-row.ts'

/** Milliseconds until the online marks are read again. */
const refreshEvery = 15_000
const firstShown = 8
const pageSize = 100

export default function ZonesPage() {
  useDocumentTitle('Manage Your Zones')
  const organizationId = useOrganization()
  const canManage = usePermission('manage:firmware')
  const zones = useQuery(q('listZones', { params: { organizationId } }))
  const overviews = useQuery({ ...q('listZoneOverviews', { params: { organizationId } }), refetchInterval: refreshEvery })
  const [created, setCreated] = useState<string>()

  const rows = useMemo(() => {
    const overview = overviews.isError ? 'error' : (overviews.data ?? 'loading')
    return toZoneRows(zones.data ?? [], overview, created)
  }, [zones.data, overviews.data, overviews.isError, created])

  return (
    <Page className="[&_.record:has([data-new])]:bg-accent-soft [&_tr:has([data-new])>td]:bg-accent-soft">
      <PageHead
        title="Manage Your Zones"
        intro="A zone is a location or workflow that uses one device configuration. Install each zone’s location file on its host PC."
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <Panel flush aria-label="Zones">
            <QueryStates query={zones} failed={({ message }) => message || 'unknown error'}>
              {() =>
                rows.length > 0 ? (
                  <ZoneTable zones={rows} />
                ) : (
                  <EmptyState
                    action={<p>{canManage ? 'Create the first one below.' : 'Ask a colleague who manages firmware to create one.'}</p>}
                  >
                    No zones yet.
                  </EmptyState>
                )
              }
            </QueryStates>
          </Panel>
          {/* Not before the list, which would push it down. */}
          {canManage && !zones.isPending && (
            <CreateZone organizationId={organizationId} zones={zones.data ?? []} onCreated={(zone) => setCreated(zone.id)} />
          )}
        </div>
        <ZoneGuide zones={rows} />
      </div>
    </Page>
  )
}

function ZoneTable({ zones }: { zones: readonly ZoneRow[] }) {
  const [search, setSearch] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const [page, setPage] = useState(1)
  const searchBox = useRef<HTMLInputElement>(null)
  // The button that deleted a zone goes with it.
  const columns = useMemo(() => zoneColumns(() => searchBox.current?.focus({ preventScroll: true })), [])
  const matching = useMemo(() => zones.filter((zone) => matchesZone(zone, search)), [zones, search])
  const current = Math.min(page, Math.max(1, Math.ceil(matching.length / pageSize)))
  const rows = useMemo(
    () => (showsAll ? matching.slice((current - 1) * pageSize, current * pageSize) : matching.slice(0, firstShown)),
    [matching, showsAll, current],
  )

  return (
    <>
      <Table
        label="Zone table"
        columns={columns}
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
        empty={<NoMatch search={search.trim()} onClear={() => setSearch('')} />}
      />
      {!showsAll && matching.length > rows.length && (
        <div className="panel-foot">
          <Button variant="link" onClick={() => setShowsAll(true)}>
            Show all {counted(matching.length, search.trim() === '' ? 'zone' : 'matching zone')}
          </Button>
        </div>
      )}
      {showsAll && matching.length > pageSize && (
        <Pager page={current} pageSize={pageSize} total={matching.length} noun="zones" onPage={setPage} />
      )}
    </>
  )
}

const NoMatch = ({ search, onClear }: { search: string; onClear: () => void }) => (
  <EmptyState
    action={
      <Button variant="link" onClick={onClear}>
        Clear search
      </Button>
    }
  >
    No zone matches “{search}”.
  </EmptyState>
)
