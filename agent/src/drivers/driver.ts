import { ReportedDevice } from '@lectern/contract/hosts.ts'
import * as z from 'zod/mini'

/** `inUse`: a user works with it, so it is not updated now. */
export const Reader = z.extend(ReportedDevice, { inUse: z.boolean() })
export type Reader = z.infer<typeof Reader>

export interface ReaderContent {
  readonly publication: string
  readonly kind: 'cfg' | 'file' | 'commands' | 'firmware'
  /** Of firmware; null: not known. */
  readonly version: string | null
  /** SHA-256, verified. */
  readonly contentHash: string
  readonly fileName: string | null
  /** Bytes. */
  readonly size: number
  /** From the first byte, each time. */
  open(): AsyncIterable<Uint8Array>
}

/** One call at a time per reader. Throws `ReaderRefusal` or `ReaderUnreachable`. */
export interface Driver {
  /** As `--driver` has it. */
  readonly name: string
  list(signal: AbortSignal): Promise<Reader[]>
  /** Waits until the reader is free. */
  read(serialNumber: string, signal: AbortSignal): Promise<Reader>
  /**
   * Resolves when the reader keeps the content through a power cut. A reader that is cut off keeps what it had; of `commands`, a line each, it may
   * have carried out some.
   * @param progress receives the bytes so far.
   */
  apply(serialNumber: string, content: ReaderContent, signal: AbortSignal, progress?: (bytes: number) => void): Promise<void>
  close(): Promise<void>
}

/** The message is the reader's reason. */
export class ReaderRefusal extends Error {}

export class ReaderUnreachable extends Error {}
