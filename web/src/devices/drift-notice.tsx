import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import type { Metric } from './device-list.ts'

type DriftNoticeProps = { organizationId: string; metric: Metric; onMetric: (metric: Metric) => void }

/** Says above the list how many readers have drifted, and narrows the list to them; nothing where none has. */
export function DriftNotice({ organizationId, metric, onMetric }: DriftNoticeProps) {
  const { data } = useQuery(q('getDeviceTotals', { params: { organizationId } }))
  const drifted = data?.drifted ?? 0
  if (drifted === 0) return null
  const isShown = metric === 'drifted'
  const [readers, run, zone] =
    drifted === 1 ? ['1 reader has', 'runs', 'its zone wants'] : [`${formatNumber(drifted)} readers have`, 'run', 'their zones want']
  return (
    <Notice kind="warn" className="mb-4">
      <b>{readers} drifted:</b> {drifted === 1 ? 'it' : 'they'} had what {zone} and {run} something else now.{' '}
      <Button variant="link" onClick={() => onMetric(isShown ? 'all' : 'drifted')}>
        {isShown ? 'Show all devices' : drifted === 1 ? 'Show it' : 'Show them'}
      </Button>
    </Notice>
  )
}
