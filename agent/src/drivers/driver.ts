import type { ReportedDevice } from '@lectern/contract/hosts.ts'

/** A reader as it is seen now. */
export interface Reader extends ReportedDevice {
  /** Somebody is working with it, so it must not be disturbed. */
  readonly inUse: boolean
}

/** What a reader shall take over. */
export interface ReaderContent {
  /** For the reader's own log, where it keeps one. */
  readonly publication: string
  readonly kind: 'cfg' | 'file' | 'firmware'
  /** Of a firmware, where it is known. */
  readonly version: string | null
  /** SHA-256 of the bytes, which have been verified. */
  readonly contentHash: string
  /** Null for a golden-standard CFG. */
  readonly fileName: string | null
  /** Bytes. */
  readonly size: number
  /** The bytes from the first on; can be asked for again. */
  open(): AsyncIterable<Uint8Array>
}

/**
 * The readers of this host, however they are attached. One call at a time a reader; different readers at the same time.
 * A driver throws `ReaderRefusal` when the reader itself says no, and `ReaderUnreachable` when it cannot be spoken to.
 */
export interface Driver {
  /** All readers that are attached now, as they last told. */
  list(signal: AbortSignal): Promise<Reader[]>
  /** One reader as it is at this moment: what it was doing before has ended, for better or worse. */
  read(serialNumber: string, signal: AbortSignal): Promise<Reader>
  /**
   * Hands a configuration or a firmware to a reader; resolved means that the reader runs it and keeps it through a power cut.
   * A reader that is cut off half-way keeps what it had.
   * @param progress told the bytes handed over so far.
   */
  apply(serialNumber: string, content: ReaderContent, signal: AbortSignal, progress?: (bytes: number) => void): Promise<void>
  /** Lets go of the readers; they go on without the agent. */
  close(): Promise<void>
}

/** The reader has answered no, with its reason. */
export class ReaderRefusal extends Error {}

/** The reader, or what it hangs on, does not answer. */
export class ReaderUnreachable extends Error {}
