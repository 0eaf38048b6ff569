import { type RolloutDetail, type RolloutReader, readerStates } from '@lectern/contract/rollouts/rollouts.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { pageQuery } from '../lib/list-address.ts'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { useNarrow } from '../ui/media-query.ts'
import { ListSearch } from '../ui/table/list-search.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { Filter } from './filters/filter.tsx'
import { ReaderLink } from './rollout-marks.tsx'
import { readerLook } from './rollout-words.ts'
import { rolloutPartsAddress } from './use-rollout-parts.ts'
import type { RolloutReaderList } from './use-rollout-readers.ts'

interface RolloutReadersProps {
  rollout: RolloutDetail
  readers: RolloutReaderList
}

export function RolloutReaders({ rollout, readers: { list, query } }: RolloutReadersProps) {
  const hasContents = new Set(query.data?.readerList.map(({ content }) => content.name)).size > 1
  const isNarrow = useNarrow()
  const columns = useMemo(() => readerColumns(hasContents, isNarrow), [hasContents, isNarrow])
  return (
    <Panel flush id="readers" title="Readers" className="overflow-hidden" tabIndex={-1} ref={useFocusByLink()}>
      <PagedTable
        label="Readers of the rollout"
        noun={['reader', 'readers']}
        isCapped
        list={list}
        query={query}
        columns={columns}
        rows={({ readerList }) => readerList}
        rowId={({ serialNumber, zone, content }) => `${serialNumber} ${zone} ${content.kind} ${content.name}`}
        failed="Error loading the readers"
        search={
          <>
            <ListSearch list={list} label="Search by serial number" placeholder="Serial number" maxLength={64} />
            <Filters rollout={rollout} list={list} shown={query.data?.readerList[0]} />
          </>
        }
        empty={<EmptyState>This rollout has no readers.</EmptyState>}
        noMatch="No reader matches."
        showAll="Show all readers"
      />
      {rollout.counts.replaced > 0 && (
        <p className="border-t border-rule px-4 py-3 text-13 text-ink-2">Replaced readers are counted, not listed.</p>
      )}
    </Panel>
  )
}

function useFocusByLink() {
  const panel = useRef<HTMLElement>(null)
  const { hash, key } = useLocation()
  useEffect(() => {
    if (hash === '#readers') panel.current?.focus()
  }, [hash, key])
  return panel
}

interface FiltersProps {
  rollout: RolloutDetail
  list: RolloutReaderList['list']
  shown: RolloutReader | undefined
}

function Filters({ rollout, list, shown }: FiltersProps) {
  const { models, phases } = rollout
  const { zone, model, state, phase } = list.state
  const zones = useZones(rollout)
  if (zone && shown && !zones.has(zone)) zones.set(zone, shown.zone)
  const states = readerStates.filter((one) => one !== 'replaced')
  return (
    <>
      <Filter
        label="State"
        none="All states"
        options={states.map((one) => [one, readerLook[one].word])}
        value={state}
        onChange={(next) => list.show({ state: next })}
      />
      {phases.length > 0 && (
        <Filter
          label="Phase"
          none="All phases"
          options={phases.map(({ number }) => [String(number) as '1', `Phase ${number}`])}
          value={phase}
          onChange={(next) => list.show({ phase: next })}
        />
      )}
      {(zones.size > 1 || zone) && (
        <Filter label="Zone" none="All zones" options={[...zones]} value={zone} onChange={(next) => list.show({ zone: next })} />
      )}
      {models.length > 1 && (
        <Filter
          label="Model"
          none="All models"
          options={models.map((one) => [one, one])}
          value={model}
          onChange={(next) => list.show({ model: next })}
        />
      )}
    </>
  )
}

const zonesOffered = 25

// Zones by id, where they are few enough to choose from; other zones' readers are reached by their counts.
function useZones({ id, zoneCount }: RolloutDetail): Map<string, string> {
  const params = { organizationId: useOrganization(), id }
  const enabled = zoneCount > 1 && zoneCount <= zonesOffered
  // Uses the shown page of zones where it has all of them.
  const { first } = rolloutPartsAddress
  const query = pageQuery(zoneCount > first.size ? { page: 0, size: zonesOffered } : first)
  const { data } = useQuery({ ...q('listRolloutParts', { params, query }), enabled, staleTime: Number.POSITIVE_INFINITY })
  const parts = enabled ? (data?.partList ?? []) : []
  return new Map(parts.flatMap(({ zoneId, zone }) => (zoneId ? [[zoneId, zone]] : [])))
}

const column = columnHelper<RolloutReader>()

// On a phone a reader has two lines, so that a page stays short; the content is shown only where there are several.
const readerColumns = (hasContents: boolean, isNarrow: boolean) =>
  column.columns([
    column.accessor('serialNumber', {
      header: 'Serial number',
      enableSorting: false,
      meta: { record: 'title', width: 90 },
      cell: ({ row: { original } }) => <ReaderLink reader={original} />,
    }),
    column.accessor('state', {
      header: 'State',
      enableSorting: false,
      meta: { record: 'aside', width: 90 },
      cell: ({ row: { original } }) => {
        const { kind, word } = readerLook[original.state]
        return (
          <Status kind={kind} spoken="">
            {original.percent === undefined ? word : `${word}, ${original.percent}%`}
          </Status>
        )
      },
    }),
    column.accessor('zone', {
      header: 'Zone',
      enableSorting: false,
      meta: { className: 'table-name', record: 'subtitle', width: 100 },
      cell: ({ row: { original } }) => <Ellipsis>{isNarrow ? `${original.zone}, ${original.deviceType}` : original.zone}</Ellipsis>,
    }),
    column.accessor('deviceType', { header: 'Model', enableSorting: false, meta: { record: 'hidden', width: 60, from: 'medium' } }),
    column.accessor(({ content }) => content.name, {
      id: 'content',
      header: 'Content',
      enableSorting: false,
      meta: { className: 'table-name', width: 110, from: 'large', record: hasContents ? 'action' : 'hidden' },
      cell: ({ getValue }) => <Ellipsis>{getValue() as string}</Ellipsis>,
    }),
    column.accessor('at', {
      header: 'Since',
      enableSorting: false,
      meta: { className: 'text-ink-2', record: 'note', width: 110, from: 'large' },
      cell: ({ getValue }) => (getValue() ? formatMinute(getValue() as string) : ''),
    }),
    column.accessor('reason', {
      header: 'Reason',
      enableSorting: false,
      meta: { className: 'whitespace-normal sm:min-w-40', record: 'action', width: 160 },
    }),
  ])
