import './failed-readers.css'
import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { RotateCw } from 'lucide-react'
import { Link } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ReaderLink } from './rollout-marks.tsx'
import type { RolloutChange } from './use-rollout-change.ts'
import { useReadersLink } from './use-rollout-readers.ts'

export function FailedReaders({ rollout, change }: { rollout: RolloutDetail; change: RolloutChange | null }) {
  const { counts, failed, retryable } = rollout
  const toReaders = useReadersLink()
  const dialog = useDialog()
  const organizationId = useOrganization()
  const retry = () =>
    dialog.open<boolean>(async (close) => {
      const { RepairDialog } = await import('./repair-dialog.tsx')
      const preview = q('previewRetry', { params: { organizationId, id: rollout.id } })
      return <RepairDialog title="Retry all failed readers?" yes="Retry" preview={preview} onRepair={change!.retry} close={close} />
    })
  if (counts.failed === 0)
    return (
      <Panel title="Failed readers">
        <p className="text-13 text-ink-2">None now.</p>
      </Panel>
    )
  return (
    <Panel
      flush
      title="Failed readers"
      actions={
        <>
          <Badge kind="bad">{formatNumber(counts.failed)}</Badge>
          {change && (
            <Button
              small
              icon={RotateCw}
              disabledReason={
                retryable === 0
                  ? 'Something newer was published for them, they have left the zone, or it is not possible with their published commands.'
                  : undefined
              }
              onClick={retry}
            >
              Retry all…
            </Button>
          )}
        </>
      }
      foot={
        <Link className="link" to={toReaders({ state: 'failed' })}>
          Show all {formatNumber(counts.failed)}
        </Link>
      }
    >
      <ul className="rollout-failures" aria-label={counted(counts.failed, 'failed reader')}>
        {failed.map((reader) => (
          <li key={`${reader.serialNumber} ${reader.content.kind}`}>
            <div>
              <ReaderLink reader={reader} />
              <span>
                {reader.deviceType}, {reader.zone}
              </span>
            </div>
            <p>{reader.reason ?? 'The host PC gave no reason.'}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
