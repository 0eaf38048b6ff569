import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

export interface ServerSentEvent {
  id: string
  event: string
  data: string
}

export interface Viewer {
  /** A slow reader gets the newest of what it could not take, not all of it later. */
  send(event: ServerSentEvent): void
  end(): void
}

/** Called once, when the stream is open. @returns what is called when it has ended */
export type EventSource = (viewer: Viewer) => () => void

const keepAliveMs = 20_000
const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' }

const open = new Set<ServerResponse>()
let timer: NodeJS.Timeout | undefined

// Uncompressed; comments keep proxies from closing the connection.
export function sendEvents(reply: FastifyReply, source: EventSource): void {
  const { raw } = reply.hijack()
  if (raw.destroyed) return
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers })
  raw.write('retry: 2000\n\n')
  let waiting: ServerSentEvent | undefined
  const write = ({ id, event, data }: ServerSentEvent) => raw.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
  const leave = source({
    send(event) {
      if (raw.writableNeedDrain) waiting = event
      else if (!raw.writableEnded) write(event)
    },
    end: () => raw.end(),
  })
  raw.on('drain', () => {
    if (waiting) write(waiting)
    waiting = undefined
  })
  raw.once('close', () => {
    forget(raw)
    leave()
  })
  keepAlive(raw)
}

function keepAlive(raw: ServerResponse): void {
  open.add(raw)
  timer ??= setInterval(() => {
    for (const each of open) if (!each.writableNeedDrain) each.write(': keep-alive\n\n')
  }, keepAliveMs)
}

function forget(raw: ServerResponse): void {
  open.delete(raw)
  if (open.size > 0) return
  clearInterval(timer)
  timer = undefined
}
