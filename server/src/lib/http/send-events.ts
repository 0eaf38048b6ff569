import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

export interface ServerSentEvent {
  id: string
  event: string
  data: string
}

export interface Viewer {
  /** A slow client gets the newest of what it missed, not all of it. */
  send(event: ServerSentEvent): void
  end(): void
}

/**
 * Called once, when the stream opens.
 * @returns a function for when it has ended
 */
export type EventSource = (viewer: Viewer) => () => void

/** After so long a page's stream ends. Its viewer opens another one and is authorized again. */
export const openForMs = 5 * 60_000
const keepAliveMs = 20_000
const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' }

/** Milliseconds between two checks that viewers of streams are still allowed (SES-01, decision 0048). */
export const recheckMs = 2_000
const checkedAtOnce = 250

const open = new Map<ServerResponse, IsAllowed | undefined>()
const timers: NodeJS.Timeout[] = []

type IsAllowed = () => Promise<boolean>

/**
 * Sends events uncompressed, with comments that keep proxies from closing the connection.
 * @param isAllowed asked again and again: the stream ends once it is false, or fails
 */
export function sendEvents(reply: FastifyReply, source: EventSource, isAllowed?: IsAllowed): void {
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
    if (waiting && !raw.writableEnded) write(waiting)
    waiting = undefined
  })
  raw.once('close', () => {
    forget(raw)
    leave()
  })
  remember(raw, isAllowed)
}

function remember(raw: ServerResponse, isAllowed: IsAllowed | undefined): void {
  open.set(raw, isAllowed)
  if (timers.length === 0) timers.push(setInterval(keepAlive, keepAliveMs), setInterval(recheck, recheckMs))
}

function forget(raw: ServerResponse): void {
  open.delete(raw)
  if (open.size === 0) for (const timer of timers.splice(0)) clearInterval(timer)
}

function keepAlive(): void {
  for (const each of open.keys()) if (!each.writableNeedDrain) each.write(': keep-alive\n\n')
}

let isChecking = false

// Viewers that are checked at once share a statement. Only some are checked at once, as one that is refused, or has been quiet, takes
// statements of its own.
async function recheck(): Promise<void> {
  if (isChecking) return
  isChecking = true
  const left = [...open]
  const check = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [raw, isAllowed] = next
      if (isAllowed && !raw.writableEnded && !(await isAllowed().catch(() => false))) raw.end()
    }
  }
  await Promise.all(Array.from({ length: checkedAtOnce }, check))
  isChecking = false
}
