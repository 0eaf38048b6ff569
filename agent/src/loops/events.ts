import { backoff } from '../backoff.ts'
import { FaultLog } from '../fault-log.ts'
import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import type { Server } from '../server/client.ts'
import { Busy, Refusal, Unavailable } from '../server/errors.ts'
import { listenForDesired, longestSilence, SilentStream } from '../server/events.ts'

/** Milliseconds. Proxies may end each stream at once, so only a stream that was open this long resets the pauses. */
const lasting = 60_000
/** Milliseconds. A stream that is open for longer brings what the server sends. */
const proven = longestSilence + 5_000
/** So many streams in a row that do not last are no restart of the server. */
const mostShort = 3

interface Parts {
  server: Server & { readonly isAway: boolean }
  log: Log
  now: () => Date
  /** Milliseconds between two requests for the desired state while no stream is open. */
  poll: number
  onHint: () => void
}

/** Events are hints: what is missed is found anyway, so a lost stream is not logged, but streams that never last are. */
export class Events {
  readonly #parts: Parts
  readonly #faults: FaultLog
  #lastEventId: string | null = null
  #isListening = false
  #short = 0

  constructor(parts: Parts) {
    const every = parts.poll === 60_000 ? 'each minute' : `every ${parts.poll / 1000} s`
    this.#parts = parts
    this.#faults = new FaultLog(parts.log, {
      begins: (reason) => `${reason} The agent asks for updates ${every} in its place.`,
      ends: 'The stream of events stays open again.',
    })
  }

  get isListening(): boolean {
    return this.#isListening
  }

  /** Returns the milliseconds until the next try after a stream that lasted; throws after a shorter one. */
  async run(signal: AbortSignal): Promise<number> {
    const { server, now, onHint } = this.#parts
    let opened: number | null = null
    let timer: NodeJS.Timeout | undefined
    const onOpen = () => {
      opened = now().getTime()
      timer = setTimeout(() => this.#onProven(), proven)
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
      const hasLasted = opened !== null && now().getTime() - opened >= lasting && !(error instanceof SilentStream)
      if (!signal.aborted) this.#count(error, hasLasted)
      if (hasLasted) return backoff(1)
      throw error instanceof Refusal && error.status !== 401 ? new Unavailable(error.message) : error
    } finally {
      clearTimeout(timer)
      this.#isListening = false
    }
  }

  #onProven(): void {
    this.#short = 0
    this.#faults.end()
  }

  /** What the server itself says, or that it is away, is logged elsewhere. */
  #count(error: unknown, hasLasted: boolean): void {
    const isShort = !(hasLasted || error instanceof Refusal || error instanceof Busy || this.#parts.server.isAway)
    this.#short = isShort ? this.#short + 1 : 0
    if (this.#short === mostShort)
      this.#faults.begin(
        'The stream of events does not stay open: a proxy or something else on the way cuts it off.',
        ` ${sentence(error)}`,
      )
  }
}
