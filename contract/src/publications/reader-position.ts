import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { type Admitted, positionCount } from './phases.ts'

// Returns a reader's position in a rollout, from the first four bytes of a SHA-256. The database's `reader_position` computes the same.
export function readerPosition(rollout: string, serialNumber: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = sha256(utf8ToBytes(`${rollout} ${serialNumber}`))
  return (((a * 256 + b) * 256 + c) * 256 + d) % positionCount
}

/** Whether a reader may begin. `admitted`: null where all may. */
export const isAdmitted = (admitted: Admitted | null, serialNumber: string): boolean =>
  admitted === null || readerPosition(admitted.rollout, serialNumber) < admitted.end
