import { EventEmitter } from 'node:events'
import pg from 'pg'
import * as z from 'zod/mini'

const Event = z.object({ id: z.number(), organizationId: z.string(), zoneId: z.nullable(z.string()), kind: z.string() })
/** A row of `event`; `id` grows, and is 0 for an event that is not stored. */
export type Event = z.infer<typeof Event>

/** Events of all servers on this database, as hints: a subscriber that must not miss any also polls. */
export interface EventHub {
  /** Events from this call on, until `signal` aborts. After one of kind "reconnected", some may be missing. */
  subscribe(matches: (event: Event) => boolean, signal: AbortSignal): AsyncGenerator<Event>
  close(): Promise<void>
}

const reconnectMs = 2_000

/** Listens on a connection of its own. Returns at once and reconnects whenever the database is down. */
export function openEventHub(connectionString: string, log: (message: string) => void): EventHub {
  const emitter = new EventEmitter().setMaxListeners(0)
  const closing = new AbortController()
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new pg.Client({ connectionString, keepAlive: true })
    client = next
    const onLost = (error?: Error) => {
      if (client !== next || closing.signal.aborted) return
      client = null
      if (error) log(`events: ${error.message}; reconnecting in ${reconnectMs} ms`)
      timer = setTimeout(connect, reconnectMs)
    }
    next.on('error', onLost)
    next.on('end', () => onLost())
    next.on('notification', ({ payload }) => {
      const event = Event.safeParse(parseJson(payload ?? ''))
      if (event.success) emitter.emit('event', event.data)
    })
    try {
      await next.connect()
      await next.query('listen lectern_events')
      emitter.emit('reconnected')
    } catch (error) {
      await next.end().catch(() => {})
      onLost(error as Error)
    }
  }
  void connect()

  return {
    subscribe: (matches, signal) => subscribe(emitter, matches, AbortSignal.any([signal, closing.signal])),
    async close() {
      closing.abort()
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

function subscribe(emitter: EventEmitter, matches: (event: Event) => boolean, stop: AbortSignal): AsyncGenerator<Event> {
  const queue: Event[] = []
  let wake = () => {}
  const add = (event: Event) => {
    queue.push(event)
    wake()
  }
  const onEvent = (event: Event) => void (matches(event) && add(event))
  const onReconnected = () => add({ id: 0, organizationId: '', zoneId: null, kind: 'reconnected' })
  const end = () => {
    emitter.off('event', onEvent).off('reconnected', onReconnected)
    wake()
  }
  if (!stop.aborted) emitter.on('event', onEvent).on('reconnected', onReconnected)
  stop.addEventListener('abort', end, { once: true })
  return (async function* () {
    try {
      while (!stop.aborted) {
        const event = queue.shift()
        if (event) yield event
        else
          await new Promise<void>((resolve) => {
            wake = resolve
            if (stop.aborted || queue.length > 0) resolve()
          })
      }
    } finally {
      stop.removeEventListener('abort', end)
      end()
    }
  })()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
