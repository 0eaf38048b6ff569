import { proposedPhases } from '@lectern/contract/publications/phases.ts'
import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { zonesInSentence } from '@lectern/contract/text/names.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { useIsLimited } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { listModels } from '../content/choices.ts'
import { describeMany } from '../many/several-zones.tsx'
import { listPieces, type WizardAction, type WizardState } from '../wizard-state.ts'
import { countReaders, type ZoneSummary } from '../zone-summary.ts'

export interface LargePublish {
  /** "7 zones tagged Clinic", "all 500 zones"; one zone by its name. */
  zones: string
  /** How many readers get it; undefined until they are known. */
  readers: number | undefined
}

/** Returns what is published where that is much; null below the sizes that the server gives, and for too few readers for phases. */
export function useLargePublish(state: WizardState, summary: ZoneSummary | undefined): LargePublish | null {
  const { largePublish } = useSettings()
  const isLimited = useIsLimited()
  const { configZone } = state
  if (!configZone) return null
  const readers = countReaders(summary, listModels(listPieces(state)))
  const zones = configZone.many?.zones.length ?? 1
  const isLarge = zones > largePublish.zones || (readers ?? 0) > largePublish.readers
  if (!isLarge || (readers !== undefined && readers <= proposedPhases.length)) return null
  const words = describeMany(configZone, isLimited)
  return { zones: configZone.many ? zonesInSentence(words) : words, readers }
}

/** Returns what is published to: "6,458 readers in all 500 zones". */
export const describeLarge = ({ zones, readers }: LargePublish): string => `${counted(readers, 'reader')} in ${zones}`

export const withProposedPhases = (safety: PublishingDefaults): PublishingDefaults => ({ ...safety, phases: proposedPhases })

/**
 * Asks once before much is published without phases. `ask` resolves with the changes to make before publishing; undefined: do not publish.
 * `isLoading`: whether it is not known yet if phases are set.
 */
export function useLargeQuestion(state: WizardState, summary: ZoneSummary | undefined) {
  const { open } = useDialog()
  const large = useLargePublish(state, summary)
  const { data: defaults, isPending } = useQuery(q('getPublishingDefaults', { params: { organizationId: useOrganization() } }))
  const safety = state.safety ?? defaults
  async function ask(changes: readonly WizardAction[]): Promise<readonly WizardAction[] | undefined> {
    if (!large || !safety || safety.phases.length > 0 || state.withoutPhases) return changes
    const answer = await open<'phases' | 'together'>(async (close) => {
      const { LargeQuestion } = await import('./large-question.tsx')
      return <LargeQuestion readersInZones={describeLarge(large)} close={close} />
    })
    if (answer === 'phases') return [...changes, { type: 'safety', safety: withProposedPhases(safety) }]
    return answer && [...changes, { type: 'withoutPhases' }]
  }
  return { ask, isLoading: large !== null && !state.safety && isPending }
}
