import type { Log } from './log.ts'

/** Logs a fault when it begins and when it is over, however often it comes in between (AGT-10). */
export class FaultLog {
  readonly #log: Log
  readonly #sentences: { begins: (reason: string) => string; ends: string }
  #reason: string | null = null

  constructor(log: Log, sentences: { begins: (reason: string) => string; ends: string }) {
    this.#log = log
    this.#sentences = sentences
  }

  get isLasting(): boolean {
    return this.#reason !== null
  }

  /** Null where there is no fault. */
  get reason(): string | null {
    return this.#reason
  }

  /**
   * Another reason is logged too.
   * @param detail behind the reason, and no reason to log it again
   */
  begin(reason: string, detail = ''): void {
    if (this.#reason !== reason) this.#log.warn(this.#sentences.begins(reason + detail))
    this.#reason = reason
  }

  end(): void {
    if (this.#reason !== null) this.#log.info(this.#sentences.ends)
    this.#reason = null
  }
}
