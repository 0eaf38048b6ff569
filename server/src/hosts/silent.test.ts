import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../testing/database/database.ts'
import { reader, type TestOrganization, type TestPerson } from '../testing/makers.ts'
import { serverForFile, startServer, type TestServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const server = await serverForFile()

const gate = { maxFailedPercent: 100, maxSilentPercent: 10 }
const serials = Array.from({ length: 10 }, (_, index) => `R${index}`)

/** Sets everything that host PCs and servers did back by so much time. */
async function spend({ app: { db } }: TestServer, { minutes = 0, seconds = 0 }): Promise<void> {
  const span = sql`make_interval(mins => ${minutes}, secs => ${seconds})`
  await sql`update host set last_seen_at = last_seen_at - ${span}, readers_seen_at = readers_seen_at - ${span},
    stream_closed_at = stream_closed_at - ${span}`.execute(db)
  await sql`update device set last_seen_at = last_seen_at - ${span}`.execute(db)
  await sql`update check_in_outage set began_at = began_at - ${span}, ended_at = ended_at - ${span}`.execute(db)
}

/** A zone with a host PC that has ten readers and has just checked in. */
async function newZone(at: TestServer = server, organization?: TestOrganization) {
  const zone = await at.zone(undefined, organization)
  const host = await at.host(zone)
  const checkIn = () =>
    host.checkIn(
      serials.map((serial) => reader(`${zone.key}-${serial}`)),
      { knowsPhases: true },
    )
  await checkIn()
  const streamState = async () => {
    const { stream_server, stream_closed_at } = await at.app.db
      .selectFrom('host')
      .select(['stream_server', 'stream_closed_at'])
      .where('public_id', '=', host.hostId)
      .executeTakeFirstOrThrow()
    return stream_server === null ? 'never' : stream_closed_at === null ? 'open' : 'closed'
  }
  /** Opens the host's event stream at a server. Returns a function that ends it and has the server write that. */
  const listen = async (through: TestServer = at) => {
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const closed = new Promise((resolve) => through.app.http.server.once('request', (_, response) => response.once('close', resolve)))
    const response = await through.fetch('/api/agent/events', {
      headers: { authorization: `Bearer ${host.credential}` },
      signal: stop.signal,
    })
    // Nothing else references the response: it would be garbage-collected, and its stream end.
    onTestFinished(() => void response)
    await through.app.beat()
    expect(await streamState()).toBe('open')
    return async () => {
      stop.abort()
      await closed
      await through.app.beat()
    }
  }
  return { zone, host, checkIn, listen, streamState, organizationId: zone.organization.id }
}

type Zone = Awaited<ReturnType<typeof newZone>>

const makeBody = ({ zone }: Zone) => ({
  key: uuidv7(),
  zones: { ids: [zone.id] },
  parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>' } }],
  when: { now: true },
})

/** Counts those of the zone's ten readers that the dry run calls silent. */
async function countSilent(one: Zone, { call }: Pick<TestPerson, 'call'> = one.zone.manager): Promise<number> {
  const { body } = await call('previewPublication', { params: { organizationId: one.organizationId }, body: makeBody(one) })
  const { readers, changes, silent } = body.parts[0]!.counts
  expect([readers, changes + silent]).toEqual([10, 10])
  return silent
}

test('[RIT-05 DRY-01] a host PC is silent once its stream has been closed for 90 seconds, until it checks in or opens one', async () => {
  const one = await newZone()
  const hangUp = await one.listen()
  await spend(server, { minutes: 10 })
  await hangUp()
  await spend(server, { seconds: 80 })
  expect(await countSilent(one)).toBe(0)
  await spend(server, { seconds: 11 })
  expect(await countSilent(one)).toBe(10)
  await one.checkIn()
  expect(await countSilent(one)).toBe(0)
  // It has checked in since.
  await spend(server, { minutes: 20 })
  expect(await countSilent(one)).toBe(0)
  const again = await one.listen()
  await spend(server, { minutes: 5 })
  expect(await countSilent(one)).toBe(0)
  await again()
  await spend(server, { minutes: 2 })
  expect(await countSilent(one)).toBe(10)
  await one.listen()
  expect(await countSilent(one)).toBe(0)
})

test('[RIT-05 DRY-01] a host PC that has missed two check-ins is silent, with or without a stream', async () => {
  const [without, listening] = [await newZone(), await newZone()]
  await listening.listen()
  await spend(server, { minutes: 29 })
  expect([await countSilent(without), await countSilent(listening)]).toEqual([0, 0])
  await spend(server, { seconds: 61 })
  expect([await countSilent(without), await countSilent(listening)]).toEqual([10, 10])
  await listening.checkIn()
  expect([await countSilent(without), await countSilent(listening)]).toEqual([10, 0])
})

test('[RIT-05 PHA-01] minutes after a host PC ended, the page of the rollout says so, and a gate for silent readers halts', async () => {
  const one = await newZone()
  const hangUp = await one.listen()
  const params = { organizationId: one.organizationId, id: uuidv7() }
  const phases = [{ share: 50, soakMinutes: 0, gate }]
  const { status } = await one.zone.manager.call('publishToZones', { params, body: { ...makeBody(one), key: params.id, phases } })
  expect(status).toBe(200)
  const detail = async () => (await one.zone.manager.call('getRollout', { params })).body
  const states = async () =>
    (await one.zone.manager.call('listRolloutReaders', { params, query: { state: 'silent' } })).body.readerList.map(({ state }) => state)
  await server.app.sweep()
  expect(await detail()).toMatchObject({
    state: 'updating',
    counts: { waiting: 10, silent: 0 },
    phases: [{ state: 'running', silent: 0 }, {}],
  })
  expect(await states()).toEqual([])
  await hangUp()
  await spend(server, { minutes: 2 })
  expect(await detail()).toMatchObject({ state: 'waitingForHost', counts: { waiting: 0, silent: 10 } })
  expect(await states()).toEqual(serials.map(() => 'silent'))
  expect((await one.zone.manager.call('listRolloutParts', { params })).body.partList).toMatchObject([
    { state: 'waitingForHost', counts: { waiting: 0, silent: 10 } },
  ])
  await server.app.sweep()
  const { phases: counted } = await detail()
  expect(counted[0]).toMatchObject({ state: 'halted', haltedBy: 'silent', silent: counted[0]!.readers })
  expect(counted[0]).not.toHaveProperty('offline')
  const entry = server.app.db.selectFrom('audit_entry').select('new_value').where('organization_id', '=', one.zone.organization.key)
  const { new_value } = await entry.where('change_type', '=', 'gateHalt').executeTakeFirstOrThrow()
  expect(new_value).toBe(`${counted[0]!.readers} of ${counted[0]!.readers} readers of phase 1 (50% of the readers) were silent`)
})

test('[RIT-05 LIM-01] silent is not offline: the dashboard counts who was not seen for 72 hours, the dry run whose host PC is silent', async () => {
  const one = await newZone()
  const totals = async () =>
    (await one.zone.manager.call('getDeviceTotals', { params: { organizationId: one.organizationId } })).body.offline
  await spend(server, { minutes: 60 })
  expect([await totals(), await countSilent(one)]).toEqual([0, 10])
  await spend(server, { minutes: 72 * 60 })
  expect([await totals(), await countSilent(one)]).toEqual([10, 10])
})

test('[RIT-05] a reader that its host PC no longer reports is silent in a rollout once two check-ins have gone by, and missing in the dry run', async () => {
  const one = await newZone()
  const params = { organizationId: one.organizationId, id: uuidv7() }
  await one.zone.manager.call('publishToZones', { params, body: { ...makeBody(one), key: params.id } })
  const counts = async () => (await one.zone.manager.call('getRollout', { params })).body.counts
  await one.host.checkIn(serials.slice(1).map((serial) => reader(`${one.zone.key}-${serial}`)))
  expect(await counts()).toMatchObject({ waiting: 10, silent: 0 })
  await spend(server, { minutes: 31 })
  await one.host.checkIn(serials.slice(1).map((serial) => reader(`${one.zone.key}-${serial}`)))
  expect(await counts()).toMatchObject({ waiting: 9, silent: 1 })
  const { body } = await one.zone.manager.call('previewPublication', { params, body: makeBody(one) })
  expect(body.parts[0]!.counts).toMatchObject({ changes: 9, missing: 1, silent: 0 })
})

test('[RIT-05] of several servers each knows the streams of the others, and closes those of one that was killed', async () => {
  const other = await startServer({ databaseUrl: server.databaseUrl })
  onTestFinished(other.stop)
  const one = await newZone()
  const leaveFirst = await one.listen()
  await spend(server, { minutes: 5 })
  const leaveOther = await one.listen(other)
  // The first hears of the end when the stream is open elsewhere.
  await leaveFirst()
  await spend(server, { minutes: 5 })
  expect([await one.streamState(), await countSilent(one)]).toEqual(['open', 0])
  await leaveOther()
  await spend(server, { minutes: 2 })
  expect(await countSilent(one)).toBe(10)
  // One that ended without a word left a stream open.
  const killed = uuidv7()
  const setBeat = (seconds: number) =>
    sql`insert into server_beat (id, beat_at) values (${killed}, now() - make_interval(secs => ${seconds}))
      on conflict (id) do update set beat_at = excluded.beat_at`.execute(server.app.db)
  await setBeat(25)
  await sql`update host set stream_server = ${killed}, stream_closed_at = null where public_id = ${one.host.hostId}`.execute(server.app.db)
  await server.app.beat()
  expect([await one.streamState(), await countSilent(one)]).toEqual(['open', 0])
  await setBeat(100)
  await server.app.beat()
  expect([await one.streamState(), await countSilent(one)]).toEqual(['closed', 10])
})

test('[RIT-05] a server that only was slow has its streams open again with its next beat', async () => {
  const one = await newZone()
  await one.listen()
  await sql`
    with gone as (update server_beat set is_stopped = true returning id)
    update host set stream_closed_at = now() from gone where stream_server = gone.id and stream_closed_at is null`.execute(server.app.db)
  await server.app.beat()
  expect(await one.streamState()).toBe('open')
  await sql`delete from check_in_outage`.execute(server.app.db)
  await spend(server, { minutes: 2 })
  expect(await countSilent(one)).toBe(0)
})

/** A server on a database of its own, which outlives it. */
async function restartable() {
  const { url, drop } = await createDatabase()
  const first = await startServer({ databaseUrl: url })
  let current = first
  onTestFinished(async () => {
    await current.stop()
    await drop()
  })
  const restart = async (afterMinutes: number) => {
    const { db } = first.app
    await first.app.close()
    const span = sql`make_interval(mins => ${afterMinutes})`
    await sql`update server_beat set beat_at = beat_at - ${span}`.execute(db)
    await spend(first, { minutes: afterMinutes })
    current = await startServer({ databaseUrl: url })
    await first.stop()
    return current
  }
  return { first, restart }
}

/** By another manager, as each server of a test has an identity provider of its own. */
const countSilentAt = async (at: TestServer, one: Zone) =>
  countSilent(one, await at.person({ organization: one.zone.organization, permissions: ['manage:cfg', 'manage:firmware'] }))

test('[RIT-05] a restart does not count, however long it was, and for one interval after it nobody is silent', async () => {
  const { first, restart } = await restartable()
  // The first host checked in 20 minutes before the restart. The second listens, and checked in just before it.
  const before = await newZone(first)
  await spend(first, { minutes: 20 })
  const listening = await newZone(first)
  await listening.listen()
  const next = await restart(60)
  const count = async () => [await countSilentAt(next, before), await countSilentAt(next, listening)]
  expect(await count()).toEqual([0, 0])
  await spend(next, { minutes: 14 })
  expect(await count()).toEqual([0, 0])
  // For the first, 35 minutes count; for the second 15, but its stream was not opened again.
  await spend(next, { seconds: 61 })
  expect(await count()).toEqual([10, 10])
})

test('[RIT-05] a short restart gives host PCs an interval to come back', async () => {
  const { first, restart } = await restartable()
  const one = await newZone(first)
  await spend(first, { minutes: 20 })
  const next = await restart(0)
  await spend(next, { minutes: 14 })
  expect(await countSilentAt(next, one)).toBe(0)
  await spend(next, { seconds: 61 })
  expect(await countSilentAt(next, one)).toBe(10)
})

test('[RIT-05] time in which no server could write to the database does not count', async () => {
  const one = await newZone()
  // Since 10 minutes after its check-in no beat was written.
  await spend(server, { minutes: 100 })
  await sql`update server_beat set beat_at = now() - interval '90 minutes'`.execute(server.app.db)
  await server.app.beat()
  expect(await countSilent(one)).toBe(0)
  await spend(server, { minutes: 16 })
  // 26 minutes count.
  expect(await countSilent(one)).toBe(0)
  await spend(server, { minutes: 5 })
  expect(await countSilent(one)).toBe(10)
  await sql`delete from check_in_outage`.execute(server.app.db)
})

test('[RIT-05] while check-ins of an organization are refused as too many come, none of its host PCs becomes silent, but those of others do', async () => {
  const [one, other] = [await newZone(), await newZone()]
  const { db } = server.app
  const organization = one.zone.organization
  const [licence] = await db.selectFrom('licence').select('id').where('organization_id', '=', organization.key).execute()
  const credentials = Array.from({ length: 205 }, (_, index) => `crowd-${organization.key}-${index}`)
  const hashes = credentials.map((credential) => createHash('sha256').update(credential).digest('hex'))
  await sql`
    with crowd as (
      insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version)
      select gen_random_uuid(), ${organization.key}::int, ${one.zone.key}::int, ${licence!.id}::uuid, 'PC ' || n, 'UTC', '1.0.0' from generate_series(1, 205) n returning id
    ), numbered as (select id, row_number() over (order by id) as n from crowd)
    insert into host_credential (credential_hash, organization_id, host_id)
    select hash, ${organization.key}::int, id from numbered join unnest(${hashes}::text[]) with ordinality as h (hash, n) using (n)`.execute(
    db,
  )
  await spend(server, { minutes: 29 })
  const holding = await db.startTransaction().execute()
  onTestFinished(async () => void (holding.isRolledBack || holding.isCommitted || (await holding.rollback().execute())))
  await sql`select from host where organization_id = ${organization.key} for update`.execute(holding)
  const statuses: number[] = []
  const body = { timeZone: 'UTC', agentVersion: '1.0.0', devices: [] }
  const crowd = credentials.map((token) => server.call('checkIn', { body }, { token }).then(({ status }) => void statuses.push(status)))
  await until(() => statuses.includes(429))
  await server.app.beat()
  await holding.rollback().execute()
  await Promise.all(crowd)
  await spend(server, { minutes: 2 })
  expect([await countSilent(one), await countSilent(other)]).toEqual([0, 10])
  await spend(server, { minutes: 13, seconds: 30 })
  expect([await countSilent(one), await countSilent(other)]).toEqual([10, 10])
})

test('[RIT-05] in the lists of host PCs one is online or silent', async () => {
  const one = await newZone()
  const isOnline = async () =>
    (await one.zone.manager.call('listZoneOverviews', { params: { organizationId: one.organizationId } })).body[0]!.hosts[0]!.isOnline
  expect(await isOnline()).toBe(true)
  await spend(server, { minutes: 29 })
  expect(await isOnline()).toBe(true)
  await spend(server, { minutes: 2 })
  expect(await isOnline()).toBe(false)
})
