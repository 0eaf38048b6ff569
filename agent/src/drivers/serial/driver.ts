import { type Attached, mostOthers, mostPorts } from '@lectern/contract/devices/attached.ts'
import { Line } from '@lectern/contract/text/text.ts'
import { SerialPort } from 'serialport'
import { FaultLog } from '../../fault-log.ts'
import type { Log } from '../../log.ts'
import { sentence } from '../../sentence.ts'
import { type Driver, type Reader, type ReaderContent, ReaderUnreachable } from '../driver.ts'
import { CommandDialect } from './command-dialect.ts'
import { type Dialect, UnknownAnswer } from './dialect.ts'
import { type DialectFile, shippedDialect } from './dialect-file.ts'
import { PacketDialect } from './packet-dialect.ts'
import { type Clock, ReaderPort, usualClock } from './reader-port.ts'
import { type Timing, usualTiming } from './timing.ts'
import { bootloaderId, listOtherInterfaces, type UsbReader, vendorId } from './usb-devices.ts'

export interface SerialOptions {
  ports: () => Promise<readonly string[]>
  baudRate: number
  log: Log
  timing?: Partial<Timing>
  clock?: Clock
  dialectFile?: DialectFile
  /** The vendor's readers that are no serial ports; absent where this PC's list of USB devices is not read. */
  others?: () => Promise<readonly UsbReader[]>
}

type PortInfo = { path: string; vendorId?: string | undefined; productId?: string | undefined }

/** Other USB devices must not receive bytes that are not meant for them (SER-02). */
export const isReaderPort = ({ vendorId: vendor, productId }: PortInfo): boolean =>
  vendor?.toLowerCase() === vendorId && productId?.toLowerCase() !== bootloaderId

/** Throws `ReaderUnreachable`. */
export async function usbPorts(): Promise<string[]> {
  try {
    return (await SerialPort.list()).filter(isReaderPort).map(({ path }) => path)
  } catch (error) {
    throw new ReaderUnreachable(`The serial ports of this PC cannot be listed. Name them with --port. ${sentence(error)}`)
  }
}

/** The seven models come first. Each port has its own, as they remember their reader. */
export const makeDialects = (file: DialectFile, timing: Timing): Dialect[] => [new CommandDialect(file, timing), new PacketDialect(timing)]

/** Keeps ports open, so that scans are noticed. */
export class SerialDriver implements Driver {
  readonly name = 'serial'
  readonly #options: SerialOptions
  readonly #timing: Timing
  readonly #clock: Clock
  readonly #dialects: readonly Dialect[]
  readonly #ports = new Map<string, ReaderPort>()
  readonly #faults = new Map<string, FaultLog>()
  /** Of the last look, so that each is logged once while its reader is there. */
  #usbLines = new Set<string>()
  readonly #closing = new AbortController()
  #attached: Attached = { others: [], ports: [], dialects: [] }

