import type { RunningFirmware } from '@lectern/contract/firmware/firmware.ts'
import { compareVersions, isNewerVersion } from '@lectern/contract/firmware/versions.ts'
import type { CustomFirmware, DeviceFirmware } from './choices.ts'

export type FirmwareAction =
  | { type: 'available'; latest: string | undefined }
  /** `version`: '' for a custom file. */
  | { type: 'pick'; version: string }
  | { type: 'file'; file: File }
  | { type: 'clear' }

const customWithoutFile: CustomFirmware = { type: 'custom', data: null, fileName: null }

export function reduceFirmware(choice: DeviceFirmware, action: FirmwareAction): DeviceFirmware {
  switch (action.type) {
    case 'available': {
      if (choice.type !== 'latest') return choice
      // Without a release only a custom file can be chosen.
      return action.latest === undefined ? customWithoutFile : { type: 'versioned', version: action.latest }
    }
    case 'pick':
      return action.version === '' ? customWithoutFile : { type: 'versioned', version: action.version }
    case 'file':
      return { type: 'custom', data: action.file, fileName: action.file.name }
    case 'clear':
      return customWithoutFile
  }
}

/**
 * Says why the choice cannot be published; null where it can. `versions`: the versions that can be chosen; absent where they are not known.
 */
export function firmwareProblem(choice: DeviceFirmware, versions?: readonly string[]): string | null {
  if (choice.type === 'custom' && choice.data === null) return 'Choose a firmware file first.'
  if (choice.type === 'versioned' && versions && !versions.includes(choice.version))
    return `Firmware ${choice.version} was withdrawn. Choose another version.`
  return null
}

/** Returns the chosen file; null where none is. */
export const toFirmwareFile = ({ data, fileName }: CustomFirmware): File | null =>
  data === null || fileName === null ? null : new File([data], fileName, { lastModified: 0 })

/** Finds readers that run a newer version than `version`: the newest one, and how many readers they are; null where none does. */
export function findDowngrade(version: string, running: readonly RunningFirmware[]): { from: string; readers: number } | null {
  const newer = running.filter((each) => isNewerVersion(each.version, version))
  const from = newer
    .map((each) => each.version)
    .toSorted(compareVersions)
    .at(-1)
  return from === undefined ? null : { from, readers: newer.reduce((sum, { count }) => sum + count, 0) }
}
