import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'
import { type RowsRead, rowsRead } from '../lib/database/rows.ts'
import { statementsDuring } from '../testing/database/statements.ts'
import { reader } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

type Zone = Awaited<ReturnType<typeof server.zone>>
type Host = Awaited<ReturnType<typeof server.host>>

/** Opens a rollout's stream for the time of a test. `until` reads on until a snapshot is as expected. */
async function watch({ organization, manager }: Zone, id: string) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const path = `/api/codedm/organization/${organization.id}/rollouts/${id}/events`
  const response = await server.fetch(path, { headers: { authorization: `Bearer ${manager.token}` }, signal: stop.signal })
  const lines = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<RolloutDetail> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      const message = text.slice(0, Math.max(end, 0))
      if (end < 0) {
        const { value, done } = await lines.read()
        if (done) throw new Error('The stream has ended')
        text += value
        continue
      }
      text = text.slice(end + 2)
      const data = /^event: rollout\ndata: (.*)$/m.exec(message)?.[1]
      if (data) return JSON.parse(data)
    }
  }
  const until = async (isWanted: (rollout: RolloutDetail) => boolean): Promise<RolloutDetail> => {
    for (;;) {
      const rollout = await next()
      if (isWanted(rollout)) return rollout
    }
  }
  return { response, next, until, stop }
}

async function publish({ id, organization, manager }: Zone, rollout = uuidv7()): Promise<string> {
  const params = { organizationId: organization.id, location: id, device: 'CR2700' }
  await manager.call('publishCfg', { params, body: { cfg: '<cfg></cfg>', when: 'now', rollout } })
  return rollout
}
const getPublication = async (host: Host) => (await host.call('getDesired')).body.configurations[0]!.publication
const makeOutcome = (publication: string, serialNumber: string, isApplied = true) => ({
  publication,
  serialNumber,
  at: new Date().toISOString(),
  ...(isApplied ? { outcome: 'applied', reason: null } : { outcome: 'failed', reason: 'Battery at 14%.' }),
})

test('zones that report while a rollout is watched are looked up together', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  await host.checkIn([reader('A')])
  const id = await publish(zone)
  const { next, until } = await watch(zone, id)
  await next()
  const publication = await getPublication(host)
  const statements = await statementsDuring(async () => {
    await sql`
      select pg_notify('lectern_events', json_build_object('id', n, 'organizationId', ${zone.organization.key}::int, 'zoneId', 'other ' || n, 'kind', 'progress')::text)
      from generate_series(1, 300) n`.execute(db)
    await host.call('reportProgress', { body: { progress: [{ publication, serialNumber: 'A', percent: 61 }] } })
    await until(({ counts }) => counts.downloading === 1)
  })
  const lookups = statements.filter(({ sql }) => /z\.public_id = /.test(sql))
  expect(lookups.length).toBeGreaterThan(0)
  expect(lookups.length).toBeLessThan(20)
  expect(lookups.flatMap(({ parameters }) => parameters.flat())).toContain('other 300')
})

test('[PUB-15] a stream sends the rollout at once and when it changes, to everybody who watches', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  await host.checkIn([reader('A'), reader('B')])
  const id = await publish(zone)
  const [one, two] = [await watch(zone, id), await watch(zone, id)]
  expect(one.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect((await one.next()).counts).toMatchObject({ readers: 2, applied: 0, waiting: 2 })
  await two.next()
  const publication = await getPublication(host)
  await host.call('reportProgress', { body: { progress: [{ publication, serialNumber: 'A', percent: 61 }] } })
  await one.until(({ counts }) => counts.downloading === 1)
  await host.call('reportOutcomes', { body: { outcomes: [makeOutcome(publication, 'A'), makeOutcome(publication, 'B', false)] } })
  for (const { until } of [one, two]) {
    const { failed, state } = await until(({ counts }) => counts.applied === 1)
    expect({ failed, state }).toMatchObject({ failed: [{ serialNumber: 'B', reason: 'Battery at 14%.' }], state: 'complete' })
  }
  one.stop.abort()
  await publish(zone)
  await zone.manager.call('retryRollout', { params: { organizationId: zone.organization.id, id } })
  await two.until(({ current }) => current === 0)
})

test('[PUB-15] the stream of a rollout that is not there is refused', async () => {
  const zone = await server.zone()
  expect((await watch(zone, uuidv7())).response.status).toBe(404)
})

