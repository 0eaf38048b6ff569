import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serverForFile } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const server = await serverForFile()
const { db } = server.app

/** Opens a host's stream of events for the time of a test; `next` waits for one more event. */
async function listen(credential: string) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const response = await server.fetch('/api/agent/events', {
    headers: { authorization: `Bearer ${credential}`, 'accept-encoding': 'gzip, br' },
    signal: stop.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<Record<string, string>> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const fields = Object.fromEntries(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => line.split(/: (.*)/).slice(0, 2)),
        )
        text = text.slice(end + 2)
        if (fields.event) return fields
        continue
      }
      const { value, done } = await reader.read()
      if (done) throw new Error('The stream has ended')
      text += value
    }
  }
  /** Reads on until the event of that id and returns the ids up to it; an enrolment's own event may come before. */
  const hear = async (id: string): Promise<string[]> => {
    const heard: string[] = []
    while (heard.at(-1) !== id) heard.push((await next()).id ?? '')
    return heard
  }
  return { response, next, hear, stop }
}

type Zone = Awaited<ReturnType<typeof server.zone>>
const publish = (zone: Zone) => {
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  return zone.manager.call('publishCfg', { params, body: { cfg: '<cfg></cfg>' } })
}

test('a stream is uncompressed and never cached, and says "desired" at once', async () => {
  const host = await server.host(await server.zone())
  const { response, next } = await listen(host.credential)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(await next()).toEqual({ id: '0', event: 'desired', data: '{}' })
})

/** The id of the one event of a publish to the zone. */
const desiredEvent = async (zone: Zone): Promise<string> => {
  const row = db.selectFrom('event').select('id').where('zone_id', '=', zone.id).where('kind', '=', 'desired')
  return String((await row.executeTakeFirstOrThrow()).id)
}

test('a publish notifies the hosts of its zone, and no other', async () => {
  const zone = await server.zone()
  const other = await server.zone('of the same organization', zone.organization)
  const [one, two, stranger] = await Promise.all([
    listen((await server.host(zone, 'A')).credential),
    listen((await server.host(zone, 'B')).credential),
    listen((await server.host(other)).credential),
  ])
  for (const { next } of [one, two, stranger]) await next()
  await publish(zone)
  const id = await desiredEvent(zone)
  await Promise.all([one.hear(id), two.hear(id)])
  await publish(other)
  expect(await stranger.hear(await desiredEvent(other))).not.toContain(id)
})

test('what did not commit notifies no host', async () => {
  const zone = await server.zone()
  const { next, hear } = await listen((await server.host(zone)).credential)
  await next()
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(db)
  await sql`create trigger refuse after insert on event for each row execute function refuse()`.execute(db)
  expect((await publish(zone)).status).toBe(500)
  await sql`drop function refuse cascade`.execute(db)
  await publish(zone)
  const id = await desiredEvent(zone)
  // The refused one had taken the id before it.
  expect(await hear(id)).not.toContain(String(Number(id) - 1))
})

test('a host that reconnects is notified at once, as it may have missed something', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const first = await listen(host.credential)
  await first.next()
  first.stop.abort()
  await publish(zone)
  expect((await (await listen(host.credential)).next()).event).toBe('desired')
})

test('a lost connection to the database is opened again; listeners hear that they may have missed something, and go on', async () => {
  const zone = await server.zone()
  const { next } = await listen((await server.host(zone)).credential)
  await next()
  const listeners = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query = 'listen lectern_events' and datname = current_database()`
  expect((await listeners.execute(db)).rows).toHaveLength(1)
  // Lost with the connection; the event at reconnecting makes up for it.
  await publish(zone)
  expect((await next()).event).toBe('desired')
  await publish(zone)
  expect((await next()).event).toBe('desired')
  expect(server.lines.join('')).toContain('reconnecting in')
})

test('a host that is removed is notified', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const { next } = await listen(host.credential)
  await next()
  await zone.manager.call('removeHost', { params: { organizationId: zone.organization.id, host: host.hostId } })
  expect((await next()).event).toBe('desired')
  expect((await host.call('getDesired')).status).toBe(401)
})

test('streams share one timer, which ends with the last of them', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const begin = vi.spyOn(globalThis, 'setInterval')
  const end = vi.spyOn(globalThis, 'clearInterval')
  onTestFinished(() => void vi.restoreAllMocks())
  const streams = await Promise.all(Array.from({ length: 20 }, () => listen(host.credential)))
  for (const { next } of streams) await next()
  const timers = begin.mock.results.filter((_, call) => begin.mock.calls[call]![1] === 20_000).map(({ value }) => value)
  expect(timers.length).toBeLessThanOrEqual(1)
  for (const { stop } of streams) stop.abort()
  await until(() => timers.every((timer) => end.mock.calls.some(([ended]) => ended === timer)))
})
