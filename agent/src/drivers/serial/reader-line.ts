import { SerialPort } from 'serialport'
import { sentence } from '../../sentence.ts'
import { type Countdown, Wakeup } from '../../wakeup.ts'
import { ReaderUnreachable } from '../driver.ts'
import { type Answer, decodeAnswers, Envelopes, encodeQuestion, newToken, type Timing } from './dialect.ts'
import { breakOff, sendXmodem, type Wire } from './xmodem.ts'

const betweenTurns = 20
const isPrintable = (byte: number) => byte >= 0x20

interface Question {
  readonly token: string
  readonly beforeFile: boolean
  readonly answered: Wakeup
  readonly silence: Countdown
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
  /** The reader may still wait for a file that was not sent whole. */
  #expectsFile = false
  #scannedAt = Number.NEGATIVE_INFINITY

  private constructor(port: SerialPort, timing: Timing) {
    this.#port = port
    this.#timing = timing
    port.on('data', (bytes: Buffer) => {
      for (const byte of bytes) this.#receive(byte)
    })
    port.on('close', () => this.#gone.abort())
    port.on('error', () => void this.close())
    // Since Node 26.4, bytes are noticed only when a timer ends (serialport/node-serialport#3148).
    const turns = setInterval(() => {}, betweenTurns).unref()
    this.#gone.signal.addEventListener('abort', () => clearInterval(turns))
  }

  static open(path: string, baudRate: number, timing: Timing): Promise<ReaderLine> {
    return new Promise((resolve, reject) => {
      const port = new SerialPort({ path, baudRate, autoOpen: false })
      const line = new ReaderLine(port, timing)
      port.open((error) => {
        if (!error) return resolve(line)
        void line.close()
        reject(new ReaderUnreachable(`The port ${path} cannot be opened: ${sentence(error)}`))
      })
    })
  }

  get isOpen(): boolean {
    return !this.#gone.signal.aborted
  }

  get isInUse(): boolean {
    return performance.now() - this.#scannedAt < this.#timing.use
  }

  /**
   * May reach the reader more than once. Throws `ReaderUnreachable`.
   * @param within milliseconds for the answer
   * @param beforeFile whether a file follows the answer
   */
  async ask(
    commands: readonly string[],
    signal: AbortSignal,
    { within = this.#timing.answer, beforeFile = false } = {},
  ): Promise<Answer[]> {
    const { askAgain, wholeAnswer } = this.#timing
    const over = AbortSignal.any([signal, this.#gone.signal])
    const question: Question = { token: newToken(), beforeFile, answered: new Wakeup(), silence: { left: 0 }, answers: null }
    const whole = { left: within + wholeAnswer }
    this.#question = question
    try {
      for (let waited = 0; waited < within && whole.left > 0 && !over.aborted; waited += askAgain) {
        // The reader may also wait for the file of a killed agent.
        if (waited > 0 || this.#expectsFile) await this.write(breakOff)
        await this.write(encodeQuestion(question.token, commands))
        question.silence.left = askAgain
        while (!question.answers && !over.aborted && question.silence.left > 0 && whole.left > 0)
          await question.answered.countDown(over, question.silence, whole)
        if (question.answers) return this.#complete(question.answers, commands)
      }
    } finally {
      this.#question = null
      this.#expectsFile = beforeFile || (this.#expectsFile && !question.answers)
    }
    throw new ReaderUnreachable(`No reader responds at ${this.#port.path}.`)
  }

  #complete(answers: Answer[], commands: readonly string[]): Answer[] {
    if (answers.length === commands.length) return answers
    this.#isSending = false
    throw new ReaderUnreachable(`The reader at ${this.#port.path} responds to ${answers.length} of ${commands.length} commands.`)
  }

  /** Sends a file after a question with `beforeFile`. Throws as `sendXmodem` does, and `ReaderUnreachable`. */
  async send(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal, progress: (bytes: number) => void): Promise<void> {
    const over = AbortSignal.any([signal, this.#gone.signal])
    const next = async (time: Countdown) => {
      const byte = await this.#replies.next(time, over)
      if (over.aborted) throw new ReaderUnreachable(`The transfer at ${this.#port.path} was cut off.`)
      return byte
    }
    const wire: Wire = { write: (block) => this.write(block), clear: () => this.#replies.clear(), next }
    try {
      await sendXmodem(wire, bytes, { silence: this.#timing.block, progress })
      this.#expectsFile = false
    } catch (error) {
      if (this.isOpen) await this.write(breakOff).catch(() => {})
      throw error
    } finally {
      this.#isSending = false
    }
  }

  /** Closes a port that accepts no bytes. */
  async write(bytes: Uint8Array): Promise<void> {
    const taken = new Wakeup()
    let isTaken = false
    if (this.isOpen)
      this.#port.write(Buffer.from(bytes), (error) => {
        isTaken = !error
        // The error comes before the event "close".
        if (error) void this.close()
        taken.wake()
      })
    for (const time = { left: this.#timing.block }; !isTaken && this.isOpen && time.left > 0; )
      await taken.countDown(this.#gone.signal, time)
    if (!isTaken && this.isOpen) void this.close()
    if (!this.isOpen) throw new ReaderUnreachable(`The port ${this.#port.path} is gone.`)
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
      if (isPrintable(byte)) this.#scannedAt = performance.now()
      return
    }
    const question = this.#question
    if (!question) return
    question.silence.left = this.#timing.askAgain
    if (found === 'inside' || question.answers) return
    question.answers = decodeAnswers(found, question.token)
    if (!question.answers) return
    this.#replies.clear()
    this.#isSending = question.beforeFile && question.answers.every((answer) => 'value' in answer)
    question.answered.wake()
  }
}

export class ByteQueue {
  readonly #arrived = new Wakeup()
  #bytes: number[] = []
  #from = 0

  push(byte: number): void {
    this.#bytes.push(byte)
    this.#arrived.wake()
  }

  clear(): void {
    this.#bytes = []
    this.#from = 0
  }

  /** Null where none comes in time, or `signal` aborts. */
  async next(time: Countdown, signal: AbortSignal): Promise<number | null> {
    while (this.#from === this.#bytes.length) {
      if (time.left <= 0 || signal.aborted) return null
      this.clear()
      await this.#arrived.countDown(signal, time)
    }
    return this.#bytes[this.#from++]!
  }
}
