import type { OtherReader } from '@lectern/contract/devices/attached.ts'
import { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { Line } from '@lectern/contract/text/text.ts'
import { pause } from '../../wakeup.ts'
import { describeImpossible, Reader, type ReaderContent, ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import { hashConfiguration } from './command-dialect.ts'
import { type Dialect, type Identity, toWords, UnknownAnswer } from './dialect.ts'
import { ReaderLine } from './reader-line.ts'
import type { Timing } from './timing.ts'

/** Milliseconds since any instant, and a wait; tests have their own. */
export interface Clock {
  now(): number
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}
export const usualClock: Clock = { now: () => performance.now(), pause }

export interface PortOptions {
  baudRate: number
  timing: Timing
  clock: Clock
  dialects: readonly Dialect[]
}

/** One reader's port, which is asked one thing at a time. */
export class ReaderPort {
  readonly #path: string
  readonly #options: PortOptions
  #line: ReaderLine | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #lastRead: Reader | null = null
  #identity: Identity | null = null
  /** The one that answered last. */
  #dialect: Dialect | null = null
  #sent: { dialect: Dialect; at: number } | null = null
  #isApplying = false
  #restsUntil = Number.NEGATIVE_INFINITY

  constructor(path: string, options: PortOptions) {
    this.#path = path
    this.#options = options
  }

  /** A reader of a model that the portal knows. Null where the last attempt failed, or none was made. */
  get lastRead(): Reader | null {
    return this.#lastRead
  }

  /** A reader of another model. */
  get other(): OtherReader | null {
    if (!this.#identity || this.#lastRead) return null
    const { model, serialNumber, firmware } = this.#identity
    return {
      model: toLine(model),
      serialNumber: toLine(serialNumber),
      firmware: firmware === null ? null : toLine(firmware),
      dialect: this.#dialect!.name,
    }
  }

  get dialect(): Dialect | null {
    return this.#dialect
  }

  get isApplying(): boolean {
    return this.#isApplying
  }

  /** It is left alone for a while: nothing answered, or it babbled. One that is unplugged in between is asked when it is back. */
  get isResting(): boolean {
    return this.#options.clock.now() < this.#restsUntil && (this.#line?.isOpen === true || this.#line?.babbles === true)
  }

  /** Null for a reader of another model, and for a port that is left alone. Throws `ReaderUnreachable` where no reader responds. */
  read(signal: AbortSignal): Promise<Reader | null> {
    return this.#inTurn(async () => {
      // A look that waited for this one's end need not ask again.
      if (this.isResting) return null
      try {
        this.#identity = await this.#withLine((line) => this.#identify(line, signal))
        this.#lastRead = toReader(this.#identity, this.#dialect!, this.#line?.isInUse === true)
        this.#restsUntil = Number.NEGATIVE_INFINITY
        return this.#lastRead
      } catch (error) {
        const { clock, timing } = this.#options
        if (!signal.aborted && (this.#dialect === null || this.#line?.babbles)) this.#restsUntil = clock.now() + timing.rest
        this.#lastRead = null
        this.#identity = null
        this.#dialect = null
        throw error
      }
    })
  }

  /** Throws `ReaderRefusal` for what the dialect cannot give. */
  apply(serialNumber: string, content: ReaderContent, signal: AbortSignal, progress: (bytes: number) => void): Promise<void> {
    return this.#inTurn(async () => {
      this.#isApplying = true
      try {
        this.#identity = await this.#withLine((line) => this.#identify(line, signal))
        if (this.#identity.serialNumber !== serialNumber)
          throw new ReaderUnreachable(`The reader ${serialNumber} is no longer at ${this.#path}.`)
        const dialect = this.#dialect!
        if (!dialect.can.includes(content.kind)) throw new ReaderRefusal(describeImpossible(content.kind))
        const line = await this.#open()
        await line.exchange(signal, (wire) => dialect.apply(wire, content, progress))
      } finally {
        this.#isApplying = false
      }
    })
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#line?.close()
      this.#line = null
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  async #open(): Promise<ReaderLine> {
    const { baudRate, timing } = this.#options
    if (!this.#line?.isOpen) this.#line = await ReaderLine.open(this.#path, baudRate, timing)
    return this.#line
  }

  /** Tries `work` again where only it shows that the port was unplugged and is back. */
  async #withLine<T>(work: (line: ReaderLine) => Promise<T>): Promise<T> {
    const wasOpen = this.#line?.isOpen
    try {
      return await work(await this.#open())
    } catch (error) {
      if (!wasOpen || this.#line?.isOpen || this.#line?.babbles) throw error
      return await work(await this.#open())
    }
  }

  /** Asks in the dialect that answered last, else in each in turn. */
  async #identify(line: ReaderLine, signal: AbortSignal): Promise<Identity> {
    const { dialects } = this.#options
    let unknown: UnknownAnswer | null = null
    for (const dialect of this.#dialect ? [this.#dialect] : dialects) {
      try {
        const identity = await this.#ask(line, dialect, signal)
        if (identity) {
          this.#dialect = dialect
          return identity
        }
      } catch (error) {
        if (!(error instanceof UnknownAnswer)) throw error
        unknown ??= error
      }
    }
    if (unknown) throw new ReaderUnreachable(`What is at ${this.#path} is no reader that is known.`, { cause: unknown })
    throw new ReaderUnreachable(`No reader responds at ${this.#path}.`)
  }

  /** A reader may still be busy with what another dialect sent. */
  async #ask(line: ReaderLine, dialect: Dialect, signal: AbortSignal): Promise<Identity | null> {
    const { clock, timing } = this.#options
    if (this.#sent && this.#sent.dialect !== dialect) {
      const wait = timing.betweenDialects - (clock.now() - this.#sent.at)
      if (wait > 0) await clock.pause(wait, signal)
    }
    try {
      return await line.exchange(signal, (wire) => dialect.identify(wire, this.#identity))
    } finally {
      this.#sent = { dialect, at: clock.now() }
    }
  }
}

/** Null for a model that the portal does not know. */
function toReader({ model, serialNumber, firmware, battery, configuration }: Identity, { can }: Dialect, inUse: boolean): Reader | null {
  if (!DeviceModel.safeParse(model).success) return null
  const reader = Reader.safeParse({
    deviceType: model,
    serialNumber,
    firmware,
    batteryHealth: battery,
    warrantyUntil: null,
    configuration: configuration && { contentHash: hashConfiguration(configuration), fileName: null },
    can: [...can],
    inUse,
  })
  return reader.data ?? null
}

const mostCharacters = 64

/** A reader may say anything: what cannot be shown on one line is left out. */
const toLine = (text: string): string => Line(mostCharacters).safeParse(toWords(text, mostCharacters)).data ?? 'nothing that can be shown'
