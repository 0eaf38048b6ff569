import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

const finishWithinMs = 20_000
const firstByteWithinMs = 1_000
const [quietTurns, mostTurns] = [10, 1_000]

/** How long a stop takes at most, once it waits for no proxy any more, in milliseconds; closing the database comes after it. */
export const stopWithinMs = finishWithinMs + 5_000

export interface Stop {
  /** Aborts when the stop begins. */
  signal: AbortSignal
  /** Called again, it ends the delay. */
  stop(work: () => Promise<void>): Promise<void>
}

/** @param delay seconds for which only `signal` says so, until the proxy sends nothing more */
export function createStop(delay: number): Stop {
  const stopping = new AbortController()
  const { promise: delayed, resolve: endDelay } = Promise.withResolvers<void>()
  let stopped: Promise<void> | undefined
  return {
    signal: stopping.signal,
    stop(work) {
      if (stopped || delay === 0) endDelay()
      else setTimeout(endDelay, delay * 1_000).unref()
      stopping.abort()
      stopped ??= delayed.then(work)
      return stopped
    },
  }
}

/** Watches the connections of a server. Called at a stop, the returned function finishes what is under way, and says `connection: close` to each. */
export function watchConnections(server: Server): (close: () => Promise<unknown>) => Promise<void> {
  const sockets = new Set<Socket>()
  let quiet = 0
  server.on('connection', (socket) => {
    quiet = 0
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return async (close) => {
    // The system has taken connections that the server has not seen yet. It resets them when the server listens no more.
    for (let turns = 0; turns < mostTurns && quiet < quietTurns; turns += 1, quiet += 1) await turn()
    // A connection that was busy at the call of `close` stays open after its response.
    const closeIdle = setInterval(() => server.closeIdleConnections(), 100)
    // One without a request counts as busy.
    const closeSilent = setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, firstByteWithinMs)
    const closeAll = setTimeout(() => server.closeAllConnections(), finishWithinMs)
    await close()
    clearInterval(closeIdle)
    clearTimeout(closeSilent)
    clearTimeout(closeAll)
  }
}
