import { type HaltedZone, SafetyLimitInput } from '@lectern/contract/publications/safety-limit.ts'
import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { fieldRules } from '@lectern/contract/text/fields.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Pause, Play } from 'lucide-react'
import { formatShare } from '../lib/share.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { formatPercent, formatWhen } from './rollout-words.ts'
import type { RolloutChange } from './use-rollout-change.ts'

interface SafetyLimitsProps {
  rollout: RolloutDetail
  change: RolloutChange | null
}

export function SafetyLimits({ rollout, change }: SafetyLimitsProps) {
  const dialog = useDialog()
  const { haltAbovePercent, stopTime, zones, zoneCount } = rollout.safetyLimit
  return (
    <Panel
      title="Safety limits"
      actions={
        // The limits count for all zones of the rollout.
        change &&
        !rollout.isPartial && (
          <Button
            small
            onClick={() =>
              dialog.open<void>(async (close) => {
                const { SafetyLimitDialog } = await import('./safety-limit-dialog.tsx')
                return <SafetyLimitDialog rollout={rollout} onSave={change.setLimit} close={close} />
              })
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
            [fieldRules(SafetyLimitInput, 'haltAbovePercent').label, formatPercent(haltAbovePercent)],
            [fieldRules(SafetyLimitInput, 'stopTime').label, stopTime ?? 'None'],
          ]}
        />
        {zones.map((zone) => (
          <Note key={zone.zoneId} zone={zone} />
        ))}
        {zoneCount > zones.length && <p className="text-13 text-ink-2">And {formatNumber(zoneCount - zones.length)} more, in the table.</p>}
      </div>
    </Panel>
  )
}

function Note({ zone: { zone, at, failed, readers, isResumed } }: { zone: HaltedZone }) {
  const name = <b className="wrap-anywhere">{zone}</b>
  return isResumed ? (
    <Notice icon={Play}>
      {name} resumed {formatWhen(at)} beyond the limit, with {formatShare(failed, readers)} failed.
    </Notice>
  ) : (
    <Notice kind="warn" icon={Pause}>
      {name} halted {formatWhen(at)} with {formatShare(failed, readers)} failed.
    </Notice>
  )
}
