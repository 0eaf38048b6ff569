import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { Reader } from '../drivers/driver.ts'
import type { Assignment } from '../state/assignment.ts'
import type { ReaderBefore } from '../state/in-progress.ts'

export const isSameVersion = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && versionOrder(a) === versionOrder(b)

/** Always false for firmware without a version: only `hasChangedOver` can tell. */
export function isRunning({ firmware, configuration }: Reader, { kind, version, contentHash, fileName }: Assignment): boolean {
  if (kind === 'firmware') return version !== null && isSameVersion(firmware, version)
  return configuration?.contentHash === contentHash && configuration.fileName === fileName
}

/** After a kill: whether the reader took the update and must be verified. */
export const hasChangedOver = (reader: Reader, { kind }: Assignment, before: ReaderBefore): boolean =>
  before.trouble !== null || (kind === 'firmware' && reader.firmware !== before.firmware)

/** What is wrong with a reader after an update; null for nothing. */
export function findTrouble({ firmware, configuration }: Reader, { kind, version, contentHash }: Assignment): string | null {
  if (kind !== 'firmware')
    return configuration?.contentHash === contentHash ? null : 'The reader does not run the configuration it was given.'
  if (version === null ? firmware !== null : isSameVersion(firmware, version)) return null
  return `The reader reports ${firmware ? `firmware ${firmware}` : 'no firmware'} after the update${version === null ? '' : ` to ${version}`}.`
}
