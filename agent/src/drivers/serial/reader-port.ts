import { createHash } from 'node:crypto'
import { ReportedDevice } from '@lectern/contract/hosts.ts'
import * as z from 'zod/mini'
import { type Reader, type ReaderContent, ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import { type Answer, announcement, asks, changeOver, nameFrom, run, type Timing } from './dialect.ts'
import { ReaderLine } from './reader-line.ts'
import { BrokenOff, NoAnswer } from './xmodem.ts'

const SeenReader = z.extend(ReportedDevice, { inUse: z.boolean() })

const valueIn = (answer: Answer | undefined): string => (answer && 'value' in answer ? answer.value : '')

/** A serial port, there or not, and the reader that hangs on it: one call at a time. */
export class Place {
  readonly #path: string
  readonly #baudRate: number
  readonly #timing: Timing
  #line: ReaderLine | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #told: Reader | null = null
  #isApplying = false
  #hasAnswered = false
  #silentSince = 0

  constructor(path: string, baudRate: number, timing: Timing) {
    this.#path = path
    this.#baudRate = baudRate
    this.#timing = timing
  }

  /** The reader as it last told; null where none has, or the last attempt to speak to it failed. */
  get told(): Reader | null {
    return this.#told
  }

  /** A reader is being given something here, so it does not answer anything else. */
  get isApplying(): boolean {
    return this.#isApplying
  }

  /** No reader has answered at this port, a moment ago neither. */
  get isStranger(): boolean {
    return !this.#hasAnswered && this.#line?.isOpen === true && Date.now() - this.#silentSince < this.#timing.stranger
  }

  /** The reader as it is once what it is doing has ended. Throws `ReaderUnreachable`. */
  read(signal: AbortSignal): Promise<Reader> {
    return this.#inTurn(async () => {
      try {
        this.#told = await this.#speak((line) => this.#read(line, signal))
        this.#hasAnswered = true
        return this.#told
      } catch (error) {
        this.#told = null
        this.#silentSince = Date.now()
        throw error
      }
    })
  }

  /** Hands a content to the reader; resolved once it runs a configuration, or should be starting anew with a firmware. */
  apply(serialNumber: string, content: ReaderContent, signal: AbortSignal, progress: (bytes: number) => void): Promise<void> {
    return this.#inTurn(async () => {
      this.#isApplying = true
      try {
        await this.#apply(await this.#lineTo(serialNumber, signal), content, signal, progress)
      } finally {
        this.#isApplying = false
      }
    })
  }

  /** Ends when the reader says that it runs a content. Throws `ReaderRefusal` where it says no. */
  confirm(content: ReaderContent, signal: AbortSignal): Promise<void> {
    const { changeOver: within } = this.#timing
    return this.#inTurn(async () => refuseOn(await this.#speak((line) => line.ask([run(content)], signal, { within }))))
  }

  /** Lets go of the port once the call that is going on has ended. */
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
    if (!this.#line?.isOpen) this.#line = await ReaderLine.open(this.#path, this.#baudRate, this.#timing)
    return this.#line
  }

  /** Speaks over the line, once more where only then it shows that the port had gone and come back since it was opened. */
  async #speak<T>(work: (line: ReaderLine) => Promise<T>): Promise<T> {
    const opened = this.#line?.isOpen
    try {
      return await work(await this.#open())
    } catch (error) {
      if (!opened || this.#line?.isOpen) throw error
      return await work(await this.#open())
    }
  }

  async #lineTo(serialNumber: string, signal: AbortSignal): Promise<ReaderLine> {
    const [told] = await this.#speak((line) => line.ask([asks.serialNumber], signal))
    if (valueIn(told) === serialNumber) return this.#open()
    // Somebody has put another reader in its place.
    throw new ReaderUnreachable(`The reader ${serialNumber} no longer hangs on ${this.#path}.`)
  }

  async #read(line: ReaderLine, signal: AbortSignal): Promise<Reader> {
    const answers = await line.ask([asks.model, asks.serialNumber, asks.firmware, asks.battery, asks.script], signal)
    const [deviceType, serialNumber, firmware, battery, script] = answers.map(valueIn)
    const told = {
      deviceType,
      serialNumber,
      firmware: firmware || null,
      batteryHealth: /^\d+$/.test(battery ?? '') ? Number(battery) : null,
      warrantyUntil: null,
      configuration: scriptIn(script) ?? (await this.#settings(line, signal)),
      inUse: line.isInUse,
    }
    const reader = SeenReader.safeParse(told)
    if (reader.success) return reader.data
    throw new ReaderUnreachable(
      `What hangs on ${this.#path} is no reader that the portal knows: model "${deviceType}", serial number "${serialNumber}".`,
    )
  }

  /** What a reader runs that has no script: its settings, told apart by what it prints. */
  async #settings(line: ReaderLine, signal: AbortSignal): Promise<Reader['configuration']> {
    const [printed] = await line.ask([asks.configuration], signal)
    const text = valueIn(printed)
    return text === '' ? null : { contentHash: createHash('sha256').update(text, 'latin1').digest('hex'), fileName: null }
  }

  async #apply(line: ReaderLine, content: ReaderContent, signal: AbortSignal, progress: (bytes: number) => void): Promise<void> {
    refuseOn(await line.ask([announcement(content)], signal, { beforeFile: true }))
    try {
      await line.send(content.open(), signal, progress)
    } catch (error) {
      if (error instanceof NoAnswer) throw new ReaderUnreachable(`The reader at ${this.#path} has stopped answering: ${error.message}`)
      // Why it broke off is what it answers when it is told to change over.
      if (!(error instanceof BrokenOff)) throw error
    }
    try {
      refuseOn(await line.ask(changeOver(content), signal, { within: this.#timing.changeOver }))
    } catch (error) {
      // A reader that starts anew may be gone before its answer has come.
      if (content.kind !== 'firmware' || !(error instanceof ReaderUnreachable)) throw error
    }
  }
}

function refuseOn(answers: Answer[]): void {
  for (const answer of answers) if ('refusal' in answer) throw new ReaderRefusal(answer.refusal)
}

/** `wristband-v8.js` of `9f86… wristband-v8.js`; null where there is no script. */
function scriptIn(text: string | undefined): Reader['configuration'] {
  const [, contentHash, fileName] = /^([0-9a-f]{64}) (.+)$/s.exec(text ?? '') ?? []
  return contentHash && fileName ? { contentHash, fileName: nameFrom(fileName) } : null
}