test('[PER-20] of two organizations that chose the same id, each stream sends the rollout of its own', async () => {
  const [one, two] = [await server.zone('Of one'), await server.zone('Of two')]
  const id = await publish(one)
  await publish(two, id)
  const streams = [await watch(one, id), await watch(two, id)]
  const shown = await Promise.all(streams.map(async ({ next }) => (await next()).zones))
  expect(shown).toEqual([['Of one'], ['Of two']])
})

test('a stream does not wake for what happens in zones of others, and shows when its rollout is published there too', async () => {
  const here = await server.zone('Here')
  const theirs = { ...(await server.zone('Elsewhere', here.organization)), manager: here.manager }
  const host = await server.host(theirs)
  await host.checkIn([reader('A')])
  const [one, two] = [await publish(here), await publish(theirs)]
  const publication = await getPublication(host)
  const read = new Map([
    [one, 0],
    [two, 0],
  ])
  const count = (message: unknown) => {
    for (const row of (message as RowsRead).rows as { id?: string; parts?: number }[])
      if (row.parts !== undefined && read.has(row.id!)) read.set(row.id!, read.get(row.id!)! + 1)
  }
  rowsRead.subscribe(count)
  onTestFinished(() => void rowsRead.unsubscribe(count))
  const [stream, busy] = [await watch(here, one), await watch(theirs, two)]
  for (const percent of [20, 40, 60, 80]) {
    await host.call('reportProgress', { body: { progress: [{ publication, serialNumber: 'A', percent }] } })
    await busy.until(({ events }) => events[0]?.percent === percent)
  }
  expect(read.get(two)! - read.get(one)!).toBeGreaterThanOrEqual(3)
  await publish(theirs, one)
  await stream.until(({ zoneCount }) => zoneCount === 2)
})

/** `readers`: per zone. `batch`: outcomes per report. */
const size = { readers: 2_500, zones: 4, batch: 500 }

test('[PUB-15] 10,000 readers that report at once are counted right, and every stream ends with the truth', {
  timeout: 120_000,
}, async () => {
  const organization = await server.organization()
  const rollout = uuidv7()
  const zones: Zone[] = []
  const reports: (() => Promise<{ status: number }>)[] = []
  for (let number = 0; number < size.zones; number++) {
    const zone = await server.zone(`Zone ${number}`, organization)
    const manager = zones[0]?.manager ?? zone.manager
    zones.push({ ...zone, manager })
    const hosts = [await server.host(zone, 'HOST-A'), await server.host(zone, 'HOST-B')]
    const serials = Array.from({ length: size.readers }, (_, index) => `Z${number}-${String(index).padStart(5, '0')}`)
    const batches = Array.from({ length: size.readers / size.batch }, (_, index) =>
      serials.slice(index * size.batch, (index + 1) * size.batch),
    )
    for (const [index, batch] of batches.entries()) await hosts[index % 2]!.checkIn(batch.map((serial) => reader(serial)))
    await publish({ ...zone, manager }, rollout)
    const [publication] = await Promise.all(hosts.map(getPublication))
    for (const [index, batch] of batches.entries()) {
      const outcomes = batch.map((serial, place) => makeOutcome(publication!, serial, (place * 7 + index + number) % 50 !== 0))
      // Both hosts report each batch, as when a reply was lost. Each reader counts once all the same.
      for (const host of hosts) reports.push(() => host.call('reportOutcomes', { body: { outcomes } }))
    }
  }
  const watcher = zones[0]!
  const streams = [await watch(watcher, rollout), await watch(watcher, rollout)]
  for (const { next } of streams) expect((await next()).counts).toMatchObject({ readers: 10_000, waiting: 10_000 })
  const heard = streams.map(({ until }) => until(({ counts }) => counts.applied + counts.failed === counts.readers))
  const answers = await Promise.all(reports.map((report) => report()))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { rows } = await sql<{ applied: number; failed: number }>`
    select count(*) filter (where outcome = 'applied')::int as applied, count(*) filter (where outcome = 'failed')::int as failed
    from outcome join publication on publication.id = publication_id where rollout_id = ${rollout}`.execute(db)
  const truth = { readers: 10_000, ...rows[0]!, downloading: 0, waiting: 0, silent: 0, replaced: 0 }
  expect(truth.applied + truth.failed).toBe(10_000)
  expect(truth.failed).toBeGreaterThan(100)
  for (const last of heard) expect((await last).counts).toEqual(truth)
  const { counts, parts } = await readRollout(watcher.manager, { organizationId: organization.id, id: rollout })
  expect(counts).toEqual(truth)
  expect(parts.map(({ counts }) => counts.readers)).toEqual(Array(size.zones).fill(size.readers))
})
