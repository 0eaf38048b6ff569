/** setTimeout takes a signed 32-bit number of milliseconds; more fires at once. */
const longestTimer = 2 ** 31 - 1

/** Wakes one waiting loop early. A wake while no one waits is kept for the next wait. */
export class Wakeup {
  #isPending = false
  #end: (() => void) | null = null

  wake(): void {
    this.#isPending = true
    this.#end?.()
  }

  /** Ends at a wake, after `milliseconds` (24 days at most), or when `signal` aborts. */
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
}

export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> => new Wakeup().wait(milliseconds, signal)
