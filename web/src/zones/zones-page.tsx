import { counted } from '@lectern/contract/text/numbers.ts'
import type { Zone } from '@lectern/contract/zones.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useEffectEvent, useMemo, useState } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { listAddress, oneOf, scope, text, useList } from '../lib/list-address.ts'
import { useIsLimited, usePermission } from '../lib/session.ts'
import { AskManagers } from '../people/ask-managers.tsx'
import { LimitNote, limitSentence } from '../people/limit-note.tsx'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryError } from '../ui/feedback/query-states.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { QueryTable } from '../ui/table/query-table.tsx'
import { CreateZone } from './create-zone.tsx'
import { zoneColumns } from './zone-columns.tsx'
import { ZoneGuide } from './zone-guide.tsx'
import { matchesZone, toZoneRows, type ZoneRow } from './zone-row.ts'

/** Milliseconds between reads of the online marks. */
const refreshEvery = 15_000
const firstShown = 8

export const zonesAddress = listAddress({ filters: { search: text(), tag: text(), show: scope(oneOf(['first', 'all'])) }, size: 100 })

export default function ZonesPage() {
  useDocumentTitle('Manage Your Zones')
  const organizationId = useOrganization()
  const isLimited = useIsLimited()
  const canCreate = usePermission('manage:firmware') && !isLimited
  const zones = useQuery(q('listZones', { params: { organizationId } }))
  const overviews = useQuery({
    ...q('listZoneOverviews', { params: { organizationId }, query: { hosts: 'counted' } }),
    refetchInterval: refreshEvery,
  })
  const [created, setCreated] = useState<string>()

  const rows = useMemo(() => {
    const overview = overviews.data ?? (overviews.isError ? 'error' : 'loading')
    return toZoneRows(zones.data ?? [], overview, created)
  }, [zones.data, overviews.data, overviews.isError, created])

  return (
    <Page className="[&_.record:has([data-new])]:bg-accent-soft [&_tr:has([data-new])>td]:bg-accent-soft">
      <PageHead
        title="Manage Your Zones"
        intro={`A zone is a location or workflow that uses one device configuration. Install each zone’s location file on its host PC.${isLimited ? ` ${limitSentence}` : ''}`}
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <Panel flush aria-label="Zones">
            {/* Where the zones' own error is shown, that of their counts would repeat it. */}
            {zones.data && !zones.error && <QueryError query={overviews} failed="Error loading readers and host PCs" isPart />}
            <ZoneTable query={zones} zones={rows} />
          </Panel>
          {/* Not shown before the list, which would push it down. */}
          {canCreate && !zones.isPending && (
            <CreateZone organizationId={organizationId} zones={zones.data ?? []} onCreated={(zone) => setCreated(zone.id)} />
          )}
        </div>
        <ZoneGuide zones={rows} />
      </div>
    </Page>
  )
}

interface ZoneTableProps {
  query: UseQueryResult<Zone[]>
  zones: readonly ZoneRow[]
}

function ZoneTable({ query, zones }: ZoneTableProps) {
  const list = useList(zonesAddress)
  const { search, tag, show, page, size } = list.state
  const { open } = useDialog()
  const onTag = useEffectEvent((chosen: string) => list.show({ tag: chosen }))
  // The button that deleted a zone disappears with its row, so the focus moves.
  const columns = useMemo(
    () => zoneColumns({ onDeleted: () => list.searchBox.current?.focus({ preventScroll: true }), onTag, open }),
    [list.searchBox, open],
  )
  const matching = useMemo(() => zones.filter((zone) => matchesZone(zone, search, tag)), [zones, search, tag])
  const current = Math.min(page, Math.max(0, Math.ceil(matching.length / size) - 1))
  const rows = useMemo(
    () => (show === 'all' ? matching.slice(current * size, (current + 1) * size) : matching.slice(0, firstShown)),
    [matching, show, current, size],
  )

  return (
    <>
      <QueryTable
        label="Zone table"
        query={query}
        list={zones.length > 0 ? list : undefined}
        columns={columns}
        rows={() => rows}
        rowId={(zone) => zone.id}
        failed={({ message }) => message || 'unknown error'}
        expected={firstShown}
        search={(zones.length > 0 || query.isLoading) && <ListSearch list={list} label="Search zones" placeholder="Zone name" />}
        tools={
          query.isLoading ? (
            <span role="status">Loading...</span>
          ) : (
            zones.length > 0 && (
              <ZoneTools tag={tag} onClear={() => list.show({ tag: '' })}>
                {counted(zones.length, 'zone')}, showing {rows.length}
              </ZoneTools>
            )
          )
        }
        empty={<NoZones />}
        noMatch={tag === '' ? `No zone matches “${search.trim()}”.` : 'No zone matches.'}
        showAll="Clear search"
      />
      {show === 'first' && matching.length > rows.length && (
        <div className="panel-foot">
          <Button variant="link" onClick={() => list.show({ show: 'all' })}>
            Show all {counted(matching.length, list.isFiltered ? 'matching zone' : 'zone')}
          </Button>
        </div>
      )}
      {show === 'all' && matching.length > size && (
        <Pager page={current + 1} pageSize={size} total={matching.length} noun="zones" onPage={(next) => list.show({ page: next - 1 })} />
      )}
    </>
  )
}

function ZoneTools({ tag, onClear, children }: { tag: string; onClear: () => void; children: ReactNode }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {tag !== '' && (
        <Button small icon={X} aria-label={`Show zones without the tag ${tag} as well`} onClick={onClear}>
          {tag}
        </Button>
      )}
      <TagZonesButton />
      <span className="text-13 text-ink-2" role="status">
        {children}
      </span>
    </span>
  )
}

function TagZonesButton() {
  const { open } = useDialog()
  const organizationId = useOrganization()
  if (!usePermission('manage:firmware')) return null
  async function tag() {
    const chosen = await open<{ zones: readonly { id: string }[] }>(async (close) => {
      const { ZonePicker } = await import('../publications/many/zone-picker.tsx')
      return <ZonePicker organizationId={organizationId} title="Choose zones to tag" chosen={undefined} close={close} />
    })
    if (!chosen) return
    await open<void>(async (close) => {
      const { TagZones } = await import('./tag-zones.tsx')
      return <TagZones organizationId={organizationId} zones={chosen.zones.map(({ id }) => id)} close={close} />
    })
  }
  return (
    <Button small onClick={() => void tag()}>
      Tag several zones
    </Button>
  )
}

function NoZones() {
  const isLimited = useIsLimited()
  const canManage = usePermission('manage:firmware')
  const organizationId = useOrganization()
  if (isLimited)
    return (
      <EmptyState action={<LimitNote />}>
        Your role has no zone any more. <AskManagers organizationId={organizationId} />
      </EmptyState>
    )
  const hint = canManage ? (
    'Create the first one below.'
  ) : (
    <>
      Who publishes firmware creates zones. <AskManagers organizationId={organizationId} />
    </>
  )
  return <EmptyState action={<p>{hint}</p>}>No zones yet.</EmptyState>
}
