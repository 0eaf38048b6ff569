import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { findZoneProblem, type PublishedZones } from '../../lib/safety/phases.ts'
import type { EnteredSafety } from '../../schedule/safety-dialog.tsx'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { listModels } from '../content/choices.ts'
import { type ManyZones, type NamedZone, pickAmong, toChoosable } from '../many/chosen-zones.ts'
import { type ConfigZone, listPieces, type WizardState } from '../wizard-state.ts'

const listZones = ({ id, name, many }: ConfigZone): readonly NamedZone[] => many?.zones ?? [{ id, name }]

const findModels = (state: WizardState) => listModels(listPieces(state))

/** Returns the zones that are published to, with how many readers of the published models they have. */
export function usePublishedZones(state: WizardState): PublishedZones {
  const params = { organizationId: useOrganization() }
  const isNeeded = state.configZone?.many !== undefined
  const { data } = useQuery({ ...q('listZoneSelection', { params }), enabled: isNeeded })
  const { configZone, devices } = state
  return useMemo(() => {
    const zones = configZone ? listZones(configZone) : []
    const ids = new Set(zones.map(({ id }) => id))
    const known = data && new Map(pickAmong(toChoosable(data), { zones: ids, models: findModels(state) }).map((zone) => [zone.id, zone]))
    return new Map(zones.map(({ id, name }) => [id, { name, readers: known?.get(id)?.readers }]))
  }, [configZone, devices, data])
}

/** Says why the phases cannot be published; undefined where they can. */
export const explainNoPhases = ({ safety, configZone }: WizardState): string | undefined =>
  safety && configZone
    ? findZoneProblem(safety.phases, new Map(listZones(configZone).map(({ id, name }) => [id, { name, readers: undefined }])))
    : undefined

/**
 * Returns a function that opens the dialog of limits and phases. The picker of zones takes turns with it, as only one dialog can be open.
 */
export function useSafetyChoice(state: WizardState, published: PublishedZones, onChoose: (safety: PublishingDefaults) => void) {
  const { open } = useDialog()
  const organizationId = useOrganization()
  const pickZones = ({ values, phase }: EnteredSafety) => {
    const others = new Set(values.phases.flatMap(({ who, zones }, index) => (who === 'zones' && index !== phase ? zones : [])))
    const among = { zones: new Set([...published.keys()].filter((id) => !others.has(id))), models: findModels(state) }
    const chosen = values.phases[phase]!.zones.flatMap((id) => {
      const name = published.get(id)?.name
      return name === undefined ? [] : [{ id, name }]
    })
    return open<ManyZones>(async (close) => {
      const { ZonePicker } = await import('../many/zone-picker.tsx')
      const hint = others.size > 0 ? 'Zones of other phases are left out.' : undefined
      const title = `Zones of phase ${phase + 1}`
      return <ZonePicker organizationId={organizationId} title={title} hint={hint} among={among} close={close} chosen={{ zones: chosen }} />
    })
  }
  return async (safety: PublishingDefaults) => {
    let entered: EnteredSafety | undefined
    do {
      entered = await open<EnteredSafety>(async (close) => {
        const { SafetyDialog } = await import('../../schedule/safety-dialog.tsx')
        return <SafetyDialog safety={safety} entered={entered} published={published} close={close} onSave={onChoose} />
      })
      const picked = entered && (await pickZones(entered))
      if (picked) entered!.values.phases[entered!.phase]!.zones = picked.zones.map(({ id }) => id)
    } while (entered)
  }
}
