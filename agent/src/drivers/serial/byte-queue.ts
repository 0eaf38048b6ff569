import { Wakeup } from '../../wakeup.ts'

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

  /** Null when no byte comes within `milliseconds`, or `signal` aborts. */
  async next(milliseconds: number, signal: AbortSignal): Promise<number | null> {
    for (const end = Date.now() + milliseconds; this.#from === this.#bytes.length; ) {
      const left = end - Date.now()
      if (left <= 0 || signal.aborted) return null
      this.clear()
      await this.#arrived.wait(left, signal)
    }
    return this.#bytes[this.#from++]!
  }
}
