import type { Rollout } from '@lectern/contract/rollouts.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Link } from 'react-router'
import { formatMinute } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { ProgressBar } from '../ui/feedback/progress-bar.tsx'
import { Glyph } from '../ui/feedback/status.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { RolloutState } from './rollout-state.tsx'

const column = columnHelper<Rollout>()

/** Zones in words: the first ones, and how many more. */
export const formatZones = ({ zones, zoneCount }: Pick<Rollout, 'zones' | 'zoneCount'>): string =>
  zoneCount > zones.length ? `${zones.join(', ')} and ${zoneCount - zones.length} more` : zones.join(', ')

export const rolloutColumns = column.columns([
  column.accessor('title', {
    header: 'Rollout',
    enableSorting: false,
    meta: { className: 'whitespace-normal wrap-anywhere py-1 min-w-40', record: 'title', width: 160 },
    cell: ({ row: { original } }) => (
      <Link className="font-semibold" to={paths.rollout({ id: original.id })}>
        {original.title}
        {original.rollsBack && <span className="rollout-note">Rolls back another rollout</span>}
      </Link>
    ),
  }),
  column.accessor(formatZones, {
    id: 'zones',
    header: 'Zones',
    enableSorting: false,
    meta: { className: 'whitespace-normal wrap-anywhere py-1', record: 'subtitle', width: 120 },
  }),
  column.accessor('state', {
    header: 'State',
    enableSorting: false,
    meta: { record: 'aside', width: 90 },
    cell: ({ getValue }) => <RolloutState state={getValue()} />,
  }),
  column.accessor('counts', {
    id: 'progress',
    header: 'Progress',
    enableSorting: false,
    meta: { className: 'min-w-36', record: 'action', width: 140 },
    cell: ({ row: { original } }) => <ProgressBar counts={original.counts} label={original.title} />,
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
    meta: { className: 'text-ink-2', width: 130 },
    cell: ({ row: { original } }) => (
      <span className="block min-w-0 whitespace-normal sm:whitespace-nowrap">
        {formatMinute(original.publishedAt)}
        {original.publishedBy && <span className="rollout-note">{original.publishedBy}</span>}
      </span>
    ),
  }),
])
