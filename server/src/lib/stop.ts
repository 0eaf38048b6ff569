import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

const finishWithinMs = 20_000
const firstByteWithinMs = 1_000
const [quietTurns, mostTurns] = [10, 1_000]

// Milliseconds after the delay for the proxy, closing the database included.
export const stopWithinMs = finishWithinMs + 5_000

export interface Stop {
  // Aborts when the stop begins.
  stopping: AbortSignal
  // A second call ends the delay.
  stop(work: () => Promise<void>): Promise<void>
}

/** @param delay seconds for which the server only reports that it stops, until the proxy sends it no more */
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

// The returned function finishes, at a stop, what is under way.
export function watchConnections(server: Server): (close: () => Promise<unknown>) => Promise<void> {
  const sockets = new Set<Socket>()
  let quiet = 0
  server.on('connection', (socket) => {
    quiet = 0
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return async (close) => {
    // The system may have accepted connections that the server has not seen yet. They would be reset when it stops listening.
    for (let turns = 0; turns < mostTurns && quiet < quietTurns; turns += 1, quiet += 1) await turn()
    // A connection that was busy when `close` was called stays open after its response.
    const closeIdle = setInterval(() => server.closeIdleConnections(), 100)
    // A connection without a request counts as busy.
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
