import type { RunningFirmware } from '@lectern/contract/firmware/firmware.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { CustomFirmware, DeviceFirmware } from '../draft/choices.ts'

export type FirmwareAction =
  | { type: 'available'; versions: readonly string[] }
  /** Empty for a custom file. */
  | { type: 'pick'; version: string }
  | { type: 'file'; file: File }
  | { type: 'clear' }

const customWithoutFile: CustomFirmware = { type: 'custom', data: null, fileName: null }

export function reduceFirmware(choice: DeviceFirmware, action: FirmwareAction): DeviceFirmware {
  switch (action.type) {
    case 'available': {
      if (choice.type !== 'latest') return choice
      const version = findLatest(action.versions)
      // Without a release only a custom file is left.
      return version === undefined ? customWithoutFile : { type: 'versioned', version }
    }
    case 'pick':
      return action.version === '' ? customWithoutFile : { type: 'versioned', version: action.version }
    case 'file':
      return { type: 'custom', data: action.file, fileName: action.file.name }
    case 'clear':
      return customWithoutFile
  }
}

export const findLatest = (versions: readonly string[]): string | undefined => versions.toSorted(newestFirst)[0]

export const newestFirst = (one: string, other: string): number => {
  const [a, b] = [versionOrder(one), versionOrder(other)]
  return a === b ? 0 : a < b ? 1 : -1
}

/**
 * `versions` are those that can be chosen, where they are known.
 * @returns null when the choice can be published
 */
export function firmwareProblem(choice: DeviceFirmware, versions?: readonly string[]): string | null {
  if (choice.type === 'custom' && choice.data === null) return 'Choose a firmware file first.'
  if (choice.type === 'versioned' && versions && !versions.includes(choice.version))
    return `Firmware ${choice.version} was withdrawn. Choose another version.`
  return null
}

/** Null where no file was chosen. */
export const toFirmwareFile = ({ data, fileName }: CustomFirmware): File | null =>
  data === null || fileName === null ? null : new File([data], fileName, { lastModified: 0 })

/** The newest version that readers run now and how many run a newer one than `version`; null where none does. */
export function findDowngrade(version: string, running: readonly RunningFirmware[]): { from: string; readers: number } | null {
  const newer = running.filter((each) => versionOrder(each.version) > versionOrder(version))
  const from = findLatest(newer.map((each) => each.version))
  return from === undefined ? null : { from, readers: newer.reduce((sum, { count }) => sum + count, 0) }
}
