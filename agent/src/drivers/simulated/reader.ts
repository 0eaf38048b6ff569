import { createHash, randomUUID } from 'node:crypto'
import { isClosedCfg } from '@lectern/contract/cfg.ts'
import type { ReportedConfiguration, ReportedDevice } from '@lectern/contract/hosts.ts'
import { pause } from '../../bell.ts'
import { type ReaderContent, ReaderRefusal } from '../driver.ts'
import { type FactoryReader, reported } from './fleet.ts'
import { appendReaderEvent, type ByHand, type Handover, readReaderLog } from './reader-log.ts'

/** A configuration that holds this text is refused by every simulated reader. */
export const refusalMarker = 'simulated-reader: refuse'
/** A configuration that holds this text is refused by every simulated reader the first time it is handed over. */
export const onceRefusalMarker = 'simulated-reader: refuse once'

/** One simulated reader: it takes a configuration in full or not at all, one at a time, and keeps it in its log. */
export class SimulatedReader {
  readonly #factory: FactoryReader
  readonly #logFile: string
  readonly #applyMilliseconds: number
  #configuration: ReportedConfiguration | null
  #turn: Promise<unknown> = Promise.resolve()

  /** @param applyMilliseconds how long taking over a configuration lasts. */
  constructor(factory: FactoryReader, logFile: string, applyMilliseconds: number) {
    this.#factory = factory
    this.#logFile = logFile
    this.#applyMilliseconds = applyMilliseconds
    this.#configuration = readReaderLog(logFile).reduce<ReportedConfiguration | null>((before, line) => {
      if ('configuration' in line) return line.configuration
      return line.event === 'complete' ? { contentHash: line.contentHash, fileName: line.fileName } : before
    }, factory.configuration)
  }

  /** As it last told; does not wait for what it is doing. */
  state(): ReportedDevice {
    return reported(this.#factory, this.#configuration, new Date())
  }

  /** As it is once what it is doing has ended. */
  async settled(): Promise<ReportedDevice> {
    await this.#turn
    return this.state()
  }

  /**
   * Takes the bytes as they come and changes over when all have come and the hash is right.
   * Throws `ReaderRefusal` with a reason; where `gone` aborts before the end, the reader keeps what it had.
   */
  apply(content: Omit<ReaderContent, 'bytes'> & { size: number }, bytes: AsyncIterable<Uint8Array>, gone: AbortSignal): Promise<void> {
    const done = this.#turn.then(() => this.#apply(content, bytes, gone))
    this.#turn = done.catch(() => {})
    return done
  }

  /** What somebody does who has the reader in their hand: scans a paper barcode, which changes a setting, or resets it to how it was delivered. */
  async changeByHand(event: ByHand['event']): Promise<void> {
    const turn = this.#turn.then(() => {
      const paper = { contentHash: createHash('sha256').update(`paper barcode ${randomUUID()}`).digest('hex'), fileName: null }
      const configuration = event === 'scan' ? paper : this.#factory.configuration
      appendReaderEvent(this.#logFile, { at: new Date().toISOString(), event, configuration })
      this.#configuration = configuration
    })
    this.#turn = turn.catch(() => {})
    await turn
  }

  async #apply(
    { publication, contentHash, fileName, kind, size }: Omit<ReaderContent, 'bytes'> & { size: number },
    bytes: AsyncIterable<Uint8Array>,
    gone: AbortSignal,
  ): Promise<void> {
    if (gone.aborted) return
    let arrived = 0
    const tell = (event: Handover['event'], reason?: string) =>
      appendReaderEvent(this.#logFile, {
        at: new Date().toISOString(),
        event,
        publication,
        contentHash,
        fileName,
        bytes: arrived,
        ...(reason !== undefined && { reason }),
      })
    const isFirstTime = !readReaderLog(this.#logFile).some((line) => 'contentHash' in line && line.contentHash === contentHash)
    tell('begin')
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of bytes) {
        chunks.push(chunk)
        arrived += chunk.length
        await pause((this.#applyMilliseconds * chunk.length) / Math.max(size, 1), gone)
        if (gone.aborted) break
      }
    } catch {
      // The sender is gone: the same as an end before the size is reached.
    }
    if (gone.aborted || arrived < size) return tell('cut')
    const reason = this.#objection(Buffer.concat(chunks), contentHash, kind, isFirstTime)
    if (reason) {
      tell('refused', reason)
      throw new ReaderRefusal(reason)
    }
    tell('complete')
    this.#configuration = { contentHash, fileName }
  }

  /** Why the reader does not take a content, or null. */
  #objection(content: Buffer, contentHash: string, kind: ReaderContent['kind'], isFirstTime: boolean): string | null {
    const text = content.toString('utf8')
    if (createHash('sha256').update(content).digest('hex') !== contentHash) return 'The configuration arrived damaged at the reader.'
    if (this.#factory.refuses) return 'The reader does not leave its locked mode.'
    if (kind === 'cfg' && !isClosedCfg(text)) return 'The reader does not understand the configuration: it is not closed.'
    if (text.includes(onceRefusalMarker) ? isFirstTime : text.includes(refusalMarker)) return 'The reader refuses this configuration.'
    return null
  }
}
