import { Bell } from '../../wakeup.ts'

/** Bytes that have come and are taken one by one. One taker at a time. */
export class ByteQueue {
  readonly #came = new Bell()
  #bytes: number[] = []
  #from = 0

  push(byte: number): void {
    this.#bytes.push(byte)
    this.#came.ring()
  }

  /** Forgets what nobody has taken. */
  clear(): void {
    this.#bytes = []
    this.#from = 0
  }

  /** The next byte; null when none comes within `milliseconds`, or `signal` aborts. */
  async next(milliseconds: number, signal: AbortSignal): Promise<number | null> {
    for (const end = Date.now() + milliseconds; this.#from === this.#bytes.length; ) {
      const left = end - Date.now()
      if (left <= 0 || signal.aborted) return null
      this.clear()
      await this.#came.wait(left, signal)
    }
    return this.#bytes[this.#from++]!
  }
}
