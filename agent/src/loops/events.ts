import { backoff } from '../backoff.ts'
import type { Server } from '../server/client.ts'
import { Refusal, Unavailable } from '../server/errors.ts'
import { listenForDesired } from '../server/events.ts'

/** Milliseconds. Proxies may end each stream at once, so only a stream that was open this long resets the pauses. */
const lasting = 60_000

interface Parts {
  server: Server
  now: () => Date
  onHint: () => void
}

/** Events are hints: what is missed is found anyway, so a lost stream is not logged. */
export class Events {
  readonly #parts: Parts
  #lastEventId: string | null = null
  #isListening = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get isListening(): boolean {
    return this.#isListening
  }

  /** Returns the milliseconds until the next try after a stream that lasted; throws after a shorter one. */
  async run(signal: AbortSignal): Promise<number> {
    const { server, now, onHint } = this.#parts
    let opened: number | null = null
    const onOpen = () => {
      opened = now().getTime()
      this.#isListening = true
      // Something may have changed while no stream was open.
      onHint()
    }
    const onEvent = (id: string | null) => {
      this.#lastEventId = id ?? this.#lastEventId
      onHint()
    }
    try {
      return await listenForDesired(server, this.#lastEventId, { onOpen, onEvent, signal })
    } catch (error) {
      if (opened !== null) onHint()
      if (opened !== null && now().getTime() - opened >= lasting) return backoff(1)
      throw error instanceof Refusal && error.status !== 401 ? new Unavailable(error.message) : error
    } finally {
      this.#isListening = false
    }
  }
}
