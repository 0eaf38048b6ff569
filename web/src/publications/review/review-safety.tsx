import { proposedPhasesText } from '@lectern/contract/publications/phases.ts'
import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { describePhase, findZoneProblem, type PublishedZones } from '../../lib/safety/phases.ts'
import { describeLimit, describeStopTime } from '../../lib/safety/safety-words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { QueryStates } from '../../ui/feedback/query-states.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import type { WizardState } from '../wizard-state.ts'
import { hasWindows, type ZoneSummary } from '../zone-summary.ts'
import { describeLarge, useLargePublish, withProposedPhases } from './large-publish.tsx'
import { usePublishedZones, useSafetyChoice } from './phase-choice.tsx'

interface ReviewSafetyProps {
  state: WizardState
  summary: ZoneSummary | undefined
  blocked: string | undefined
  onChoose: (chosen: PublishingDefaults | null) => void
}

/** Shows limits and phases, and lets the user change them. `onChoose`: called with null for those of the organization. */
export function ReviewSafety({ state, summary, blocked, onChoose }: ReviewSafetyProps) {
  const chosen = state.safety ?? null
  const query = useQuery(q('getPublishingDefaults', { params: { organizationId: useOrganization() } }))
  const published = usePublishedZones(state)
  const choose = useSafetyChoice(state, published, onChoose)
  const large = useLargePublish(state, summary)
  const problem = chosen && findZoneProblem(chosen.phases, published)
  return (
    <Panel
      title="Safety and phases"
      className="mt-4"
      actions={
        query.data && (
          <>
            {chosen && (
              <Button small disabledReason={blocked} onClick={() => onChoose(null)}>
                Use defaults
              </Button>
            )}
            <Button small disabledReason={blocked} onClick={() => void choose(chosen ?? query.data)}>
              Change…
            </Button>
          </>
        )
      }
    >
      {problem && (
        <Notice kind="bad" className="mb-4">
          {problem}
        </Notice>
      )}
      {large && query.data && (chosen ?? query.data).phases.length === 0 && (
        <Notice kind="warn" className="mb-4">
          {describeLarge(large)} would begin together. In phases a mistake is seen after a few: {proposedPhasesText}, each after a gate.
          <span className="mt-2 block">
            <Button small disabledReason={blocked} onClick={() => onChoose(withProposedPhases(chosen ?? query.data))}>
              Publish in these phases
            </Button>
          </span>
        </Notice>
      )}
      <QueryStates query={query} failed="Error loading the safety limits">
        {(defaults) => (
          <SafetyWords
            safety={chosen ?? defaults}
            isDefault={chosen === null}
            starts={(stopTime) => describeStopTime(stopTime, state.when, hasWindows(summary))}
            published={published}
          />
        )}
      </QueryStates>
    </Panel>
  )
}

interface SafetyWordsProps {
  safety: PublishingDefaults
  isDefault: boolean
  starts: (stopTime: string | null) => string
  published: PublishedZones
}

function SafetyWords({ safety: { haltAbovePercent, stopTime, phases }, isDefault, starts, published }: SafetyWordsProps) {
  return (
    <div className="grid gap-2">
      <p className="text-13 text-ink-2">{isDefault ? 'These are the defaults of your organization.' : 'Chosen for this rollout.'}</p>
      <p>{describeLimit(haltAbovePercent)}</p>
      <p>{starts(stopTime)}</p>
      {phases.length === 0 ? (
        <p>All readers may begin together.</p>
      ) : (
        <ol aria-label="Phases" className="grid gap-2">
          {phases.map((phase, index) => (
            <li key={index}>
              {index + 1}. {describePhase(phase, published)}
            </li>
          ))}
          <li>{phases.length + 1}. All other readers.</li>
        </ol>
      )}
    </div>
  )
}
