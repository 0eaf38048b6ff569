import { createHash, randomUUID } from 'node:crypto'
import { isClosedCfg } from '@lectern/contract/publications/cfg.ts'
import { pause } from '../../wakeup.ts'
import { type Reader, type ReaderContent, ReaderRefusal } from '../driver.ts'
import { firmwareIn } from './firmware.ts'
import { type FactoryReader, type Running, reported } from './fleet.ts'
import { appendReaderEvent, type ByHand, type Handover, readReaderLog } from './reader-log.ts'

/** What holds this text is refused by every simulated reader. */
export const refusalMarker = 'simulated-reader: refuse'
/** What holds this text is refused by every simulated reader the first time it is handed over. */
export const onceRefusalMarker = 'simulated-reader: refuse once'

/** A content as it comes to a simulated reader: its bytes follow. */
export type Announced = Omit<ReaderContent, 'open'>

/** What a reader runs that has taken something over, beside what it ran before. */
const takenOver = ({ firmware, contentHash, fileName }: Pick<Handover, 'firmware' | 'contentHash' | 'fileName'>): Partial<Running> =>
  firmware === undefined ? { configuration: { contentHash, fileName } } : { firmware }

/** Bytes of a content that a reader looks at; a firmware is longer. */
const looksAt = 8 * 1024 * 1024

/** One simulated reader: it takes a configuration or a firmware in full or not at all, one at a time, and keeps it in its log. */
export class SimulatedReader {
  readonly #factory: FactoryReader
  readonly #logFile: string
  readonly #applyMilliseconds: number
  #running: Running
  #inUse = false
  #turn: Promise<unknown> = Promise.resolve()

  /** @param applyMilliseconds how long taking something over lasts. */
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

  /** As it last told; does not wait for what it is doing. */
  state(): Reader {
    return { ...reported(this.#factory, this.#running, new Date()), inUse: this.#inUse }
  }

  /** As it is once what it is doing has ended. */
  async settled(): Promise<Reader> {
    await this.#turn
    return this.state()
  }

  /**
   * Takes the bytes as they come and changes over when all have come and the hash is right.
   * Throws `ReaderRefusal` with a reason; where `gone` aborts before the end, the reader keeps what it had.
   */
  apply(content: Announced, bytes: AsyncIterable<Uint8Array>, gone: AbortSignal): Promise<void> {
    const done = this.#turn.then(() => this.#apply(content, bytes, gone))
    this.#turn = done.catch(() => {})
    return done
  }

  /**
   * What somebody does who has the reader in their hand: scans a paper barcode, which changes a setting, resets its settings to how it was
   * delivered, or puts the firmware back on it that it was delivered with.
   */
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

  /** Somebody begins to work with it, or puts it down. */
  use(inUse: boolean): void {
    this.#inUse = inUse
  }

  async #apply(content: Announced, bytes: AsyncIterable<Uint8Array>, gone: AbortSignal): Promise<void> {
    if (gone.aborted) return
    const { publication, contentHash, fileName, kind, size } = content
    let arrived = 0
    const tell = (event: Handover['event'], more: Partial<Handover> = {}) =>
      appendReaderEvent(this.#logFile, { at: new Date().toISOString(), event, publication, contentHash, fileName, bytes: arrived, ...more })
    const isFirstTime = !readReaderLog(this.#logFile).some((line) => 'contentHash' in line && line.contentHash === contentHash)
    tell('begin')
    const head: Uint8Array[] = []
    const digest = createHash('sha256')
    try {
      for await (const chunk of bytes) {
        if (arrived < looksAt) head.push(chunk)
        digest.update(chunk)
        arrived += chunk.length
        await pause((this.#applyMilliseconds * chunk.length) / Math.max(size, 1), gone)
        if (gone.aborted) break
      }
    } catch {
      // The sender is gone: the same as an end before the size is reached.
    }
    if (gone.aborted || arrived < size) return tell('cut')
    const text = Buffer.concat(head).toString('latin1')
    const isWhole = digest.digest('hex') === contentHash
    const reason = isWhole ? this.#objection(text, kind, isFirstTime) : 'What was handed over arrived damaged at the reader.'
    if (reason) {
      tell('refused', { reason })
      throw new ReaderRefusal(reason)
    }
    const firmware = kind === 'firmware' ? { firmware: firmwareIn(text, content).version } : {}
    tell('complete', firmware)
    this.#runs(takenOver({ contentHash, fileName, ...firmware }))
  }

  /** Why the reader does not take a content, or null. */
  #objection(text: string, kind: ReaderContent['kind'], isFirstTime: boolean): string | null {
    const { deviceType, refuses } = this.#factory
    if (refuses) return 'The reader does not leave its locked mode.'
    if (kind === 'cfg' && !isClosedCfg(text)) return 'The reader does not understand the configuration: it is not closed.'
    const model = kind === 'firmware' ? firmwareIn(text, {}).model : null
    if (model !== null && model !== deviceType) return `The firmware is for ${model}, the reader is a ${deviceType}.`
    const what = kind === 'firmware' ? 'firmware' : 'configuration'
    if (text.includes(onceRefusalMarker) ? isFirstTime : text.includes(refusalMarker)) return `The reader refuses this ${what}.`
    return null
  }
}
