import { createHash } from 'node:crypto'
import { parseCommandLines } from '@lectern/contract/barcode/commands.ts'
import { Reader, type ReaderContent, ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import { type Answer, announce, changeOver, decodeName, listQuestions, queries, run, save, type Timing } from './dialect.ts'
import { ReaderLine } from './reader-line.ts'
import { BrokenOff, NoAnswer } from './xmodem.ts'

const valueIn = (answer: Answer | undefined): string => (answer && 'value' in answer ? answer.value : '')

export class ReaderPort {
  readonly #path: string
  readonly #baudRate: number
  readonly #timing: Timing
  #line: ReaderLine | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #lastRead: Reader | null = null
  #isApplying = false
  #hasAnswered = false
  #silentSince = 0

  constructor(path: string, baudRate: number, timing: Timing) {
    this.#path = path
    this.#baudRate = baudRate
    this.#timing = timing
  }

  /** Null where the last attempt failed, or none was made. */
  get lastRead(): Reader | null {
    return this.#lastRead
  }

  get isApplying(): boolean {
    return this.#isApplying
  }

  /** Whether no reader has ever answered here, and the last attempt was a short time ago. */
  get isSilent(): boolean {
    return !this.#hasAnswered && this.#line?.isOpen === true && performance.now() - this.#silentSince < this.#timing.silentPort
  }

  read(signal: AbortSignal): Promise<Reader> {
    return this.#inTurn(async () => {
      try {
        this.#lastRead = await this.#withLine((line) => this.#read(line, signal))
        this.#hasAnswered = true
        return this.#lastRead
      } catch (error) {
        this.#lastRead = null
        this.#silentSince = performance.now()
        throw error
      }
    })
  }

  /** Resolves when the reader runs it or, with firmware, restarts. */
  apply(serialNumber: string, content: ReaderContent, signal: AbortSignal, progress: (bytes: number) => void): Promise<void> {
    return this.#inTurn(async () => {
      this.#isApplying = true
      try {
        const line = await this.#openFor(serialNumber, signal)
        if (content.kind === 'commands') await this.#applyCommands(line, content, signal, progress)
        else await this.#apply(line, content, signal, progress)
      } finally {
        this.#isApplying = false
      }
    })
  }

  confirm(content: ReaderContent, signal: AbortSignal): Promise<void> {
    const { changeOver: within } = this.#timing
    return this.#inTurn(async () => throwRefusal(await this.#withLine((line) => line.ask([run(content)], signal, { within }))))
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
    if (!this.#line?.isOpen) this.#line = await ReaderLine.open(this.#path, this.#baudRate, this.#timing)
    return this.#line
  }

  /** Tries `work` again where only it shows that the port was unplugged and is back. */
  async #withLine<T>(work: (line: ReaderLine) => Promise<T>): Promise<T> {
    const wasOpen = this.#line?.isOpen
    try {
      return await work(await this.#open())
    } catch (error) {
      if (!wasOpen || this.#line?.isOpen) throw error
      return await work(await this.#open())
    }
  }

  async #openFor(serialNumber: string, signal: AbortSignal): Promise<ReaderLine> {
    const [answer] = await this.#withLine((line) => line.ask([queries.serialNumber], signal))
    if (valueIn(answer) === serialNumber) return this.#open()
    throw new ReaderUnreachable(`The reader ${serialNumber} is no longer at ${this.#path}.`)
  }

  async #read(line: ReaderLine, signal: AbortSignal): Promise<Reader> {
    const answers = await line.ask([queries.model, queries.serialNumber, queries.firmware, queries.battery, queries.script], signal)
    const [deviceType, serialNumber, firmware, battery, script] = answers.map(valueIn)
    const reader = Reader.safeParse({
      deviceType,
      serialNumber,
      firmware: firmware || null,
      batteryHealth: /^\d+$/.test(battery ?? '') ? Number(battery) : null,
      warrantyUntil: null,
      configuration: parseScript(script) ?? (await this.#readSettings(line, signal)),
      inUse: line.isInUse,
    })
    if (reader.success) return reader.data
    throw new ReaderUnreachable(
      `The portal does not know the device at ${this.#path}: model "${deviceType}", serial number "${serialNumber}".`,
    )
  }

  /** The hash is over the settings as the reader prints them. */
  async #readSettings(line: ReaderLine, signal: AbortSignal): Promise<Reader['configuration']> {
    const [printed] = await line.ask([queries.configuration], signal)
    const text = valueIn(printed)
    return text === '' ? null : { contentHash: createHash('sha256').update(text, 'latin1').digest('hex'), fileName: null }
  }

  /**
   * Sends commands one by one, so that a refusal names its command. Then it asks the reader for what it has set; what the reader does not
   * report is taken as set.
   */
  async #applyCommands(line: ReaderLine, content: ReaderContent, signal: AbortSignal, progress: (bytes: number) => void): Promise<void> {
    const within = { within: this.#timing.changeOver }
    const chunks: Uint8Array[] = []
    for await (const chunk of content.open()) chunks.push(chunk)
    const commands = parseCommandLines(Buffer.concat(chunks).toString('utf8'))
    let sent = 0
    for (const command of commands) {
      const [answer] = await line.ask([command], signal, within)
      if (answer && 'refusal' in answer) throw new ReaderRefusal(`The reader refuses the command ${shown(command)}: ${answer.refusal}`)
      sent += command.length + 1
      progress(sent)
    }
    for (const { query, value } of listQuestions(commands)) {
      const has = valueIn((await line.ask([query], signal))[0])
      if (has !== '' && has !== value)
        throw new ReaderRefusal(`The reader took ${shown(query.replace(/G(..)$/, 'S$1') + value)}, but has ${shown(has)}.`)
    }
    throwRefusal(await line.ask([save], signal, within))
  }

  async #apply(line: ReaderLine, content: ReaderContent, signal: AbortSignal, progress: (bytes: number) => void): Promise<void> {
    throwRefusal(await line.ask([announce(content)], signal, { beforeFile: true }))
    try {
      await line.send(content.open(), signal, progress)
    } catch (error) {
      if (error instanceof NoAnswer) throw new ReaderUnreachable(`The reader at ${this.#path} stops answering: ${error.message}`)
      // A reader gives its reason at the command to change over.
      if (!(error instanceof BrokenOff)) throw error
    }
    try {
      throwRefusal(await line.ask(changeOver(content), signal, { within: this.#timing.changeOver }))
    } catch (error) {
      // A reader may restart before its answer arrives.
      if (content.kind !== 'firmware' || !(error instanceof ReaderUnreachable)) throw error
    }
  }
}

const shown = (command: string): string => (command.length > 60 ? `${command.slice(0, 60)}…` : command)

function throwRefusal(answers: Answer[]): void {
  for (const answer of answers) if ('refusal' in answer) throw new ReaderRefusal(answer.refusal)
}

/** Reads `9f86… wristband-v8.js`; null for no script. */
function parseScript(text: string | undefined): Reader['configuration'] {
  const [, contentHash, fileName] = /^([0-9a-f]{64}) (.+)$/s.exec(text ?? '') ?? []
  return contentHash && fileName ? { contentHash, fileName: decodeName(fileName) } : null
}
