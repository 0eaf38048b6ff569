import type { LimitedZone, RolloutDetail } from '@lectern/contract/rollouts.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Pause, Play } from 'lucide-react'
import { share } from '../lib/share.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { formatPercent, formatWhen, limitLabels } from './rollout-words.ts'
import { SafetyLimitDialog } from './safety-limit-dialog.tsx'
import type { RolloutChange } from './use-rollout-change.ts'

/** As many zones as are named; the table has them all. */
const named = 5

/** What halts a zone by itself, until when readers begin, and the zones of which it had to say something. */
export function SafetyLimits({ rollout, change }: { rollout: RolloutDetail; change: RolloutChange | null }) {
  const dialog = useDialog()
  const { haltAbovePercent, stopTime, zones } = rollout.safetyLimit
  const inOrder = [...zones.filter(({ isResumed }) => !isResumed), ...zones.filter(({ isResumed }) => isResumed)]
  return (
    <Panel
      title="Safety limits"
      actions={
        change && (
          <Button
            small
            onClick={() =>
              dialog.open<void>((close) => <SafetyLimitDialog limit={rollout.safetyLimit} onSave={change.setLimit} close={close} />)
            }
          >
            Change…
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        <DefinitionList
          items={[
            [limitLabels.haltAbovePercent, formatPercent(haltAbovePercent)],
            [limitLabels.stopTime, stopTime ?? 'None'],
          ]}
        />
        {inOrder.slice(0, named).map((zone) => (
          <Note key={zone.zoneId} zone={zone} />
        ))}
        {inOrder.length > named && (
          <p className="text-13 text-ink-2">And {formatNumber(inOrder.length - named)} more, as the table says.</p>
        )}
      </div>
    </Panel>
  )
}

function Note({ zone: { zone, at, failed, readers, isResumed } }: { zone: LimitedZone }) {
  const name = <b className="wrap-anywhere">{zone}</b>
  return isResumed ? (
    <Notice icon={Play}>
      {name} resumed {formatWhen(at)} beyond the limit, with {share(failed, readers)} failed.
    </Notice>
  ) : (
    <Notice kind="warn" icon={Pause}>
      {name} halted {formatWhen(at)} with {share(failed, readers)} failed.
    </Notice>
  )
}
