import { SerialPort } from 'serialport'
import { sentence } from '../../sentence.ts'
import { Bell } from '../../wakeup.ts'
import { ReaderUnreachable } from '../driver.ts'
import { ByteQueue } from './byte-queue.ts'
import { type Answer, newToken, questionOf, readAnswer, type Timing } from './dialect.ts'
import { Envelopes } from './envelopes.ts'
import { breakOff, sendXmodem } from './xmodem.ts'

/** How often a question is asked at most, where nothing else is said. */
const usualTries = 3
const isPrintable = (byte: number) => byte >= 0x20

interface Waiting {
  readonly token: string
  readonly beforeFile: boolean
  readonly heard: Bell
  until: number
  answers: Answer[] | null
}

/** An open serial port and what is said over it: one question, or one file, at a time. */
export class ReaderLine {
  readonly #port: SerialPort
  readonly #timing: Timing
  readonly #envelopes = new Envelopes()
  /** What comes while a file is sent. */
  readonly #replies = new ByteQueue()
  readonly #gone = new AbortController()
  #waiting: Waiting | null = null
  #isSending = false
  #scannedAt = 0

  private constructor(port: SerialPort, timing: Timing) {
    this.#port = port
    this.#timing = timing
    port.on('data', (bytes: Buffer) => {
      for (const byte of bytes) this.#hear(byte)
    })
    port.on('close', () => this.#gone.abort())
    port.on('error', () => void this.close())
  }

  /** Opens a port. Throws `ReaderUnreachable`. */
  static open(path: string, baudRate: number, timing: Timing): Promise<ReaderLine> {
    return new Promise((resolve, reject) => {
      const port = new SerialPort({ path, baudRate, autoOpen: false })
      const line = new ReaderLine(port, timing)
      port.open((error) => {
        if (error) reject(new ReaderUnreachable(`The port ${path} cannot be opened: ${sentence(error)}`))
        else resolve(line)
      })
    })
  }

  /** False once the port has disappeared or was closed. */
  get isOpen(): boolean {
    return !this.#gone.signal.aborted
  }

  /** Somebody has scanned something a moment ago. */
  get isInUse(): boolean {
    return Date.now() - this.#scannedAt < this.#timing.use
  }

  /**
   * Asks the reader, again and again while it is silent. What is asked may come to it more than once. Throws `ReaderUnreachable`.
   * @param within milliseconds in which the reader should answer.
   * @param beforeFile what comes after the answer is for the transfer of a file.
   */
  async ask(
    commands: readonly string[],
    signal: AbortSignal,
    { within = usualTries * this.#timing.answer, beforeFile = false } = {},
  ): Promise<Answer[]> {
    const token = newToken()
    const question = questionOf(token, commands)
    const waiting: Waiting = { token, beforeFile, heard: new Bell(), until: 0, answers: null }
    const over = AbortSignal.any([signal, this.#gone.signal])
    const end = Date.now() + within
    this.#waiting = waiting
    try {
      for (let isFirst = true; !over.aborted && (isFirst || Date.now() < end); isFirst = false) {
        // It may still wait for a file whose sender was killed.
        if (!isFirst) await this.write(breakOff)
        await this.write(question)
        waiting.until = Date.now() + this.#timing.answer
        while (!waiting.answers && !over.aborted && Date.now() < waiting.until) await waiting.heard.wait(waiting.until - Date.now(), over)
        if (waiting.answers) return this.#complete(waiting.answers, commands)
      }
    } finally {
      this.#waiting = null
    }
    throw new ReaderUnreachable(`No reader answers at ${this.#port.path}.`)
  }

  #complete(answers: Answer[], commands: readonly string[]): Answer[] {
    if (answers.length === commands.length) return answers
    this.#isSending = false
    throw new ReaderUnreachable(`The reader at ${this.#port.path} answers ${answers.length} of ${commands.length} commands.`)
  }

  /** Sends a file after a question with `beforeFile`. Throws what `sendXmodem` throws, and `ReaderUnreachable` when the line is gone or `signal` aborts. */
  async send(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal, progress: (bytes: number) => void): Promise<void> {
    const over = AbortSignal.any([signal, this.#gone.signal])
    const next = async (milliseconds: number) => {
      const byte = await this.#replies.next(milliseconds, over)
      if (over.aborted) throw new ReaderUnreachable(`The transfer at ${this.#port.path} was cut off.`)
      return byte
    }
    const wire = { write: (block: Uint8Array) => this.write(block), clear: () => this.#replies.clear(), next }
    try {
      await sendXmodem(wire, bytes, { silence: this.#timing.block, progress })
    } catch (error) {
      if (this.isOpen) await this.write(breakOff).catch(() => {})
      throw error
    } finally {
      this.#isSending = false
    }
  }

  /** A port that takes nothing is closed, so that no call waits for it for ever. */
  async write(bytes: Uint8Array): Promise<void> {
    const gone = new ReaderUnreachable(`The port ${this.#port.path} is gone.`)
    if (!this.isOpen) throw gone
    const stalled = setTimeout(() => this.close(), this.#timing.block)
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(gone)
      this.#gone.signal.addEventListener('abort', fail)
      this.#port.write(Buffer.from(bytes), (error) => {
        // The port knows of an error before it says that it is closed.
        if (error) void this.close()
        this.#gone.signal.removeEventListener('abort', fail)
        resolve()
      })
    }).finally(() => clearTimeout(stalled))
  }

  /** Lets go of the port. */
  close(): Promise<void> {
    this.#gone.abort()
    return new Promise((resolve) => {
      if (this.#port.isOpen) this.#port.close(() => resolve())
      else resolve()
    })
  }

  #hear(byte: number): void {
    if (this.#isSending) {
      this.#replies.push(byte)
      return
    }
    const found = this.#envelopes.take(byte)
    if (found === 'outside') {
      if (isPrintable(byte)) this.#scannedAt = Date.now()
      return
    }
    const waiting = this.#waiting
    if (!waiting) return
    waiting.until = Date.now() + this.#timing.answer
    if (found === 'inside' || waiting.answers) return
    waiting.answers = readAnswer(found, waiting.token)
    if (!waiting.answers) return
    this.#replies.clear()
    this.#isSending = waiting.beforeFile && waiting.answers.every((answer) => 'value' in answer)
    waiting.heard.ring()
  }
}
