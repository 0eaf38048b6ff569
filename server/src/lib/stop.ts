import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

const finishWithinMs = 20_000
const firstByteWithinMs = 1_000
const [quietTurns, mostTurns] = [10, 1_000]

// Once it waits for no proxy any more, and with the closing of the database.
export const stopWithinMs = finishWithinMs + 5_000

export interface Stop {
  // Aborts when the stop begins.
  stopping: AbortSignal
  // Called again, it ends the delay.
  stop(work: () => Promise<void>): Promise<void>
}

/** @param delay seconds for which only `stopping` says so, until the proxy sends nothing more */
export function createStop(delay: number): Stop {
  const controller = new AbortController()
  const { promise: delayed, resolve: endDelay } = Promise.withResolvers<void>()
  let stopped: Promise<void> | undefined
  return {
    stopping: controller.signal,
    stop(work) {
      if (stopped || delay === 0) endDelay()
      else setTimeout(endDelay, delay * 1_000).unref()
      controller.abort()
      stopped ??= delayed.then(work)
      return stopped
    },
  }
}

// The returned function finishes what is under way at a stop.
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