  constructor(options: SerialOptions) {
    const { log, timing, clock } = options
    this.#options = options
    this.#timing = { ...usualTiming, ...timing }
    this.#clock = clock ?? usualClock
    this.#dialects = this.#makeDialects()
    for (const { name, commands } of this.#dialects)
      for (const { sends, meaning, source, evidence } of commands)
        log.info(`The dialect "${name}" may send ${sends}: ${meaning}. ${source} (${evidence}).`)
    if (!options.others) log.info('The list of USB devices of this PC is not read: readers in keyboard mode are not found.')
  }

  async list(signal: AbortSignal): Promise<Reader[]> {
    return this.#list(this.#untilClosed(signal))
  }

  async read(serialNumber: string, signal: AbortSignal): Promise<Reader> {
    const over = this.#untilClosed(signal)
    const reader = await (await this.#find(serialNumber, over)).read(over)
    if (reader?.serialNumber === serialNumber) return reader
    throw new ReaderUnreachable(`Another reader is where ${serialNumber} was.`)
  }

  async apply(
    serialNumber: string,
    content: ReaderContent,
    signal: AbortSignal,
    progress: (bytes: number) => void = () => {},
  ): Promise<void> {
    const over = this.#untilClosed(signal)
    await (await this.#find(serialNumber, over)).apply(serialNumber, content, over, progress)
  }

  attached(): Attached {
    return this.#attached
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#ports.values()].map((port) => port.close()))
  }

  #makeDialects(): Dialect[] {
    return makeDialects(this.#options.dialectFile ?? shippedDialect, this.#timing)
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
    await this.#describe(paths)
    return [...readers.values()]
  }

  async #readAt(path: string, signal: AbortSignal): Promise<Reader | null> {
    const port = this.#portAt(path)
    if (port.isApplying || port.isResting) return port.lastRead
    try {
      const reader = await port.read(signal)
      if (!port.isResting) this.#faults.get(path)?.end()
      return reader
    } catch (error) {
      if (!(error instanceof ReaderUnreachable)) throw error
      const detail = error.cause instanceof UnknownAnswer ? ` ${error.cause.message}` : ''
      if (!signal.aborted) this.#faultsAt(path).begin(error.message, detail)
      return null
    }
  }

  #portAt(path: string): ReaderPort {
    const { baudRate } = this.#options
    const port =
      this.#ports.get(path) ?? new ReaderPort(path, { baudRate, timing: this.#timing, clock: this.#clock, dialects: this.#makeDialects() })
    this.#ports.set(path, port)
    return port
  }

  /** What `status` and the portal show of the ports. */
  async #describe(paths: readonly string[]): Promise<void> {
    const others = [...new Map(this.#listOthers().map((other) => [other.serialNumber, other])).values()]
    const ports = paths.map((path) => ({ path, says: this.#describePort(path) }))
    const usb = (await this.#options.others?.()) ?? []
    const lines = new Set(usb.map(({ path, says }) => `${path}: ${says}`))
    for (const line of lines) if (!this.#usbLines.has(line)) this.#options.log.warn(line)
    this.#usbLines = lines
    this.#attached = {
      others: others.slice(0, mostOthers),
      ports: [...ports, ...usb].slice(0, mostPorts).map(({ path, says }) => ({ path: toLine(path, 255), says: toLine(says, 500) })),
      dialects: this.#dialects.map(({ name, can, commands }) => ({ name, can: [...can], commands: [...commands] })),
    }
  }

  #listOthers() {
    return [...this.#ports.values()].flatMap(({ other }) => other ?? [])
  }

  #describePort(path: string): string {
    const port = this.#portAt(path)
    const { lastRead, other, dialect } = port
    if (lastRead) return `${lastRead.deviceType} ${lastRead.serialNumber}, dialect "${dialect?.name}".`
    if (other) return `Another model, "${other.model}" ${other.serialNumber}, dialect "${other.dialect}".`
    return this.#faults.get(path)?.reason ?? 'Not asked yet.'
  }

  #faultsAt(path: string): FaultLog {
    const sentences = { begins: (reason: string) => reason, ends: `${path}: the reader responds again.` }
    const faults = this.#faults.get(path) ?? new FaultLog(this.#options.log, sentences)
    this.#faults.set(path, faults)
    return faults
  }

  #portWith(serialNumber: string): ReaderPort | undefined {
    return [...this.#ports.values()].find(
      ({ lastRead, other }) => lastRead?.serialNumber === serialNumber || other?.serialNumber === serialNumber,
    )
  }

  async #find(serialNumber: string, signal: AbortSignal): Promise<ReaderPort> {
    if (!this.#portWith(serialNumber)) await this.#list(signal)
    const port = this.#portWith(serialNumber)
    if (!port) throw new ReaderUnreachable(`The reader ${serialNumber} is not attached.`)
    return port
  }
}

/** A line that the server takes, whatever a system's message has in it. */
function toLine(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .slice(0, most)
  return Line(most).safeParse(line).data ?? 'not shown'
}

export const listUsbReaders = process.platform === 'linux' ? () => listOtherInterfaces() : undefined
