import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import type { Server } from './client.ts'
import { Unavailable } from './errors.ts'

/** Logs each change once. Event streams do not count, as a proxy may let none through. */
export function watchReachability(server: Server, log: Log, now: () => Date): Server & { readonly isAway: boolean } {
  let since: Date | null = null

  function onAnswer(): void {
    if (!since) return
    const seconds = Math.round((now().getTime() - since.getTime()) / 1000)
    log.info(`The server responds again, after ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`}.`)
    since = null
  }

  async function watched<T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      const value = await call
      onAnswer()
      return value
    } catch (error) {
      if (!(error instanceof Unavailable)) onAnswer()
      else if (!since && !signal?.aborted) {
        since = now()
        log.warn(`${sentence(error)} Readers keep what they have; the agent keeps trying.`)
      }
      throw error
    }
  }

  return {
    get isAway() {
      return since !== null
    },
    call: (name, args, signal) => watched(server.call(name, args, signal), signal),
    open(name, args, options) {
      const answer = server.open(name, args, options)
      return name === 'streamDesired' ? answer : watched(answer, options.signal)
    },
  }
}
