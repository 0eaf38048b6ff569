import { closeSync, constants, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadStream } from 'node:tty'
import * as terminals from '@lydell/node-pty'

/** Whether this platform has pairs of terminals whose one end is a path that a program can open as its serial port. */
export const hasPseudoTerminals = process.platform === 'linux' || process.platform === 'darwin'

interface Pair {
  master: ReadStream
  slave: ReadStream
  ptsName: string
}
/** In the library, not in its declarations. */
const { open } = terminals as unknown as { open: (options: { encoding: null }) => Pair }

/** A socket for a cable: its path stays the same while what is plugged into it comes and goes, each time as another terminal. */
export class Socket {
  readonly #folder = mkdtempSync(join(tmpdir(), 'lectern-port-'))
  readonly path = join(this.#folder, 'port')
  #plugged: { master: ReadStream; held: number } | null = null

  /** Plugs something in that hears what is written to the port. */
  plugIn(hear: (bytes: Buffer) => void): void {
    const { master, slave, ptsName } = open({ encoding: null })
    // Held, so that the master is not cut off while no program has the port open; the library's own end would read what is meant for the program.
    this.#plugged = { master, held: openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY) }
    slave.destroy()
    master.on('data', hear)
    master.on('error', () => {})
    symlinkSync(ptsName, this.path)
  }

  write(bytes: Uint8Array): void {
    this.#plugged?.master.write(bytes)
  }

  /** The port disappears. */
  unplug(): void {
    rmSync(this.path, { force: true })
    if (this.#plugged) closeSync(this.#plugged.held)
    this.#plugged?.master.destroy()
    this.#plugged = null
  }

  /** Takes the socket away for good. */
  remove(): void {
    this.unplug()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
