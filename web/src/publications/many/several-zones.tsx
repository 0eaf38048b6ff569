import { formatChosenZones } from '@lectern/contract/rollouts/rollout-words.ts'
import { formatNames } from '@lectern/contract/text/names.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useOrganization } from '../../lib/active-organization.ts'
import { Button } from '../../ui/button/button.tsx'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { type ConfigZone, toConfigZone, type WizardAction, type WizardState } from '../wizard-state.ts'
import type { ZoneSummary } from '../zone-summary.ts'
import type { findChanges, ManyZones, NamedZone } from './chosen-zones.ts'

interface SeveralZonesProps {
  chosen: ConfigZone | null
  onChoose: (zone: ConfigZone | null) => void
}

/** Lets the user choose several zones, in place of one. */
export function SeveralZones({ chosen, onChoose }: SeveralZonesProps) {
  const { open } = useDialog()
  const organizationId = useOrganization()
  async function choose() {
    const answer = await open<ManyZones>(async (close) => {
      const { ZonePicker } = await import('./zone-picker.tsx')
      return <ZonePicker organizationId={organizationId} chosen={chosen?.many} close={close} />
    })
    if (answer) onChoose(toConfigZone(answer))
  }
  return (
    <span className="flex flex-wrap gap-4">
      <Button variant="link" onClick={() => void choose()}>
        {chosen?.many ? 'Change the zones' : 'Choose several zones'}
      </Button>
      {chosen?.many && (
        <Button variant="link" onClick={() => onChoose(null)}>
          Choose one zone instead
        </Button>
      )}
    </span>
  )
}

/**
 * Names the zones in the words that the rollout stores; single zones by their names. `isLimited`: whether the user's role is limited to
 * zones.
 */
export const describeMany = ({ name, many }: Pick<ConfigZone, 'name' | 'many'>, isLimited: boolean): string =>
  many?.filter ? formatChosenZones({ filter: many.filter, names: many.zones.map((zone) => zone.name), isLimited }) : name

export interface ZoneChangesProps {
  chosen: ConfigZone
  changes: NonNullable<ReturnType<typeof findChanges>>
  onChoose: (zone: ConfigZone | null) => void
}

const named = 5

const formatZones = (zones: readonly NamedZone[]): string =>
  formatNames(
    zones.map(({ name }) => name),
    named,
  )

const match = ({ length }: readonly NamedZone[]): string => (length === 1 ? 'matches' : 'match')

/** Shows how the zones have changed since they were chosen, and offers to go on with those of now. */
export function ZoneChanges({ chosen, changes: { gone, added, now }, onChoose }: ZoneChangesProps) {
  const filter = chosen.many?.filter
  return (
    <Notice kind="bad" className="mb-4">
      {gone.length > 0 &&
        `${formatZones(gone)} ${filter ? `no longer ${match(gone)}` : gone.length === 1 ? 'was deleted' : 'were deleted'}. `}
      {added.length > 0 && `${formatZones(added)} ${match(added)} now as well. `}
      <Button variant="link" onClick={() => onChoose(toConfigZone({ zones: now, ...(filter && { filter }) }))}>
        {now.length === 0 ? 'Choose other zones' : `Go on with ${counted(now.length, 'zone')}`}
      </Button>
    </Notice>
  )
}

/**
 * Returns a function that asks before something is published to several zones of which some have no host PC. It resolves with the changes to
 * make before publishing; undefined: do not publish.
 */
export function useWithoutHostQuestion({ configZone, withoutHost }: WizardState, summary: ZoneSummary | undefined) {
  const { open } = useDialog()
  return async (changes: readonly WizardAction[]): Promise<readonly WizardAction[] | undefined> => {
    const unserved = summary?.unserved ?? 0
    if (!configZone?.many || withoutHost || unserved === 0) return changes
    const agreed = await open<boolean>(async (close) => {
      const { Confirm } = await import('../../ui/dialog/confirm.tsx')
      return (
        <Confirm title="Publish to zones without a host PC?" yes="Publish" close={close}>
          {counted(unserved, 'zone')} of {configZone.name} {unserved === 1 ? 'has' : 'have'} no host PC. Their readers update once one is
          installed.
        </Confirm>
      )
    })
    return agreed ? [...changes, { type: 'withoutHost' }] : undefined
  }
}
