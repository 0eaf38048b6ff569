import { SerialPort } from 'serialport'
import { sentence } from '../../sentence.ts'
import { Wakeup } from '../../wakeup.ts'
import { ReaderUnreachable } from '../driver.ts'
import { ByteQueue } from './byte-queue.ts'
import { type Answer, decodeAnswers, encodeQuestion, newToken, type Timing } from './dialect.ts'
import { Envelopes } from './envelopes.ts'
import { breakOff, sendXmodem } from './xmodem.ts'

const usualTries = 3
const isPrintable = (byte: number) => byte >= 0x20

interface Question {
  readonly token: string
  readonly beforeFile: boolean
  readonly answered: Wakeup
  until: number
  answers: Answer[] | null
}

export class ReaderLine {
  readonly #port: SerialPort
  readonly #timing: Timing
  readonly #envelopes = new Envelopes()
  readonly #replies = new ByteQueue()
  readonly #gone = new AbortController()
  #question: Question | null = null
  #isSending = false
  #scannedAt = 0

  private constructor(port: SerialPort, timing: Timing) {
    this.#port = port
    this.#timing = timing
    port.on('data', (bytes: Buffer) => {
      for (const byte of bytes) this.#receive(byte)
    })
    port.on('close', () => this.#gone.abort())
    port.on('error', () => void this.close())
  }

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

  get isOpen(): boolean {
    return !this.#gone.signal.aborted
  }

  get isInUse(): boolean {
    return Date.now() - this.#scannedAt < this.#timing.use
  }

  /**
   * Asks again while the reader is silent, so a question may reach it more than once. Throws `ReaderUnreachable`.
   * @param within milliseconds for the answer.
   * @param beforeFile the bytes after the answer belong to the transfer of a file.
   */
  async ask(
    commands: readonly string[],
    signal: AbortSignal,
    { within = usualTries * this.#timing.answer, beforeFile = false } = {},
  ): Promise<Answer[]> {
    const token = newToken()
    const question: Question = { token, beforeFile, answered: new Wakeup(), until: 0, answers: null }
    const over = AbortSignal.any([signal, this.#gone.signal])
    const end = Date.now() + within
    this.#question = question
    try {
      for (let isFirst = true; !over.aborted && (isFirst || Date.now() < end); isFirst = false) {
        // The reader may still wait for the file of a killed agent.
        if (!isFirst) await this.write(breakOff)
        await this.write(encodeQuestion(token, commands))
        question.until = Date.now() + this.#timing.answer
        while (!question.answers && !over.aborted && Date.now() < question.until)
          await question.answered.wait(question.until - Date.now(), over)
        if (question.answers) return this.#complete(question.answers, commands)
      }
    } finally {
      this.#question = null
    }
    throw new ReaderUnreachable(`No reader responds at ${this.#port.path}.`)
  }

  #complete(answers: Answer[], commands: readonly string[]): Answer[] {
    if (answers.length === commands.length) return answers
    this.#isSending = false
    throw new ReaderUnreachable(`The reader at ${this.#port.path} responds to ${answers.length} of ${commands.length} commands.`)
  }

  /** Call it after a question with `beforeFile`. Throws what `sendXmodem` throws, and `ReaderUnreachable`. */
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

  /** Closes a port that takes no bytes, so that no call waits for ever. */
  async write(bytes: Uint8Array): Promise<void> {
    const gone = new ReaderUnreachable(`The port ${this.#port.path} is gone.`)
    if (!this.isOpen) throw gone
    const stalled = setTimeout(() => this.close(), this.#timing.block)
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(gone)
      this.#gone.signal.addEventListener('abort', fail)
      this.#port.write(Buffer.from(bytes), (error) => {
        // The error comes before the event "close".
        if (error) void this.close()
        this.#gone.signal.removeEventListener('abort', fail)
        resolve()
      })
    }).finally(() => clearTimeout(stalled))
  }

  close(): Promise<void> {
    this.#gone.abort()
    return new Promise((resolve) => {
      if (this.#port.isOpen) this.#port.close(() => resolve())
      else resolve()
    })
  }

  #receive(byte: number): void {
    if (this.#isSending) {
      this.#replies.push(byte)
      return
    }
    const found = this.#envelopes.take(byte)
    if (found === 'outside') {
      if (isPrintable(byte)) this.#scannedAt = Date.now()
      return
    }
    const question = this.#question
    if (!question) return
    question.until = Date.now() + this.#timing.answer
    if (found === 'inside' || question.answers) return
    question.answers = decodeAnswers(found, question.token)
    if (!question.answers) return
    this.#replies.clear()
    this.#isSending = question.beforeFile && question.answers.every((answer) => 'value' in answer)
    question.answered.wake()
  }
}
