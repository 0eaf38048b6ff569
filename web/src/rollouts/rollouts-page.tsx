import type { Rollout } from '@lectern/contract/rollouts/rollouts.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { useEventCount, useReadAgain } from '../lib/api/live.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatMinute } from '../lib/format.ts'
import { pageQuery, useList } from '../lib/list-address.ts'
import { useNow } from '../lib/now.ts'
import { useScreens } from '../lib/screens.ts'
import { paths } from '../paths.ts'
import { LimitNote } from '../people/limit-note.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ProgressBar } from '../ui/feedback/progress-bar.tsx'
import { Glyph } from '../ui/feedback/status.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { ListFilters } from './filters/list-filters.tsx'
import { rolloutsAddress, toRolloutFilter } from './filters/rollouts-address.ts'
import { RolloutState } from './rollout-marks.tsx'
import { formatStart, formatStarts, formatZones } from './rollout-words.ts'
import { useComingRuns } from './use-coming-runs.ts'

/** Milliseconds between reads of the list where no event comes. */
const refreshEvery = 5_000

export default function RolloutsPage() {
  useDocumentTitle('Rollouts')
  const organizationId = useOrganization()
  const list = useList(rolloutsAddress)
  const query = useQuery({
    ...q('listRollouts', { params: { organizationId }, query: { ...pageQuery(list.state), ...toRolloutFilter(list.state) } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  })
  useReadAgain(query, useEventCount('streamRollouts', { params: { organizationId } }))
  // An empty list needs no search.
  const hasFilters = list.isFiltered || query.data?.totalCount !== 0
  return (
    <Page>
      <PageHead title="Rollouts" intro="The progress of each publish of configuration or firmware, the newest first." />
      <Panel flush aria-label="All rollouts" className="overflow-hidden">
        <PagedTable
          label="Rollouts"
          noun={['rollout', 'rollouts']}
          list={list}
          query={query}
          columns={rolloutColumns}
          rows={({ rolloutList }) => rolloutList}
          rowId={({ id }) => id}
          failed="Error loading the rollouts"
          search={hasFilters && <ListFilters list={list} />}
          empty={<NoRollouts />}
          noMatch="No rollout matches."
          showAll="Show all rollouts"
        />
      </Panel>
    </Page>
  )
}

function NoRollouts() {
  const find = useScreens()
  const screens = [
    { to: paths.applyConfig(), label: 'Configure Zones' },
    { to: paths.manageFirmware(), label: 'Manage Firmware' },
  ].filter(({ to }) => find(to) !== null)
  return (
    <EmptyState
      action={
        <>
          {screens.length > 0 && (
            <span className="flex flex-wrap justify-center gap-4">
              {screens.map(({ to, label }) => (
                <ButtonLink key={to} to={to} variant="link">
                  {label}
                </ButtonLink>
              ))}
            </span>
          )}
          <LimitNote />
        </>
      }
    >
      Nothing has been published yet.
    </EmptyState>
  )
}

function WaitingState({ rollout }: { rollout: Rollout }) {
  const now = useNow()
  const { applied, failed } = rollout.counts
  const { runs = [] } = useComingRuns(rollout, applied + failed === 0) ?? {}
  return <RolloutState of={rollout} note={formatStart(runs, { now })} whole={formatStarts(runs, { now })} />
}

const column = columnHelper<Rollout>()

const rolloutColumns = column.columns([
  column.accessor('title', {
    header: 'Rollout',
    enableSorting: false,
    meta: { className: 'whitespace-normal wrap-anywhere table-main', record: 'title', width: 160 },
    cell: ({ row: { original } }) => (
      <>
        <Link className="font-semibold" to={paths.rollout({ id: original.id })}>
          {original.name ?? original.title}
          {original.rollsBack && <span className="rollout-note">Rolls back another rollout</span>}
        </Link>
        {original.name !== undefined && <span className="rollout-note">{original.title}</span>}{' '}
        {original.simulated && <Badge kind="simulated">Simulated</Badge>} {original.isPartial && <Badge>Part</Badge>}
      </>
    ),
  }),
  column.accessor(formatZones, {
    id: 'zones',
    header: 'Zones',
    enableSorting: false,
    meta: { className: 'table-name', record: 'subtitle', width: 120, from: 'medium' },
    cell: ({ getValue }) => <Ellipsis>{getValue() as string}</Ellipsis>,
  }),
  column.accessor('state', {
    header: 'State',
    enableSorting: false,
    meta: { className: 'max-sm:col-span-full sm:min-w-52', width: 90 },
    cell: ({ row: { original } }) => <WaitingState rollout={original} />,
  }),
  column.accessor('counts', {
    id: 'progress',
    header: 'Progress',
    enableSorting: false,
    meta: { className: 'min-w-36', record: 'action', width: 140, from: 'medium' },
    cell: ({ row: { original } }) => <ProgressBar counts={original.counts} label={original.name ?? original.title} />,
  }),
  column.accessor(({ counts }) => counts.applied, {
    id: 'applied',
    header: 'Applied',
    enableSorting: false,
    meta: { numeric: true, width: 70 },
    cell: ({ row: { original } }) => `${formatNumber(original.counts.applied)} of ${formatNumber(original.counts.readers)}`,
  }),
  column.accessor(({ counts }) => counts.failed, {
    id: 'failed',
    header: 'Failed',
    enableSorting: false,
    meta: { numeric: true, width: 40 },
    cell: ({ getValue }) =>
      getValue() === 0 ? (
        <span className="text-ink-3">0</span>
      ) : (
        <span className="rollout-failed">
          <Glyph kind="bad" />
          {formatNumber(getValue() as number)}
        </span>
      ),
  }),
  column.accessor('publishedAt', {
    header: 'Published',
    enableSorting: false,
    meta: { className: 'text-ink-2 max-sm:col-span-full', width: 130, from: 'large' },
    cell: ({ row: { original } }) => (
      <span className="block min-w-0 whitespace-normal sm:whitespace-nowrap">
        {formatMinute(original.publishedAt)}
        {original.publishedBy && <span className="rollout-note">{original.publishedBy}</span>}
      </span>
    ),
  }),
])
