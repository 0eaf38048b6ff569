import { setTimeout as pause } from 'node:timers/promises'
import type { RolloutDetail } from '@lectern/contract/rollouts.ts'
import type { Database } from '../lib/database/database.ts'
import type { Event, EventHub } from '../lib/event-hub.ts'
import type { ServerSentEvent } from '../lib/http/serve.ts'
import { getRollout } from './rollouts.ts'

/** A snapshot is read at most every `atMostMs`, and without an event every `pollMs`. */
const pace = { atMostMs: 500, pollMs: 3_000 }
/** After this long an unchanged snapshot is sent again, so that viewers see that the connection is alive. */
const repeatMs = 15_000
/** After this long a stream ends; its viewer opens it again and is authorized again. */
const openForMs = 5 * 60_000

interface Watch {
  snapshot: RolloutDetail
  version: number
  changed: PromiseWithResolvers<void>
  viewers: number
  stop: AbortController
}

const watches = new WeakMap<EventHub, Map<string, Watch>>()

export async function watchRollout(
  db: Database,
  events: EventHub,
  { organizationId, id }: { organizationId: string; id: string },
  signal: AbortSignal,
): Promise<AsyncGenerator<ServerSentEvent>> {
  const watch = joinWatch(db, events, organizationId, await getRollout(db, organizationId, id))
  return streamSnapshots(watch, AbortSignal.any([signal, watch.stop.signal, AbortSignal.timeout(openForMs)]))
}

function joinWatch(db: Database, events: EventHub, organizationId: string, snapshot: RolloutDetail): Watch {
  const open = watches.get(events) ?? new Map<string, Watch>()
  watches.set(events, open)
  const joined = open.get(snapshot.id)
  if (joined && !joined.stop.signal.aborted) {
    joined.viewers++
    return joined
  }
  const watch = { snapshot, version: 0, changed: Promise.withResolvers<void>(), viewers: 1, stop: new AbortController() }
  open.set(snapshot.id, watch)
  // Where a snapshot cannot be read, the streams end and their viewers open them again.
  const end = () => {
    if (open.get(snapshot.id) === watch) open.delete(snapshot.id)
    watch.stop.abort()
  }
  void refreshSnapshot(watch, db, events, organizationId).then(end, end)
  return watch
}

async function* streamSnapshots(watch: Watch, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    for (let sent = -1; !signal.aborted; ) {
      const { snapshot, version, changed } = watch
      if (version !== sent) {
        sent = version
        yield { id: String(version), event: 'rollout', data: JSON.stringify(snapshot) }
      } else await Promise.race([changed.promise, ended])
    }
  } finally {
    if (--watch.viewers === 0) watch.stop.abort()
  }
}

async function refreshSnapshot(watch: Watch, db: Database, events: EventHub, organizationId: string): Promise<void> {
  const { signal } = watch.stop
  let wakeup = Promise.withResolvers<void>()
  const concerns = (event: Event) =>
    event.organizationId === organizationId && watch.snapshot.parts.some(({ zoneId }) => zoneId === event.zoneId)
  const listen = async () => {
    for await (const _ of events.subscribe(concerns, signal)) wakeup.resolve()
    // The hub is closed.
    watch.stop.abort()
  }
  void listen()
  let sentAt = Date.now()
  for (;;) {
    const poll = new AbortController()
    const due = pause(pace.pollMs, undefined, { signal: AbortSignal.any([signal, poll.signal]) }).catch(() => undefined)
    await Promise.race([wakeup.promise, due])
    poll.abort()
    if (signal.aborted) return
    wakeup = Promise.withResolvers<void>()
    const untilNext = pause(pace.atMostMs, undefined, { signal }).catch(() => undefined)
    const snapshot = await getRollout(db, organizationId, watch.snapshot.id)
    if (!isSame(snapshot, watch.snapshot) || Date.now() - sentAt >= repeatMs) {
      sentAt = Date.now()
      const { changed } = watch
      watch.snapshot = snapshot
      watch.version++
      watch.changed = Promise.withResolvers<void>()
      changed.resolve()
    }
    await untilNext
  }
}

const isSame = ({ at: _, ...one }: RolloutDetail, { at: __, ...other }: RolloutDetail): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
