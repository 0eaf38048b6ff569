import './dry-run.css'
import { countCannot, type DryRunCounts, type Reason, reasons } from '@lectern/contract/publications/dry-run.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { columnHelper } from '../../ui/table/table-columns.ts'
import { isReady, listUnpublished, type WizardState } from '../wizard-state.ts'
import { PartDifferences } from './part-differences.tsx'
import { usePreview, zonesPerPage } from './preview.ts'
import { type DryRunRow, withRows } from './rows.ts'

/** Shows what publishing all that is ready would do (DRY-01, DRY-02). */
export function DryRun({ state }: { state: WizardState }) {
  const [page, setPage] = useState(1)
  const [isOpen, setOpen] = useState(false)
  const pieces = listUnpublished(state).filter((piece) => isReady(state, piece))
  const preview = usePreview(state, pieces, { page, select: withRows })
  if (pieces.length === 0) return null
  const { data } = preview
  return (
    <Panel flush className="dry-run mt-4" title="Dry run">
      <QueryTable
        label="Readers by what would become of them"
        columns={columns}
        query={preview}
        rows={({ rows, isLong }) => (isLong && !isOpen ? rows.filter(({ isOfAll }) => isOfAll) : rows)}
        rowId={({ id }) => id}
        failed="Error counting what changes"
        expected={pieces.length}
        empty={<EmptyState>There is no zone.</EmptyState>}
      />
      {data?.isLong && (
        <p className="dry-run-fold">
          <Button variant="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide the zones' : 'Show zone by zone'}
          </Button>
        </p>
      )}
      {data && data.totalCount > zonesPerPage && (isOpen || !data.isLong) && (
        <Pager page={page} pageSize={zonesPerPage} total={data.totalCount} noun="zones" label="Pages of zones" onPage={setPage} />
      )}
      {data && (
        <ul className="dry-run-parts" aria-label="What runs, and what will run">
          {data.parts.map((part) => (
            <PartDifferences key={`${part.model} ${part.kind}`} part={part} state={state} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

const words: Record<Reason, string> = {
  noHost: 'no host PC',
  silent: 'silent',
  onTwoPcs: 'at a host PC that runs on two PCs',
  olderApp: 'older app',
  notPossible: 'not possible with this reader’s published commands',
  battery: 'low battery',
}

/** Returns why readers cannot take it: "30 silent, 2 low battery". */
const formatReasons = (counts: DryRunCounts): string =>
  reasons
    .filter((reason) => counts[reason] > 0)
    .map((reason) => `${formatNumber(counts[reason])} ${words[reason]}`)
    .join(', ')

const column = columnHelper<DryRunRow>()

const countColumn = (id: string, header: string, count: (counts: DryRunCounts) => number, detail?: (counts: DryRunCounts) => string) =>
  column.accessor(({ counts }) => count(counts), {
    id,
    header,
    enableSorting: false,
    meta: { className: 'whitespace-normal' },
    cell: ({ getValue, row: { original } }) => (
      <>
        {formatNumber(getValue())}
        {detail && getValue() > 0 && detail(original.counts) !== '' && <small className="dry-run-detail">{detail(original.counts)}</small>}
      </>
    ),
  })

const columns = column.columns([
  column.accessor('zone', {
    header: 'Zone',
    enableSorting: false,
    meta: { className: 'whitespace-normal wrap-anywhere', record: 'title' },
  }),
  column.accessor('part', { header: 'For', enableSorting: false, meta: { className: 'whitespace-normal' } }),
  countColumn(
    'changes',
    'Change',
    ({ changes }) => changes,
    ({ toOlder }) => (toOlder > 0 ? `${formatNumber(toOlder)} to an older version` : ''),
  ),
  countColumn('matches', 'Match already', ({ matches }) => matches),
  countColumn('cannot', 'Cannot take it', countCannot, formatReasons),
  countColumn('missing', 'Missing', ({ missing }) => missing),
  countColumn('readers', 'Readers', ({ readers }) => readers),
])
