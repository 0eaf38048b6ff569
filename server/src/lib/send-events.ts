import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ServerSentEvent } from './serve.ts'

const keepAliveMs = 20_000

/** Streams server-sent events, uncompressed, with a comment now and then so that proxies keep the line open. Ends when the caller goes. */
export function sendEvents(reply: FastifyReply, events: AsyncIterable<ServerSentEvent>, signal: AbortSignal) {
  const stream = new Readable({ read() {} })
  stream.push('retry: 2000\n\n')
  const timer = setInterval(() => stream.push(': still here\n\n'), keepAliveMs)
  void (async () => {
    try {
      for await (const { id, event, data } of events) stream.push(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
      stream.push(null)
    } catch (error) {
      stream.destroy(error as Error)
    }
  })()
  const stop = () => {
    clearInterval(timer)
    stream.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  stream.once('close', () => clearInterval(timer))
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
    .send(stream)
}
