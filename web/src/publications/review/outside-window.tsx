import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { formatClock, formatRun } from '../../lib/run-words.ts'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { findOutside, ignoresWindowsLater } from '../select/planned-run.ts'
import { reduceWizard, type WizardAction, type WizardState } from '../wizard-state.ts'
import type { ZoneSummary } from '../zone-summary.ts'

/**
 * Returns a function that asks where "now" is outside the maintenance windows (NOW-05), or where later phases may be. It resolves with the
 * changes to make before publishing; undefined: do not publish.
 */
export function useWindowQuestion(state: WizardState, summary: ZoneSummary | undefined) {
  const { open } = useDialog()
  const { data: defaults } = useQuery(q('getPublishingDefaults', { params: { organizationId: useOrganization() } }))
  return async (changes: readonly WizardAction[]): Promise<readonly WizardAction[] | undefined> => {
    const changed = changes.reduce(reduceWizard, state)
    const now = new Date()
    const opens = findOutside(changed, summary, now)
    const [first] = opens
    if (!first) {
      if (changed.outsideWindow || !ignoresWindowsLater(changed, summary, changed.safety ?? defaults)) return changes
      const isAllowed = await open<true>(async (close) => {
        const { LaterPhases } = await import('./time-questions.tsx')
        return <LaterPhases close={close} />
      })
      return isAllowed && [...changes, { type: 'outsideWindow' }]
    }
    const answer = await open<'allow' | 'wait'>(async (close) => {
      const { OutsideWindow } = await import('./time-questions.tsx')
      return <OutsideWindow opens={opens.map((run) => formatRun(run, { now }))} close={close} />
    })
    const updateTime = formatClock(new Date(first.at), first.timeZones[0] ?? 'UTC')
    if (answer === 'wait')
      return [...changes, { type: 'when', when: 'at' }, { type: 'updateTime', updateTime }, { type: 'planned', at: now.getTime() }]
    return answer && [...changes, { type: 'outsideWindow' }]
  }
}
