import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ServerSentEvent } from './serve.ts'

const keepAliveMs = 20_000

/** Streams server-sent events, uncompressed, with a comment now and then so that proxies keep the line open. Ends when the caller goes. */
export function sendEvents(reply: FastifyReply, events: AsyncIterable<ServerSentEvent>, signal: AbortSignal) {
  let wanted = Promise.withResolvers<void>()
  const stream = new Readable({ read: () => wanted.resolve() })
  stream.push('retry: 2000\n\n')
  const timer = setInterval(() => stream.push(': still here\n\n'), keepAliveMs)
  void (async () => {
    try {
      for await (const { id, event, data } of events) {
        if (signal.aborted) return
        wanted = Promise.withResolvers<void>()
        // Whoever reads slowly is sent less, not all of it later.
        if (!stream.push(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)) await wanted.promise
      }
      stream.push(null)
    } catch (error) {
      stream.destroy(error as Error)
    }
  })()
  const stop = () => {
    clearInterval(timer)
    wanted.resolve()
    stream.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  stream.once('close', () => clearInterval(timer))
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
    .send(stream)
}
