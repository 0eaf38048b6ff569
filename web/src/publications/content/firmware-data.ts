import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { RunningFirmware } from '@lectern/contract/firmware/firmware.ts'
import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import type { WizardStore } from '../draft/wizard-store.ts'
import { chosenModels, getZone } from '../wizard-state.ts'

export interface FirmwareData {
  /** Versions that can be chosen, newest first; undefined until they are loaded, and where that failed. */
  versions: readonly string[] | undefined
  /** The latest of `versions`; undefined where there is none, and while `versions` is. */
  latest: string | undefined
  problem: string | null
  /** Versions that the model's readers in the zone run, newest first; undefined until they are loaded, and for several zones. */
  running: readonly RunningFirmware[] | undefined
  refresh: () => void
}

const nothing: FirmwareData = { versions: undefined, latest: undefined, problem: null, running: undefined, refresh: () => undefined }

/** Loads the versions of models whose firmware is enabled, and resolves "latest" once they are known (spec §4). */
export function useFirmwareData({ state, dispatch }: WizardStore) {
  const organizationId = useOrganization()
  const devices = chosenModels(state, 'firmware')
  const available = useQueries({ queries: devices.map((device) => q('listAvailableFirmware', { params: { device } })) })
  const running = useQueries({
    queries:
      state.configZone && !state.configZone.many
        ? devices.map((device) => q('listRunningFirmware', { params: { organizationId, location: getZone(state).id, device } }))
        : [],
  })
  const data = new Map(
    devices.map((device, index): [UpdateModel, FirmwareData] => {
      const query = available[index]
      const versions = query?.data?.map(({ version }) => version)
      const latest = query?.data?.find((one) => one.latest)?.version
      const problem = versions || !query?.error ? null : query.error.message || 'unknown error'
      return [device, { versions, latest, problem, running: running[index]?.data, refresh: () => void query?.refetch() }]
    }),
  )

  useEffect(() => {
    for (const device of devices) {
      const { versions, latest } = data.get(device) ?? nothing
      if (versions && state.devices[device]?.firmware?.choice.type === 'latest')
        dispatch({ type: 'firmware', device, action: { type: 'available', latest } })
    }
  })

  return {
    get: (device: UpdateModel): FirmwareData => data.get(device) ?? nothing,
    refresh: () => {
      for (const query of [...available, ...running]) void query.refetch()
    },
  }
}
