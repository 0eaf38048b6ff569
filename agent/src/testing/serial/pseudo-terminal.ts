import { closeSync, constants, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadStream } from 'node:tty'
import * as terminals from '@lydell/node-pty'

export const hasPseudoTerminals = process.platform === 'linux' || process.platform === 'darwin'

interface Pair {
  master: ReadStream
  slave: ReadStream
  ptsName: string
}
/** The library has it, its declarations do not. */
const { open } = terminals as unknown as { open: (options: { encoding: null }) => Pair }

/** A port whose path stays the same when a reader is unplugged and plugged in again, each time as another terminal. */
export class Socket {
  readonly #folder = mkdtempSync(join(tmpdir(), 'lectern-port-'))
  readonly path = join(this.#folder, 'port')
  #plugged: { master: ReadStream; held: number } | null = null

  plugIn(receive: (bytes: Buffer) => void): void {
    const { master, slave, ptsName } = open({ encoding: null })
    // Held open, so that the master is not cut off while no program has the port open. The library's own end would read the program's
    // bytes.
    this.#plugged = { master, held: openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY) }
    slave.destroy()
    master.on('data', receive)
    master.on('error', () => {})
    symlinkSync(ptsName, this.path)
  }

  write(bytes: Uint8Array): void {
    this.#plugged?.master.write(bytes)
  }

  unplug(): void {
    rmSync(this.path, { force: true })
    if (this.#plugged) closeSync(this.#plugged.held)
    this.#plugged?.master.destroy()
    this.#plugged = null
  }

  remove(): void {
    this.unplug()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
