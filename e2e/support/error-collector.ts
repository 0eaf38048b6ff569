import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** One thing that was reported: an event, a replay's event or recording, feedback. */
export interface Item {
  type: string
  /** What was sent as JSON; of a recording the text. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the service is sent
  content: any
}

export type Fits = (content: Item['content']) => boolean

/** An error-reporting service that accepts what it is sent, by the protocol of the real one. */
export interface Collector {
  dsn: string
  items: Item[]
  /** Everything that was sent, as text. */
  sent(): string
  /** The first item of a type that fits, as soon as it is there. */
  first(type: string, fits?: Fits): Promise<Item['content']>
  all(type: string): Item['content'][]
  /** The status that it responds with from now on. What gets another status than 200 was not accepted. */
  answer(status: number): void
  /** Holds all responses until it is released. */
  hold(): void
  letGo(): void
  stop(): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  const items: Item[] = []
  const bodies: string[] = []
  let status = 200
  let held = Promise.withResolvers<void>()
  held.resolve()
  let news = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    if (request.method !== 'POST' || !/^\/api\/1\/envelope\/(\?|$)/.test(request.url ?? '')) return response.writeHead(404).end()
    const body = await readBody(request)
    await held.promise
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    if (status !== 200) return
    bodies.push(body.toString())
    items.push(...parseItems(body))
    news.resolve()
    news = Promise.withResolvers()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const all = (type: string) => items.filter((item) => item.type === type).map(({ content }) => content)
  return {
    dsn: `http://public@127.0.0.1:${(server.address() as AddressInfo).port}/1`,
    items,
    sent: () => bodies.join('\n'),
    async first(type, fits = () => true) {
      for (;;) {
        const later = news.promise
        const found = all(type).find(fits)
        if (found !== undefined) return found
        await later
      }
    },
    all,
    answer(next) {
      status = next
    },
    hold() {
      held = Promise.withResolvers()
    },
    letGo: () => held.resolve(),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const bytes = Buffer.concat(await request.toArray())
  const encoding = request.headers['content-encoding']
  if (encoding === 'gzip') return gunzipSync(bytes)
  if (encoding === 'deflate') return inflateSync(bytes)
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes
}

/** An envelope: a line about itself, then for each item a line about it and its content, as long as the line says or to the line's end. */
function parseItems(envelope: Buffer): Item[] {
  const items: Item[] = []
  let at = envelope.indexOf('\n') + 1
  while (at > 0 && at < envelope.length) {
    const lineEnd = envelope.indexOf('\n', at)
    const head = JSON.parse(envelope.subarray(at, lineEnd).toString()) as { type: string; length?: number }
    const found = envelope.indexOf('\n', lineEnd + 1)
    const end = head.length === undefined ? (found === -1 ? envelope.length : found) : lineEnd + 1 + head.length
    const text = envelope.subarray(lineEnd + 1, end).toString()
    items.push({ type: head.type, content: head.type === 'replay_recording' ? text : JSON.parse(text) })
    at = end + 1
  }
  return items
}
