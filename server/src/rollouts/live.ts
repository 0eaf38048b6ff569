import { setTimeout as pause } from 'node:timers/promises'
import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { Event, EventHub } from '../lib/event-hub.ts'
import { type EventSource, openForMs, type Viewer } from '../lib/http/send-events.ts'
import { getRollout } from './rollouts.ts'
import { type ScopedRollout, selectPublishedAmong } from './sql.ts'

/** Milliseconds. A snapshot is read at most once in `atMostMs`; without an event, once in `pollMs`. */
const pace = { atMostMs: 500, pollMs: 3_000 }
/** Milliseconds after which an unchanged snapshot is sent again, so that viewers see the connection is alive. */
const repeatMs = 15_000

interface Watch {
  snapshot: RolloutDetail
  version: number
  viewers: Set<Viewer>
  stop: AbortController
}

const watches = new WeakMap<EventHub, Map<string, Watch>>()

export async function watchRollout(db: Database, events: EventHub, { organizationId, zones, id }: ScopedRollout): Promise<EventSource> {
  const scope = { organizationId, zones }
  const snapshot = await getRollout(db, { ...scope, id })
  return (viewer) => {
    const watch = findWatch(db, events, scope, snapshot)
    watch.viewers.add(viewer)
    sendSnapshot(viewer, watch)
    const timer = setTimeout(() => viewer.end(), openForMs)
    return () => {
      clearTimeout(timer)
      watch.viewers.delete(viewer)
      if (watch.viewers.size === 0) watch.stop.abort()
    }
  }
}

const sendSnapshot = (viewer: Viewer, { version, snapshot }: Watch) =>
  viewer.send({ id: String(version), event: 'rollout', data: JSON.stringify(snapshot) })

function findWatch(db: Database, events: EventHub, scope: ZoneScope, snapshot: RolloutDetail): Watch {
  const running = watches.get(events) ?? new Map<string, Watch>()
  watches.set(events, running)
  // Ids of rollouts are unique within an organization only. Viewers who see other zones get other snapshots.
  const name = JSON.stringify([scope.organizationId, scope.zones, snapshot.id])
  const known = running.get(name)
  if (known && !known.stop.signal.aborted) return known
  const watch: Watch = { snapshot, version: 0, viewers: new Set(), stop: new AbortController() }
  running.set(name, watch)
  // Where a snapshot cannot be read, all streams end, and viewers open them again.
  const end = () => {
    if (running.get(name) === watch) running.delete(name)
    watch.stop.abort()
    for (const viewer of watch.viewers) viewer.end()
  }
  void refreshSnapshots(watch, db, events, scope).then(end, end)
  return watch
}

// Returns a listener that wakes for events of the rollout's zones. Zones that are not known yet are looked up together, by one statement at
// a time.
function createZoneListener(findHere: (zones: string[]) => Promise<Set<string>>, wake: () => void) {
  const areHere = new Map<string, boolean>()
  const unknown = new Set<string>()
  let isAsking = false
  const ask = async () => {
    isAsking = true
    while (unknown.size > 0) {
      const zones = [...unknown]
      unknown.clear()
      const here = await findHere(zones).catch(() => undefined)
      if (here) for (const zone of zones) areHere.set(zone, here.has(zone))
      if (!here || here.size > 0) wake()
    }
    isAsking = false
  }
  return ({ zoneId, kind }: Event): void => {
    if (zoneId === null) {
      wake()
      return
    }
    // The rollout may have been published to this zone just now.
    if (kind === 'desired') areHere.delete(zoneId)
    const isHere = areHere.get(zoneId)
    if (isHere) wake()
    if (isHere !== undefined) return
    unknown.add(zoneId)
    if (!isAsking) void ask()
  }
}

async function refreshSnapshots(watch: Watch, db: Database, events: EventHub, scope: ZoneScope): Promise<void> {
  const { signal } = watch.stop
  let wakeup = Promise.withResolvers<void>()
  const hear = createZoneListener(
    (zones) => selectPublishedAmong(db, { ...scope, id: watch.snapshot.id }, zones),
    () => wakeup.resolve(),
  )
  const unsubscribe = events.subscribe(scope.organizationId, {
    hear,
    end: () => watch.stop.abort(),
  })
  signal.addEventListener('abort', unsubscribe, { once: true })
  let sentAt = Date.now()
  for (;;) {
    const poll = new AbortController()
    const due = pause(pace.pollMs, undefined, { signal: AbortSignal.any([signal, poll.signal]) }).catch(() => undefined)
    await Promise.race([wakeup.promise, due])
    poll.abort()
    if (signal.aborted) return
    wakeup = Promise.withResolvers<void>()
    const untilNext = pause(pace.atMostMs, undefined, { signal }).catch(() => undefined)
    const snapshot = await getRollout(db, { ...scope, id: watch.snapshot.id })
    if (!isSame(snapshot, watch.snapshot) || Date.now() - sentAt >= repeatMs) {
      sentAt = Date.now()
      watch.snapshot = snapshot
      watch.version++
      for (const viewer of watch.viewers) sendSnapshot(viewer, watch)
    }
    await untilNext
  }
}

const isSame = ({ at: _, ...one }: RolloutDetail, { at: __, ...other }: RolloutDetail): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
