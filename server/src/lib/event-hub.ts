import { EventEmitter } from 'node:events'
import pg from 'pg'
import * as z from 'zod/mini'

const Told = z.object({ id: z.number(), organizationId: z.string(), zoneId: z.nullable(z.string()), kind: z.string() })
/** An event as the database tells it; `id` grows. */
export type Event = z.infer<typeof Told>

/** Tells who listens what was committed anywhere. A hint: whoever must not miss a thing polls beside it. */
export interface EventHub {
  /** Events from this call on, until `signal` aborts. One of kind "reconnected" says that some may have been missed. */
  subscribe(wanted: (event: Event) => boolean, signal: AbortSignal): AsyncGenerator<Event>
  close(): Promise<void>
}

const reconnectMs = 2_000

/** Listens on a connection of its own, and again after it was lost. Starts at once, and while the database is down. */
export function openEventHub(connectionString: string, log: (message: string) => void): EventHub {
  const emitter = new EventEmitter().setMaxListeners(0)
  const closing = new AbortController()
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new pg.Client({ connectionString, keepAlive: true })
    client = next
    const lost = (error?: Error) => {
      if (client !== next || closing.signal.aborted) return
      client = null
      if (error) log(`events: ${error.message}; listening again in ${reconnectMs} ms`)
      timer = setTimeout(connect, reconnectMs)
    }
    next.on('error', lost)
    next.on('end', () => lost())
    next.on('notification', ({ payload }) => {
      const told = Told.safeParse(parseJson(payload ?? ''))
      if (told.success) emitter.emit('event', told.data)
    })
    try {
      await next.connect()
      await next.query('listen lectern_events')
      emitter.emit('reconnected')
    } catch (error) {
      await next.end().catch(() => {})
      lost(error as Error)
    }
  }
  void connect()

  return {
    subscribe(wanted, signal) {
      const queue: Event[] = []
      let wake = () => {}
      const add = (event: Event) => {
        queue.push(event)
        wake()
      }
      const push = (event: Event) => void (wanted(event) && add(event))
      const reconnected = () => add({ id: 0, organizationId: '', zoneId: null, kind: 'reconnected' })
      const stop = AbortSignal.any([signal, closing.signal])
      const end = () => {
        emitter.off('event', push).off('reconnected', reconnected)
        wake()
      }
      if (!stop.aborted) emitter.on('event', push).on('reconnected', reconnected)
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
    },
    async close() {
      closing.abort()
      clearTimeout(timer)
      await client?.end().catch(() => {})
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
