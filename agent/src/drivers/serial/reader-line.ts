import { SerialPort } from 'serialport'
import { sentence } from '../../sentence.ts'
import { type Countdown, pause, Wakeup } from '../../wakeup.ts'
import { ReaderUnreachable } from '../driver.ts'
import type { Timing } from './timing.ts'

const turn = 20
const isPrintable = (byte: number) => byte >= 0x20
/** Bytes without an answer, more than a reader says of itself. */
export const mostUnanswered = 64 * 1024

/** What a dialect has of a port while it asks. */
export interface Wire {
  write(bytes: Uint8Array): Promise<void>
  /** Null where none comes in time. Throws `ReaderUnreachable` when the line is gone or the call is over. */
  next(time: Countdown): Promise<number | null>
  /** What came so far is no answer to what is asked next. */
  clear(): void
  /** What came was an answer. */
  setAnswered(): void
  /** A person scanned. */
  setInUse(): void
}

/** A port that is open. What comes while nothing is asked is a scan. */
export class ReaderLine {
  readonly #port: SerialPort
  readonly #timing: Timing
  readonly #queue = new ByteQueue()
  readonly #gone = new AbortController()
  #isAsking = false
  #unanswered = 0
  #babbles = false
  #scannedAt = Number.NEGATIVE_INFINITY

  private constructor(port: SerialPort, timing: Timing) {
    this.#port = port
    this.#timing = timing
    port.on('data', (bytes: Buffer) => this.#receive(bytes))
    port.on('close', () => this.#gone.abort())
    port.on('error', () => void this.close())
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

  /** It sent more than a reader does, and no answer; it is closed then. */
  get babbles(): boolean {
    return this.#babbles
  }

  get isInUse(): boolean {
    return performance.now() - this.#scannedAt < this.#timing.use
  }

  /** Within `work`, what comes is the answer to what it writes. */
  async exchange<T>(signal: AbortSignal, work: (wire: Wire) => Promise<T>): Promise<T> {
    const over = AbortSignal.any([signal, this.#gone.signal])
    // Since Node 26.4, bytes are noticed only when a timer ends (serialport/node-serialport#3148). What came since the last exchange is a scan,
    // so it is taken before anything is asked. Within an exchange all waits are short timers; between two there is none.
    await pause(turn, over)
    this.#queue.clear()
    this.#isAsking = true
    try {
      return await work({
        write: (bytes) => this.#write(bytes, over),
        next: async (time) => {
          const byte = await this.#queue.next(time, over)
          if (over.aborted) throw this.#lost()
          return byte
        },
        clear: () => this.#queue.clear(),
        setAnswered: () => {
          this.#unanswered = 0
        },
        setInUse: () => this.#setInUse(),
      })
    } finally {
      this.#isAsking = false
    }
  }

  close(): Promise<void> {
    this.#gone.abort()
    return new Promise((resolve) => {
      if (this.#port.isOpen) this.#port.close(() => resolve())
      else resolve()
    })
  }

  /** Closes a port that accepts no bytes. */
  async #write(bytes: Uint8Array, over: AbortSignal): Promise<void> {
    const taken = new Wakeup()
    let isTaken = false
    if (!over.aborted)
      this.#port.write(Buffer.from(bytes), (error) => {
        isTaken = !error
        // The error comes before the event "close".
        if (error) void this.close()
        taken.wake()
      })
    for (const time = { left: this.#timing.write }; !isTaken && !over.aborted && time.left > 0; ) await taken.countDown(over, time)
    if (!isTaken && !over.aborted) void this.close()
    if (!isTaken || over.aborted) throw this.#lost()
  }

  #lost(): ReaderUnreachable {
    const { path } = this.#port
    if (this.#babbles)
      return new ReaderUnreachable(`What is at ${path} sends more than 64 kB, and no answer. It is left alone for a minute.`)
    return new ReaderUnreachable(this.isOpen ? `The call to ${path} was cut off.` : `The port ${path} is gone.`)
  }

  #receive(bytes: Buffer): void {
    this.#unanswered += bytes.length
    if (this.#unanswered > mostUnanswered) {
      this.#babbles = true
      void this.close()
    } else if (this.#isAsking) for (const byte of bytes) this.#queue.push(byte)
    else if (bytes.some(isPrintable)) this.#setInUse()
  }

  #setInUse(): void {
    this.#scannedAt = performance.now()
  }
}

class ByteQueue {
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
