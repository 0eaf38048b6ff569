import type { Devices, WizardState } from '../wizard.ts'
import type { CustomFirmware } from './choices.ts'

/** A wizard's state as it is kept: in place of each firmware file its id. */
export type KeptState = Omit<WizardState, 'devices'> & { devices: Devices; files: Partial<Record<string, string>> }

/** A file's id, for as long as the page lives; one that was read back has the id it was kept under. */
const ids = new WeakMap<Blob, string>()

function getFileId(file: Blob): string {
  const id = ids.get(file) ?? crypto.randomUUID()
  ids.set(file, id)
  return id
}

/** A state to keep, and the firmware files that stand beside it, by their ids. */
export function keptState(state: WizardState): { kept: KeptState; files: Map<string, Blob> } {
  const files = new Map<string, Blob>()
  const named: KeptState['files'] = {}
  const devices = withFirmware(state.devices, (device, custom) => {
    if (custom.data === null) return custom
    const id = getFileId(custom.data)
    files.set(id, custom.data)
    named[device] = id
    return { ...custom, data: null }
  })
  return { kept: { ...state, devices, files: named }, files }
}

/** The ids of the files that belong to a kept state. */
export const keptFiles = ({ files }: KeptState): string[] => Object.values(files) as string[]

/** The state that was kept. A file that is no longer there is as if none had been chosen. */
export function restoredState({ files, ...state }: KeptState, fileOf: (id: string) => Blob | undefined): WizardState {
  const devices = withFirmware(state.devices, (device, custom) => {
    const id = files[device]
    const data = (id !== undefined && fileOf(id)) || null
    if (data && id) ids.set(data, id)
    return data ? { ...custom, data } : { ...custom, data: null, fileName: null }
  })
  return { ...state, devices }
}

/** The same models with each custom firmware exchanged. */
function withFirmware(devices: Devices, exchange: (device: string, custom: CustomFirmware) => CustomFirmware): Devices {
  const exchanged = Object.entries(devices).map(([device, state]) => {
    const { firmware } = state
    if (firmware?.choice.type !== 'custom') return [device, state]
    return [device, { ...state, firmware: { ...firmware, choice: exchange(device, firmware.choice) } }]
  })
  return Object.fromEntries(exchanged)
}
