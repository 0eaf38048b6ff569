import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { formatClock, formatRun } from '../../lib/run-words.ts'
import { Button } from '../../ui/button/button.tsx'
import { type Close, useDialog } from '../../ui/dialog/dialog.tsx'
import { DialogPanel } from '../../ui/dialog/dialog-panel.tsx'
import { findOutside, isInLaterPhases } from '../select/planned-run.ts'
import { reduceWizard, type WizardAction, type WizardState } from '../wizard.ts'
import type { ZoneSummary } from '../zone-summary.ts'

/**
 * Asks where it is to be now and now is outside the maintenance windows (NOW-05), or later phases may be.
 * @returns a function that adds to the changes before publishing; undefined: do not publish
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
      if (changed.outsideWindow || !isInLaterPhases(changed, summary, changed.safety ?? defaults)) return changes
      const isAllowed = await open<true>((close) => <LaterPhases close={close} />)
      return isAllowed && [...changes, { type: 'outsideWindow' }]
    }
    const answer = await open<'allow' | 'wait'>((close) => (
      <OutsideWindow opens={opens.map((run) => formatRun(run, { now }))} close={close} />
    ))
    const updateTime = formatClock(new Date(first.at), first.timeZones[0] ?? 'UTC')
    if (answer === 'wait')
      return [...changes, { type: 'when', when: 'at' }, { type: 'updateTime', updateTime }, { type: 'planned', at: now.getTime() }]
    return answer && [...changes, { type: 'outsideWindow' }]
  }
}

function OutsideWindow({ opens, close }: { opens: string[]; close: Close<'allow' | 'wait'> }) {
  return (
    <DialogPanel
      title="Publish outside the maintenance windows?"
      actions={
        <>
          <Button onClick={() => close()}>Go back</Button>
          <Button onClick={() => close('allow')}>Start now anyway</Button>
          <Button variant="primary" data-autofocus onClick={() => close('wait')}>
            Wait for the next window
          </Button>
        </>
      }
    >
      <p>Readers would begin at once. The maintenance windows open:</p>
      {opens.map((run) => (
        <p key={run}>
          <b>{run}</b>
        </p>
      ))}
    </DialogPanel>
  )
}

function LaterPhases({ close }: { close: Close<true> }) {
  return (
    <DialogPanel
      title="Publish later phases outside the maintenance windows?"
      actions={
        <>
          <Button variant="primary" data-autofocus onClick={() => close()}>
            Go back
          </Button>
          <Button onClick={() => close(true)}>Publish anyway</Button>
        </>
      }
    >
      <p>
        With Now each phase begins as soon as its turn comes, also outside the maintenance windows and on blocked days. Choose an update
        time for phases that keep to them.
      </p>
    </DialogPanel>
  )
}
