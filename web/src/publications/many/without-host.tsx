import { counted } from '@lectern/contract/text/numbers.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import type { WizardAction, WizardState } from '../wizard.ts'
import type { ZoneSummary } from '../zone-summary.ts'

/** Asks where some of many zones have no host PC. Adds to the changes before publishing; undefined: do not publish. */
export function useWithoutHostQuestion({ configZone, withoutHost }: WizardState, summary: ZoneSummary | undefined) {
  const { open } = useDialog()
  return async (changes: readonly WizardAction[]): Promise<readonly WizardAction[] | undefined> => {
    const unserved = summary?.unserved ?? 0
    if (!configZone?.many || withoutHost || unserved === 0) return changes
    const agreed = await open<boolean>((close) => (
      <Confirm title="Publish to zones without a host PC?" yes="Publish" close={close}>
        {counted(unserved, 'zone')} of {configZone.name} {unserved === 1 ? 'has' : 'have'} no host PC. Their readers update once one is
        installed.
      </Confirm>
    ))
    return agreed ? [...changes, { type: 'withoutHost' }] : undefined
  }
}
