import { randomUUID } from 'node:crypto'
import pg from 'pg'
import * as z from 'zod/mini'

const Event = z.object({ id: z.number(), organizationId: z.number(), zoneId: z.nullable(z.string()), kind: z.string() })
/** A row of `event`. `id` grows; 0 for an event that is not stored. */
export type Event = z.infer<typeof Event>
const Echo = z.object({ echo: z.string() })

export interface Subscriber {
  /** An event of kind "reconnected" means that events may be missing. */
  hear(event: Event): void
  end(): void
}

/** The events of all servers on this database, as hints. A subscriber that must not miss any also polls. */
export interface EventHub {
  /**
   * @param topic a zone's public id, or an organization's number
   * @returns a function that ends the subscription
   */
  subscribe(topic: string | number, subscriber: Subscriber): () => void
  /** False while notifications through the database do not arrive. */
  hearsItself(): boolean
  close(): Promise<void>
}

const reconnectMs = 2_000
const echoEveryMs = 15_000
const echoWithinMs = 2_000

interface EventHubOptions {
  listenUrl: string
  notify(payload: string): Promise<unknown>
  logOutage(reason: string): unknown
  logDeafness(message: string): unknown
}

export function openEventHub({ listenUrl, notify, logOutage, logDeafness }: EventHubOptions): EventHub {
  const topics = new Map<string | number, Set<Subscriber>>()
  const everyone = () => [...topics.values()].flatMap((subscribers) => [...subscribers])
  const echo = createEcho(notify, logDeafness)
  const listener = keepListening(listenUrl, logOutage, {
    onPayload(payload) {
      const event = Event.safeParse(payload)
      if (!event.success) return echo.hear(payload)
      const { zoneId, organizationId } = event.data
      for (const topic of [zoneId, organizationId])
        if (topic !== null) for (const subscriber of topics.get(topic) ?? []) subscriber.hear(event.data)
    },
    onConnected() {
      for (const { hear } of everyone()) hear({ id: 0, organizationId: 0, zoneId: null, kind: 'reconnected' })
      void echo.check()
    },
  })
  const timer = setInterval(() => listener.isConnected() && void echo.check(), echoEveryMs)
  let isClosed = false

  return {
    subscribe(topic, subscriber) {
      const subscribers = topics.get(topic) ?? new Set()
      topics.set(topic, subscribers.add(subscriber))
      if (isClosed) subscriber.end()
      return () => {
        subscribers.delete(subscriber)
        if (subscribers.size === 0 && topics.get(topic) === subscribers) topics.delete(topic)
      }
    },
    hearsItself: echo.isHeard,
    async close() {
      isClosed = true
      clearInterval(timer)
      for (const { end } of everyone()) end()
      await listener.close()
    },
  }
}

interface Hearing {
  onPayload(payload: unknown): void
  onConnected(): void
}

function keepListening(connectionString: string, logOutage: (reason: string) => unknown, { onPayload, onConnected }: Hearing) {
  let isClosing = false
  let isConnected = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new pg.Client({ connectionString, keepAlive: true })
    client = next
    const onLost = (error?: Error) => {
      if (client !== next || isClosing) return
      client = null
      isConnected = false
      if (error) logOutage(`events: ${error.message}; reconnecting in ${reconnectMs} ms`)
      timer = setTimeout(connect, reconnectMs)
    }
    next.on('error', onLost)
    next.on('end', () => onLost())
    next.on('notification', ({ payload }) => onPayload(parseJson(payload ?? '')))
    try {
      await next.connect()
      await next.query('listen lectern_events')
      isConnected = true
      onConnected()
    } catch (error) {
      await next.end().catch(() => {})
      onLost(error as Error)
    }
  }
  void connect()

  return {
    isConnected: () => isConnected,
    async close() {
      isClosing = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

function createEcho(notify: (payload: string) => Promise<unknown>, logDeafness: (message: string) => unknown) {
  let isHeard = true
  let awaited: { echo: string; heard: () => void } | undefined

  return {
    isHeard: () => isHeard,
    hear(payload: unknown) {
      const echo = Echo.safeParse(payload)
      if (echo.success && echo.data.echo === awaited?.echo) awaited.heard()
    },
    async check() {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const echo = randomUUID()
      awaited = { echo, heard: () => resolve(true) }
      try {
        await notify(JSON.stringify({ echo }))
      } catch {
        // The database is away, which is logged elsewhere.
        return
      }
      const late = setTimeout(() => resolve(false), echoWithinMs)
      const wasHeard = isHeard
      isHeard = await promise
      clearTimeout(late)
      if (wasHeard && !isHeard) logDeafness('Events are not heard. LISTEN_URL must lead to the database itself, not through a pooler.')
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
