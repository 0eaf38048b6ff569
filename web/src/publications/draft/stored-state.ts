import type { CustomFirmware } from '../content/choices.ts'
import type { Devices, WizardState } from '../wizard-state.ts'

/** A state whose firmware files are stored apart. `files`: their ids, by model. */
export interface StoredState extends Omit<WizardState, 'devices'> {
  devices: Devices
  files: Partial<Record<string, string>>
}

// The ids of files, as long as the page is open. A restored file has the id that it was stored with.
const ids = new WeakMap<Blob, string>()

function getFileId(file: Blob): string {
  const id = ids.get(file) ?? crypto.randomUUID()
  ids.set(file, id)
  return id
}

/** Returns what to store: the state, and its firmware files by id. */
export function toStored(state: WizardState): { stored: StoredState; files: Map<string, Blob> } {
  const files = new Map<string, Blob>()
  const named: StoredState['files'] = {}
  const devices = withFirmware(state.devices, (device, custom) => {
    if (custom.data === null) return custom
    const id = getFileId(custom.data)
    files.set(id, custom.data)
    named[device] = id
    return { ...custom, data: null }
  })
  return { stored: { ...state, devices, files: named }, files }
}

export const listFiles = ({ files }: StoredState): string[] => Object.values(files) as string[]

/** Returns a state with its files. A file that is missing counts as not chosen. */
export function fromStored({ files, ...state }: StoredState, fileOf: (id: string) => Blob | undefined): WizardState {
  const devices = withFirmware(state.devices, (device, custom) => {
    const id = files[device]
    const data = (id !== undefined && fileOf(id)) || null
    if (data && id) ids.set(data, id)
    return data ? { ...custom, data } : { ...custom, data: null, fileName: null }
  })
  return { ...state, devices }
}

function withFirmware(devices: Devices, exchange: (device: string, custom: CustomFirmware) => CustomFirmware): Devices {
  const exchanged = Object.entries(devices).map(([device, state]) => {
    const { firmware } = state
    if (firmware?.choice.type !== 'custom') return [device, state]
    return [device, { ...state, firmware: { ...firmware, choice: exchange(device, firmware.choice) } }]
  })
  return Object.fromEntries(exchanged)
}
