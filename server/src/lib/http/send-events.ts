import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ServerSentEvent } from './serve.ts'

const keepAliveMs = 20_000

/** Uncompressed; comments keep proxies from closing the connection. Ends when the caller disconnects. */
export function sendEvents(reply: FastifyReply, events: AsyncIterable<ServerSentEvent>, signal: AbortSignal) {
  let drained = Promise.withResolvers<void>()
  const stream = new Readable({ read: () => drained.resolve() })
  stream.push('retry: 2000\n\n')
  const timer = setInterval(() => stream.push(': keep-alive\n\n'), keepAliveMs)
  void (async () => {
    try {
      for await (const { id, event, data } of events) {
        if (signal.aborted) return
        drained = Promise.withResolvers<void>()
        // A slow reader gets fewer events, not all of them later.
        if (!stream.push(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)) await drained.promise
      }
      stream.push(null)
    } catch (error) {
      stream.destroy(error as Error)
    }
  })()
  const stop = () => {
    clearInterval(timer)
    drained.resolve()
    stream.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  stream.once('close', () => clearInterval(timer))
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
    .send(stream)
}
