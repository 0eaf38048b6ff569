/** In milliseconds. A longer `setTimeout` fires at once. */
const longestTimer = 2 ** 31 - 1
const tick = 20

/** `left`: milliseconds. */
export interface Countdown {
  left: number
}

/** A wake while nothing waits is kept for the next wait. */
export class Wakeup {
  #isPending = false
  #end: (() => void) | null = null

  wake(): void {
    this.#isPending = true
    this.#end?.()
  }

  /** Waits for a wake, for `milliseconds` (24 days at most), or until `signal` aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#isPending && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          this.#end = null
          resolve()
        }
        const timer = setTimeout(end, Math.min(Math.max(milliseconds, 0), longestTimer))
        signal.addEventListener('abort', end)
        this.#end = end
      })
    }
    this.#isPending = false
  }

  /** Waits a tick at most and subtracts it from `countdowns`, so that a PC that is busy or asleep makes no reader seem silent. */
  async countDown(signal: AbortSignal, ...countdowns: Countdown[]): Promise<void> {
    const start = performance.now()
    await this.wait(Math.min(tick, ...countdowns.map(({ left }) => left)), signal)
    const passed = Math.min(performance.now() - start, tick)
    for (const countdown of countdowns) countdown.left -= passed
  }
}

export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> => new Wakeup().wait(milliseconds, signal)
