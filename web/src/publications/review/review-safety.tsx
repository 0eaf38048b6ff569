import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { describeLimit, describePhase, describeStopTime } from '../../lib/safety-words.ts'
import { Button } from '../../ui/button/button.tsx'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { QueryStates } from '../../ui/feedback/query-states.tsx'
import { Panel } from '../../ui/layout/panel.tsx'

interface ReviewSafetyProps {
  /** Null: as the organization has it. */
  chosen: PublishingDefaults | null
  blocked: string | undefined
  onChoose: (chosen: PublishingDefaults | null) => void
}

export function ReviewSafety({ chosen, blocked, onChoose }: ReviewSafetyProps) {
  const query = useQuery(q('getPublishingDefaults', { params: { organizationId: useOrganization() } }))
  const dialog = useDialog()
  const choose = (safety: PublishingDefaults) =>
    dialog.open<void>(async (close) => {
      const { SafetyDialog } = await import('../../schedule/safety-dialog.tsx')
      return <SafetyDialog safety={safety} onSave={onChoose} close={close} />
    })
  return (
    <Panel
      title="Safety"
      className="mt-4"
      actions={
        query.data && (
          <>
            {chosen && (
              <Button small disabledReason={blocked} onClick={() => onChoose(null)}>
                Use defaults
              </Button>
            )}
            <Button small disabledReason={blocked} onClick={() => choose(chosen ?? query.data)}>
              Change…
            </Button>
          </>
        )
      }
    >
      <QueryStates query={query} failed="Error loading the safety limits">
        {(defaults) => <SafetyWords safety={chosen ?? defaults} isDefault={chosen === null} />}
      </QueryStates>
    </Panel>
  )
}

function SafetyWords({ safety: { haltAbovePercent, stopTime, phases }, isDefault }: { safety: PublishingDefaults; isDefault: boolean }) {
  return (
    <div className="grid gap-2">
      <p className="text-13 text-ink-2">{isDefault ? 'These are the defaults of your organization.' : 'Chosen for this rollout.'}</p>
      <p>{describeLimit(haltAbovePercent)}</p>
      <p>{describeStopTime(stopTime)}</p>
      {phases.length === 0 ? (
        <p>All readers may begin together.</p>
      ) : (
        <ol aria-label="Phases" className="grid gap-2">
          {phases.map((phase, index) => (
            <li key={index}>
              {index + 1}. {describePhase(phase)}
            </li>
          ))}
          <li>{phases.length + 1}. All other readers.</li>
        </ol>
      )}
    </div>
  )
}
