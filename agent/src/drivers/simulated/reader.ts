import { createHash, randomUUID } from 'node:crypto'
import { commandProblem, parseCommandLines } from '@lectern/contract/barcode/commands.ts'
import { isClosedCfg } from '@lectern/contract/publications/cfg.ts'
import { pause } from '../../wakeup.ts'
import { type Reader, type ReaderContent, ReaderRefusal } from '../driver.ts'
import { type FactoryReader, type Running, toReport } from './fleet.ts'
import { appendReaderEvent, type ByHand, type Handover, readerLogFile, readReaderLog } from './reader-log.ts'

export const refusalMarker = 'simulated-reader: refuse'
export const onceRefusalMarker = 'simulated-reader: refuse once'
export const unwellMarker = 'simulated-reader: not well'

const firmwareLine = /^simulated firmware (\S+) (\S+)$/m

/** Reads `simulated firmware CR2700 4.13.0`; other texts are the announced version, else `own-` and the hash. */
export function parseFirmware(
  text: string,
  announced: { version?: string | null; contentHash?: string },
): { model: string | null; version: string | null } {
  const [, model = null, version = null] = firmwareLine.exec(text) ?? []
  if (text.includes(unwellMarker)) return { model, version: null }
  return { model, version: version ?? announced.version ?? `own-${announced.contentHash?.slice(0, 8)}` }
}

export const simulatedFirmware = (model: string, version: string, rest = ''): string => `simulated firmware ${model} ${version}\n${rest}`

export type Announced = Omit<ReaderContent, 'open'>

const takenOver = ({ firmware, contentHash, fileName }: Pick<Handover, 'firmware' | 'contentHash' | 'fileName'>): Partial<Running> =>
  firmware === undefined ? { configuration: { contentHash, fileName } } : { firmware }

const lookedAt = 8 * 1024 * 1024

export class SimulatedReader {
  readonly #factory: FactoryReader
  readonly #logFile: string
  readonly #applyMilliseconds: number
  #running: Running
  #inUse = false
  #turn: Promise<unknown> = Promise.resolve()

  constructor(factory: FactoryReader, logFile: string, applyMilliseconds: number) {
    this.#factory = factory
    this.#logFile = logFile
    this.#applyMilliseconds = applyMilliseconds
    this.#running = { firmware: factory.firmware, configuration: factory.configuration }
    for (const line of readReaderLog(logFile)) {
      if ('configuration' in line) this.#runs({ configuration: line.configuration })
      else if (line.event === 'flash') this.#runs({ firmware: line.firmware ?? null })
      else if (line.event === 'complete') this.#runs(takenOver(line))
    }
  }

  #runs(changed: Partial<Running>): void {
    this.#running = { ...this.#running, ...changed }
  }

  state(): Reader {
    return { ...toReport(this.#factory, this.#running, new Date()), inUse: this.#inUse }
  }

  async settled(): Promise<Reader> {
    await this.#turn
    return this.state()
  }

  /** Throws `ReaderRefusal`. If `gone` aborts, the reader keeps what it had. */
  apply(content: Announced, bytes: AsyncIterable<Uint8Array>, gone: AbortSignal): Promise<void> {
    const done = this.#turn.then(() => this.#apply(content, bytes, gone))
    this.#turn = done.catch(() => {})
    return done
  }

  /** `reset`: back to the factory's settings. `flash`: back to its firmware. */
  async changeByHand(event: ByHand['event']): Promise<void> {
    const turn = this.#turn.then(() => {
      const at = new Date().toISOString()
      if (event === 'flash') {
        const { firmware } = this.#factory
        appendReaderEvent(this.#logFile, { at, event, firmware })
        this.#runs({ firmware })
        return
      }
      const paper = { contentHash: createHash('sha256').update(`paper barcode ${randomUUID()}`).digest('hex'), fileName: null }
      const configuration = event === 'scan' ? paper : this.#factory.configuration
      appendReaderEvent(this.#logFile, { at, event, configuration })
      this.#runs({ configuration })
    })
    this.#turn = turn.catch(() => {})
    await turn
  }

  use(inUse: boolean): void {
    this.#inUse = inUse
  }

  async #apply(content: Announced, bytes: AsyncIterable<Uint8Array>, gone: AbortSignal): Promise<void> {
    if (gone.aborted) return
    const { publication, contentHash, fileName, kind, size } = content
    let arrived = 0
    const append = (event: Handover['event'], more: Partial<Handover> = {}) =>
      appendReaderEvent(this.#logFile, { at: new Date().toISOString(), event, publication, contentHash, fileName, bytes: arrived, ...more })
    const isFirstTime = !readReaderLog(this.#logFile).some((line) => 'contentHash' in line && line.contentHash === contentHash)
    append('begin')
    const head: Uint8Array[] = []
    const digest = createHash('sha256')
    try {
      for await (const chunk of bytes) {
        if (arrived < lookedAt) head.push(chunk)
        digest.update(chunk)
        arrived += chunk.length
        await pause((this.#applyMilliseconds * chunk.length) / Math.max(size, 1), gone)
        if (gone.aborted) break
      }
    } catch {
      // Broken off: `arrived` stays below the size.
    }
    if (gone.aborted || arrived < size) return append('cut')
    const text = Buffer.concat(head).toString('latin1')
    const isWhole = digest.digest('hex') === contentHash
    const reason = isWhole ? this.#objection(text, kind, isFirstTime) : 'The content arrived damaged at the reader.'
    if (reason) {
      append('refused', { reason })
      throw new ReaderRefusal(reason)
    }
    const firmware = kind === 'firmware' ? { firmware: parseFirmware(text, content).version } : {}
    append('complete', kind === 'commands' ? { commands: parseCommandLines(text) } : firmware)
    this.#runs(takenOver({ contentHash, fileName, ...firmware }))
  }

  #objection(text: string, kind: ReaderContent['kind'], isFirstTime: boolean): string | null {
    const { deviceType, refuses } = this.#factory
    if (refuses) return 'The reader does not leave its locked mode.'
    if (kind === 'cfg' && !isClosedCfg(text)) return 'The reader does not understand the configuration: it is not closed.'
    const strange = kind === 'commands' && parseCommandLines(text).find((command) => commandProblem(command) !== null)
    if (strange) return `The reader does not know the command ${strange.slice(0, 60)}.`
    const model = kind === 'firmware' ? parseFirmware(text, {}).model : null
    if (model !== null && model !== deviceType) return `The firmware is for ${model}, the reader is a ${deviceType}.`
    const what = kind === 'firmware' ? 'firmware' : 'configuration'
    if (text.includes(onceRefusalMarker) ? isFirstTime : text.includes(refusalMarker)) return `The reader refuses this ${what}.`
    return null
  }
}

/** Readers by serial number. Their logs are in `folder`. */
export const createReaders = (folder: string, fleet: readonly FactoryReader[], applyMilliseconds: number) =>
  new Map(
    fleet.map((reader) => [
      reader.serialNumber,
      new SimulatedReader(reader, readerLogFile(folder, reader.serialNumber), applyMilliseconds),
    ]),
  )
