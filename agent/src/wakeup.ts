/** setTimeout takes a signed 32-bit number of milliseconds; more fires at once. */
const longestTimer = 2 ** 31 - 1

/** Wakes a loop early. A ring while nobody waits is kept, so no wake-up is lost. One loop waits at a time. */
export class Bell {
  #rung = false
  #wake: (() => void) | null = null

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** Ends when rung, after `milliseconds` (24 days at the latest), or when `signal` aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          this.#wake = null
          resolve()
        }
        const timer = setTimeout(end, Math.min(Math.max(milliseconds, 0), longestTimer))
        signal.addEventListener('abort', end)
        this.#wake = end
      })
    }
    this.#rung = false
  }
}

/** Ends after `milliseconds`, or when `signal` aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> => new Bell().wait(milliseconds, signal)
