import type { DialectCommand } from '@lectern/contract/devices/attached.ts'
import type { StoredKind } from '@lectern/contract/publications/content-kind.ts'
import type { ReaderContent } from '../driver.ts'
import type { Wire } from './reader-line.ts'

/** In the reader's own words, which may be anything. `configuration`: what it prints of it; null where it prints none. */
export interface Identity {
  model: string
  serialNumber: string
  firmware: string | null
  battery: number | null
  configuration: Uint8Array | null
}

/** A language that readers speak. What no source documents, it does not send. */
export interface Dialect {
  readonly name: string
  /** All that it can send, with where it is documented. */
  readonly commands: readonly DialectCommand[]
  /** What it can give a reader. */
  readonly can: readonly StoredKind[]
  /**
   * Null where nothing responds in time. Throws `UnknownAnswer` for another response than a published one.
   * @param last what it was the last time, which needs no second look
   */
  identify(wire: Wire, last: Identity | null): Promise<Identity | null>
  /** For a kind in `can`. Throws `ReaderRefusal` and `ReaderUnreachable`. */
  apply(wire: Wire, content: ReaderContent, progress: (bytes: number) => void): Promise<void>
}

export class UnknownAnswer extends Error {
  constructor(bytes: Uint8Array) {
    super(`It responds with something that is not published: ${escapeBytes(bytes)}`)
  }
}

const mostShown = 200

/** Printable ASCII as it is, any other byte as `\hh`; cut after 200 bytes. */
export function escapeBytes(bytes: Uint8Array): string {
  const show = (byte: number) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x5c ? String.fromCharCode(byte) : `\\${byte.toString(16).padStart(2, '0')}`
  const rest = bytes.length - mostShown
  return `"${Array.from(bytes.subarray(0, mostShown), show).join('')}"${rest > 0 ? ` and ${rest} more bytes` : ''}`
}

/** What a device says of itself, which may be anything, as at most so many characters of ASCII. */
export const toWords = (text: string, most: number): string =>
  text
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, most)
