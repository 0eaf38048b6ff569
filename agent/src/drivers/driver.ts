import type { Attached } from '@lectern/contract/devices/attached.ts'
import { ReportedDevice } from '@lectern/contract/hosts.ts'
import type { StoredKind } from '@lectern/contract/publications/content-kind.ts'
import * as z from 'zod/mini'

/** `inUse`: a user works with it, so it is not updated now. */
export const Reader = z.extend(ReportedDevice, { inUse: z.boolean() })
export type Reader = z.infer<typeof Reader>

export interface ReaderContent {
  readonly publication: string
  readonly kind: StoredKind
  /** The firmware's version; null where it is not known. */
  readonly version: string | null
  /** SHA-256, verified. */
  readonly contentHash: string
  readonly fileName: string | null
  /** Bytes. */
  readonly size: number
  /** Opens the content from its first byte, at each call. */
  open(): AsyncIterable<Uint8Array>
}

/** One call at a time per reader. Throws `ReaderRefusal` or `ReaderUnreachable`. */
export interface Driver {
  /** The name in `--driver`. */
  readonly name: string
  list(signal: AbortSignal): Promise<Reader[]>
  /** Waits until the reader is free. */
  read(serialNumber: string, signal: AbortSignal): Promise<Reader>
  /**
   * Resolves once the reader would keep the content through a power cut. A reader that is cut off keeps what it had; of `commands`, one per
   * line, it may have carried out some.
   * @param progress called with the number of bytes so far
   */
  apply(serialNumber: string, content: ReaderContent, signal: AbortSignal, progress?: (bytes: number) => void): Promise<void>
  /** As of the last `list`; absent where the driver has nothing to say of ports. */
  attached?(): Attached
  close(): Promise<void>
}

/** False where none of the reader's published commands gives it such a content. */
export const canTake = ({ can }: Reader, kind: StoredKind): boolean => can?.includes(kind) !== false

/** The reason of an outcome with the code `notPossible`. */
export function describeImpossible(kind: StoredKind): string {
  const words = { cfg: 'a CFG', file: 'a script', commands: 'commands', firmware: 'firmware' }
  return `It is not possible with this reader's published commands: none gives it ${words[kind]}.`
}

/** The message is the reader's reason. */
export class ReaderRefusal extends Error {}

export class ReaderUnreachable extends Error {}
