import { setTimeout as pause } from 'node:timers/promises'
import type { RolloutDetail } from '@lectern/contract/rollouts.ts'
import type { Database } from '../lib/database/database.ts'
import type { Event, EventHub } from '../lib/event-hub.ts'
import type { ServerSentEvent } from '../lib/http/serve.ts'
import { rolloutDetail } from './rollouts.ts'

/** A picture is worked out at most this often, and looked for this often where no event has told of a change. */
const pace = { atMostMs: 500, pollMs: 3_000 }
/** An unchanged picture is sent again after this long, so that whoever watches knows that the line is there. */
const repeatMs = 15_000
/** A stream ends after this long. Whoever opens it again shows who they are again. */
const openForMs = 5 * 60_000

/** A rollout that somebody watches: one picture for all who do. */
interface Watch {
  picture: RolloutDetail
  version: number
  /** Settled when the picture has changed. */
  changed: PromiseWithResolvers<void>
  viewers: number
  stop: AbortController
}

const watches = new WeakMap<EventHub, Map<string, Watch>>()

/** The pictures of a rollout: as it is now, then each time it has changed. Throws a Problem where there is none of this id. */
export async function watchRollout(
  db: Database,
  events: EventHub,
  { organizationId, id }: { organizationId: string; id: string },
  signal: AbortSignal,
): Promise<AsyncGenerator<ServerSentEvent>> {
  const first = await rolloutDetail(db, organizationId, id)
  const known = watches.get(events) ?? new Map<string, Watch>()
  watches.set(events, known)
  const open = known.get(first.id)
  const watch: Watch =
    open && !open.stop.signal.aborted
      ? open
      : { picture: first, version: 0, changed: Promise.withResolvers<void>(), viewers: 0, stop: new AbortController() }
  watch.viewers++
  if (known.get(first.id) !== watch) {
    known.set(first.id, watch)
    const end = () => {
      if (known.get(first.id) === watch) known.delete(first.id)
      watch.stop.abort()
    }
    void follow(watch, db, events, organizationId).then(end, end)
  }
  const leave = () => {
    if (--watch.viewers === 0) watch.stop.abort()
  }
  return pictures(watch, AbortSignal.any([signal, watch.stop.signal, AbortSignal.timeout(openForMs)]), leave)
}

async function* pictures(watch: Watch, signal: AbortSignal, leave: () => void): AsyncGenerator<ServerSentEvent> {
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    for (let sent = -1; !signal.aborted; ) {
      const { picture, version, changed } = watch
      if (version !== sent) {
        sent = version
        yield { id: String(version), event: 'rollout', data: JSON.stringify(picture) }
      } else await Promise.race([changed.promise, ended])
    }
  } finally {
    leave()
  }
}

/** Keeps the picture of a rollout up to date until nobody watches any more, or it cannot be had: then its streams end, and are opened again. */
async function follow(watch: Watch, db: Database, events: EventHub, organizationId: string): Promise<void> {
  const { signal } = watch.stop
  let hint = Promise.withResolvers<void>()
  const isOurs = ({ organizationId: of, zoneId }: Event) =>
    of === organizationId && watch.picture.parts.some((part) => part.zoneId === zoneId)
  const hear = async () => {
    for await (const _ of events.subscribe(isOurs, signal)) hint.resolve()
    watch.stop.abort()
  }
  void hear()
  let sentAt = Date.now()
  for (;;) {
    const poll = new AbortController()
    const due = pause(pace.pollMs, undefined, { signal: AbortSignal.any([signal, poll.signal]) }).catch(() => undefined)
    await Promise.race([hint.promise, due])
    poll.abort()
    if (signal.aborted) return
    hint = Promise.withResolvers<void>()
    const rest = pause(pace.atMostMs, undefined, { signal }).catch(() => undefined)
    const picture = await rolloutDetail(db, organizationId, watch.picture.id)
    if (!isSame(picture, watch.picture) || Date.now() - sentAt >= repeatMs) {
      sentAt = Date.now()
      const { changed } = watch
      Object.assign(watch, { picture, version: watch.version + 1, changed: Promise.withResolvers<void>() })
      changed.resolve()
    }
    await rest
  }
}

const isSame = ({ at: _, ...one }: RolloutDetail, { at: __, ...other }: RolloutDetail): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
