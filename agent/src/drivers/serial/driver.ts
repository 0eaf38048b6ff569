import { SerialPort } from 'serialport'
import { FaultLog } from '../../fault-log.ts'
import type { Log } from '../../log.ts'
import { sentence } from '../../sentence.ts'
import { pause } from '../../wakeup.ts'
import { type Driver, type Reader, type ReaderContent, ReaderUnreachable } from '../driver.ts'
import { type Timing, usualTiming } from './dialect.ts'
import { ReaderPort } from './reader-port.ts'

export interface SerialOptions {
  ports: () => Promise<readonly string[]>
  baudRate: number
  log: Log
  timing?: Partial<Timing>
}

const betweenLooks = 300

/** Lists USB ports only, as others may be anything. Throws `ReaderUnreachable`. */
export async function usbPorts(): Promise<string[]> {
  try {
    return (await SerialPort.list()).filter(({ vendorId }) => vendorId !== undefined).map(({ path }) => path)
  } catch (error) {
    throw new ReaderUnreachable(`The serial ports of this PC cannot be listed. Name them with --port. ${sentence(error)}`)
  }
}

/** Keeps ports open, so that scans are noticed. */
export class SerialDriver implements Driver {
  readonly name = 'serial'
  readonly #options: SerialOptions
  readonly #timing: Timing
  readonly #ports = new Map<string, ReaderPort>()
  readonly #faults = new Map<string, FaultLog>()
  readonly #closing = new AbortController()

  constructor(options: SerialOptions) {
    this.#options = options
    this.#timing = { ...usualTiming, ...options.timing }
  }

  async list(signal: AbortSignal): Promise<Reader[]> {
    return this.#list(this.#untilClosed(signal))
  }

  async read(serialNumber: string, signal: AbortSignal): Promise<Reader> {
    const over = this.#untilClosed(signal)
    const reader = await (await this.#find(serialNumber, over)).read(over)
    if (reader.serialNumber === serialNumber) return reader
    throw new ReaderUnreachable(`Reader ${reader.serialNumber} is where ${serialNumber} was.`)
  }

  async apply(
    serialNumber: string,
    content: ReaderContent,
    signal: AbortSignal,
    progress: (bytes: number) => void = () => {},
  ): Promise<void> {
    const over = this.#untilClosed(signal)
    await (await this.#find(serialNumber, over)).apply(serialNumber, content, over, progress)
    if (content.kind !== 'firmware') return
    await this.#waitForRestart(serialNumber, over)
    await (await this.#find(serialNumber, over)).confirm(content, over)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#ports.values()].map((port) => port.close()))
  }

  #untilClosed(signal: AbortSignal): AbortSignal {
    if (this.#closing.signal.aborted) throw new ReaderUnreachable('The serial ports are closed.')
    return AbortSignal.any([signal, this.#closing.signal])
  }

  async #list(signal: AbortSignal): Promise<Reader[]> {
    const paths = await this.#options.ports()
    for (const [path, port] of this.#ports) {
      if (paths.includes(path) || port.isApplying) continue
      this.#ports.delete(path)
      await port.close()
    }
    const readers = new Map<string, Reader>()
    for (const reader of await Promise.all(paths.map((path) => this.#readAt(path, signal)))) {
      // A reader may be on two ports.
      const same = reader && readers.get(reader.serialNumber)
      if (reader) readers.set(reader.serialNumber, { ...reader, inUse: reader.inUse || same?.inUse === true })
    }
    return [...readers.values()]
  }

  async #readAt(path: string, signal: AbortSignal): Promise<Reader | null> {
    const port = this.#ports.get(path) ?? new ReaderPort(path, this.#options.baudRate, this.#timing)
    this.#ports.set(path, port)
    if (port.isApplying || port.isSilent) return port.lastRead
    try {
      const reader = await port.read(signal)
      this.#faults.get(path)?.end()
      return reader
    } catch (error) {
      if (!(error instanceof ReaderUnreachable)) throw error
      if (!signal.aborted) this.#faultsAt(path).begin(error.message)
      return null
    }
  }

  #faultsAt(path: string): FaultLog {
    const sentences = { begins: (reason: string) => reason, ends: `${path}: the reader responds again.` }
    const faults = this.#faults.get(path) ?? new FaultLog(this.#options.log, sentences)
    this.#faults.set(path, faults)
    return faults
  }

  #portWith(serialNumber: string): ReaderPort | undefined {
    return [...this.#ports.values()].find(({ lastRead }) => lastRead?.serialNumber === serialNumber)
  }

  async #find(serialNumber: string, signal: AbortSignal): Promise<ReaderPort> {
    if (!this.#portWith(serialNumber)) await this.#list(signal)
    const port = this.#portWith(serialNumber)
    if (!port) throw new ReaderUnreachable(`The reader ${serialNumber} is not attached.`)
    return port
  }

  async #waitForRestart(serialNumber: string, signal: AbortSignal): Promise<void> {
    const end = performance.now() + this.#timing.reboot
    while (!(await this.#list(signal)).some((reader) => reader.serialNumber === serialNumber)) {
      if (signal.aborted || performance.now() > end) throw new ReaderUnreachable(`The reader ${serialNumber} has not come up again.`)
      await pause(betweenLooks, signal)
    }
  }
}
