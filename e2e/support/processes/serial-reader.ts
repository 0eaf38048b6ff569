import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../agent/src/testing/serial/reader-process.ts', import.meta.url))

/** Whether this platform has virtual serial ports. */
export const hasPseudoTerminals = process.platform === 'linux' || process.platform === 'darwin'

/** An emulated reader on a serial port, in a process of its own. */
export interface SerialReader {
  port: string
  /** What it was sent so far, by its own report. */
  printed(): string
  remove(): Promise<void>
}

/** A CR2700; with `--packets` one of the older generation. */
export async function startSerialReader(serialNumber: string, ...more: string[]): Promise<SerialReader> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-reader-'))
  const child = spawn(process.execPath, [program, join(folder, 'memory.json'), '--serial-number', serialNumber, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  while (!printed.includes('\n')) await once(child.stdout, 'data')
  return {
    port: / is at (.+)/.exec(printed)![1]!,
    printed: () => printed,
    async remove() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}
