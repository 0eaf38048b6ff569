import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** What makes a simulated fleet; the same options make the same fleet. */
export interface FleetOptions {
  readers: number
  seed: number
  /** How long a reader takes to change over, in milliseconds. */
  applyMilliseconds: number
  /** How many of all readers refuse every configuration, 0 to 1. */
  failShare: number
}

/** The longest path a Unix socket can have on every system, in bytes. */
const longestSocketPath = 103

/** Where the readers of a folder listen: in the folder, or under a short name in the temporary folder where that path is too long. */
export function readersSocket(folder: string, platform = process.platform): string {
  const path = join(resolve(folder), 'socket')
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16)
  if (platform === 'win32') return `\\\\.\\pipe\\lectern-readers-${hash}`
  return Buffer.byteLength(path) <= longestSocketPath ? path : join(tmpdir(), `lectern-${hash}.sock`)
}
