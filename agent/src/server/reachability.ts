import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import type { Server } from './client.ts'
import { Unavailable } from './errors.ts'

/**
 * The same server; that it is gone is said once, and once that it is back, however many calls notice.
 * The stream of changes does not count: it is cut by nature, and a site's proxy may let no stream through.
 */
export function watchReachability(server: Server, log: Log, now: () => Date): Server {
  let since: Date | null = null

  function answered(): void {
    if (!since) return
    const seconds = Math.round((now().getTime() - since.getTime()) / 1000)
    log.info(`The server answers again, after ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`}.`)
    since = null
  }

  async function watched<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      const value = await answer
      answered()
      return value
    } catch (error) {
      if (!(error instanceof Unavailable)) answered()
      else if (!since && !signal?.aborted) {
        since = now()
        log.warn(`${sentence(error)} Readers keep what they have; the agent goes on trying.`)
      }
      throw error
    }
  }

  return {
    call: (name, args, signal) => watched(server.call(name, args, signal), signal),
    open(name, args, options) {
      const answer = server.open(name, args, options)
      return name === 'streamDesired' ? answer : watched(answer, options.signal)
    },
  }
}
