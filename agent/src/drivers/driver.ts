import { ReportedDevice } from '@lectern/contract/hosts.ts'
import * as z from 'zod/mini'

/** `inUse`: a user works with it, so it must not be updated now. */
export const Reader = z.extend(ReportedDevice, { inUse: z.boolean() })
export type Reader = z.infer<typeof Reader>

export interface ReaderContent {
  readonly publication: string
  readonly kind: 'cfg' | 'file' | 'firmware'
  /** Of firmware; null where it is not known. */
  readonly version: string | null
  /** SHA-256; the bytes are verified. */
  readonly contentHash: string
  readonly fileName: string | null
  /** Bytes. */
  readonly size: number
  /** The bytes from the first on; may be called again. */
  open(): AsyncIterable<Uint8Array>
}

/** The readers of this PC. One call at a time per reader. Throws `ReaderRefusal` or `ReaderUnreachable`. */
export interface Driver {
  list(signal: AbortSignal): Promise<Reader[]>
  /** Waits for what the reader does now, then reads it. */
  read(serialNumber: string, signal: AbortSignal): Promise<Reader>
  /**
   * Resolves when the reader runs the content and keeps it through a power cut. A reader that is cut off keeps what it had.
   * @param progress receives the bytes handed over so far.
   */
  apply(serialNumber: string, content: ReaderContent, signal: AbortSignal, progress?: (bytes: number) => void): Promise<void>
  close(): Promise<void>
}

/** The reader says no. The message is its reason. */
export class ReaderRefusal extends Error {}

/** The reader, or the port that it is attached to, does not answer. */
export class ReaderUnreachable extends Error {}
