import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface FleetOptions {
  readers: number
  seed: number
  applyMilliseconds: number
  /** 0 to 1. */
  failShare: number
}

const longestSocketPath = 103

export function readersSocket(folder: string, platform = process.platform): string {
  const path = join(resolve(folder), 'socket')
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16)
  if (platform === 'win32') return `\\\\.\\pipe\\lectern-readers-${hash}`
  return Buffer.byteLength(path) <= longestSocketPath ? path : join(tmpdir(), `lectern-${hash}.sock`)
}
