import { setTimeout as pause } from 'node:timers/promises'
import { hasEnded } from './processes.ts'

const pollMs = 100
const maxFailures = 3
const retryMs = 1_000

export interface Watch {
  log(message: string): void
  /** Called after three failed starts in a row; there are no further ones. */
  lost(reason: Error): void
  signal: AbortSignal
}

/**
 * Starts a server again whenever it ends, until the watch's signal aborts or the server is lost. Looks for the process itself, as an
 * adopted server is no child of this one.
 * @param start returns the process id of a server that takes connections, its own or another opener's
 */
export async function watchServer(first: number, data: string, watch: Watch, start: () => Promise<number>): Promise<void> {
  const { log, lost, signal } = watch
  const wait = (ms: number) => pause(ms, undefined, { signal, ref: false })
  const restart = async (): Promise<number> => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await start()
      } catch (error) {
        if (signal.aborted || failures === maxFailures) throw error
      }
      await wait(retryMs)
    }
  }
  try {
    for (let server = first; ; ) {
      while (!hasEnded(server, data)) await wait(pollMs)
      const died = performance.now()
      log('PostgreSQL died; it is started again')
      server = await restart()
      log(`PostgreSQL responds again, after ${Math.round(performance.now() - died)} ms`)
    }
  } catch (error) {
    if (signal.aborted) return
    lost(new Error(`PostgreSQL died and did not start again, three times running.\n${(error as Error).message}`, { cause: error }))
  }
}
