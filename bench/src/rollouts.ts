import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { aboutHost, enroll, post } from './hosts.ts'
import { judge, measure, printHeading } from './measure.ts'
import type { Portal } from './portal.ts'

const zones = 20
// A host may not have more of them, nor report as many outcomes in a minute.
const readers = Math.min(Number(process.env.READERS ?? 10_000), 10_000) / zones
/** Reports per host, spread over `seconds`. */
const reports = 10
const seconds = 10
const streams = 10
/** Milliseconds by which a stream may be behind what hosts know to be stored. */
const allowedLag = 2_000

/** How many readers had settled at a time, as hosts know it or as a stream shows it. */
interface Moment {
  at: number
  settled: number
}

interface Zone {
  id: string
  credential: string
  serials: string[]
}

/**
 * The most buffers for a rollout's head, ten of its zones, and 25 of its readers, and the most bytes of a stream's event, whatever it is
 * published to.
 */
const most = { head: 700, zones: 600, readers: 500, waiting: 2_500, bytes: 4_000 }

/** The cost of a rollout's page, for 10 zones and for 1,000, with 40 readers each. Half of the readers are done, some failed. */
async function benchPage(portal: Portal): Promise<void> {
  printHeading('a rollout, 40 readers per zone')
  const paths = [await openLarge(portal, 10), await openLarge(portal, 1_000)]
  // Until the fold, each zone with a changed number of readers is looked up.
  for (let changed = 1; changed > 0; await pause(200))
    changed = (await portal.client.query('select count(*)::int as count from present_change')).rows[0].count
  await portal.client.query('vacuum analyze')
  for (const [index, count] of [10, 1_000].entries()) {
    const path = paths[index]!
    const head = await measure(portal, `${count} zones: the rollout`, path)
    const first = await measure(portal, `${count} zones: ten of them`, `${path}/parts?PageSize=10`)
    const readers = await measure(portal, `${count} zones: 25 readers`, `${path}/readers?PageSize=25`)
    const last = await measure(
      portal,
      `${count} zones: the last of them`,
      `${path}/readers?PageSize=25&PageNumber=${(count * 40) / 25 - 1}`,
    )
    const failed = await measure(portal, `${count} zones: those that failed`, `${path}/readers?PageSize=25&state=failed`)
    const waiting = await measure(portal, `${count} zones: those that wait`, `${path}/readers?PageSize=25&state=waiting`)
    const bytes = JSON.stringify(await portal.ask(path)).length
    judge('SCL-13', `buffers of the rollout to ${count} zones`, head.buffers, { most: most.head })
    judge('SCL-13', 'buffers of ten of its zones', first.buffers, { most: most.zones })
    judge('SCL-13', 'buffers of 25 of its readers', Math.max(readers.buffers, last.buffers, failed.buffers), { most: most.readers })
    judge('SCL-13', 'buffers of 25 that wait', waiting.buffers, { most: most.waiting })
    judge('SCL-13', 'bytes of its event', bytes, { most: most.bytes })
  }
}

/** Returns the path of its rollout. */
async function openLarge({ client }: Portal, count: number): Promise<string> {
  const [organization, rollout] = [randomUUID(), randomUUID()]
  const { rows } = await client.query('insert into organization (public_id, name) values ($1, $1) returning id', [organization])
  const { id } = rows[0]
  const sql = (text: string, ...values: unknown[]) => client.query(text, [id, ...values])
  await sql(
    `insert into zone (public_id, organization_id, name) select gen_random_uuid(), $1::int, 'Zone ' || n from generate_series(1, $2::int) n`,
    count,
  )
  await sql(`
    insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at)
    select $1::int, z.name || '-' || n, 'CR2700', z.id, now() from zone z, generate_series(1, 40) n where z.organization_id = $1`)
  await sql('insert into rollout (id, organization_id) values ($2, $1)', rollout)
  await sql(
    `insert into publication (id, organization_id, zone_id, zone_name, device_type, revision, content, content_hash, size, update_time, rollout_id)
     select gen_random_uuid(), $1::int, id, name, 'CR2700', 1, 'cfg', repeat('a', 64), 10, '02:00', $2 from zone where organization_id = $1`,
    rollout,
  )
  await sql(`
    insert into outcome (publication_id, device_id, organization_id, outcome, happened_at)
    select p.id, d.id, $1::int, case when d.id % 20 = 0 then 'failed' else 'applied' end, now()
    from publication p join device d on d.organization_id = $1 and d.zone_id = p.zone_id where p.organization_id = $1 and d.id % 2 = 0`)
  return `/api/codedm/organization/${organization}/rollouts/${rollout}`
}

/** Readers that all finish within seconds while several browsers watch: how far their streams fall behind, and what they end with. */
export async function benchRollouts(portal: Portal): Promise<void> {
  await benchPage(portal)
  const total = zones * readers
  process.stdout.write(`${total} readers of ${zones} zones finish within ${seconds} s while ${streams} browsers watch\n`)
  const [organization, rollout] = [randomUUID(), randomUUID()]
  await portal.client.query('insert into organization (public_id, name) values ($1, $1)', [organization])
  const all: Zone[] = []
  for (let number = 0; number < zones; number++) all.push(await openZone(portal, organization, rollout, number))

  const path = `/api/codedm/organization/${organization}/rollouts/${rollout}/events`
  const watched = Array.from({ length: streams }, () => watch(portal, path, total))
  await Promise.all(watched.map(({ open }) => open))
  const acknowledged: Moment[] = []
  let settled = 0
  const start = performance.now()
  await Promise.all(
    all.map(async (zone, index) => {
      for (let number = 0; number < reports; number++) {
        await pause(Math.max(0, start + ((number + index / zones) * seconds * 1_000) / reports - performance.now()))
        // Counted only after the response.
        const count = await report(portal, zone, number)
        settled += count
        acknowledged.push({ at: performance.now(), settled })
      }
    }),
  )
  const took = (performance.now() - start) / 1_000
  const shown = await Promise.all(watched.map(({ whole }) => whole))
  const lags = shown.flatMap((moments) => acknowledged.map((report) => computeLag(report, moments)))
  const worst = Math.round(Math.max(...lags))
  const messages = shown.reduce((sum, moments) => sum + moments.length, 0) / streams
  process.stdout.write(
    `reported in ${took.toFixed(1)} s; a stream had ${messages.toFixed(0)} messages, and was behind by ${median(lags)} ms in the median, ${worst} ms at most\n`,
  )
  const { rows } = await portal.client.query(
    'select count(*)::int as count from outcome join publication on publication.id = publication_id where rollout_id = $1',
    [rollout],
  )
  judge('', 'readers that a stream ends with, less or more than the truth', Math.abs(rows[0].count - shown[0]!.at(-1)!.settled), {
    most: 0,
  })
  judge('', 'ms that a stream is behind at most', worst, { most: allowedLag })
}

const median = (numbers: number[]): number => Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!)
const computeLag = (acknowledged: Moment, shown: Moment[]): number =>
  Math.max(0, shown.find(({ settled }) => settled >= acknowledged.settled)!.at - acknowledged.at)

async function openZone(portal: Portal, organization: string, rollout: string, number: number): Promise<Zone> {
  const { id, credential } = await enroll(portal, organization, `Bench ${number}`)
  const serials = Array.from({ length: readers }, (_, index) => `B${number}-${index}`)
  const state = { deviceType: 'CR2700', firmware: '4.9.2', configuration: null, batteryHealth: 80, warrantyUntil: null }
  const devices = serials.map((serialNumber) => ({ serialNumber, ...state }))
  await post(portal, '/api/agent/check-in', { ...aboutHost, devices }, credential)
  const place = `/api/codedm/organization/${organization}/location/${id}/device/CR2700/configuration/cfg`
  await post(portal, place, { cfg: '<cfg>1</cfg>', rollout, when: 'now' })
  return { id, credential, serials }
}

/** Returns how many readers it settled. */
async function report(portal: Portal, { credential, serials }: Zone, number: number): Promise<number> {
  const desired = (await (await portal.send('/api/agent/desired', {}, credential)).json()) as { configurations: { publication: string }[] }
  const { publication } = desired.configurations[0]!
  const batch = serials.filter((_, index) => index % reports === number)
  const outcomes = batch.map((serialNumber, index) => ({
    publication,
    serialNumber,
    at: new Date().toISOString(),
    ...(index % 20 === 0 ? { outcome: 'failed', reason: 'Battery at 14%.' } : { outcome: 'applied', reason: null }),
  }))
  await post(portal, '/api/agent/outcomes', { outcomes }, credential)
  return batch.length
}

/** Follows a stream until it shows everything. `open`: resolves with its first message. */
function watch(portal: Portal, path: string, total: number): { open: Promise<void>; whole: Promise<Moment[]> } {
  const opened = Promise.withResolvers<void>()
  const whole = (async () => {
    const stop = new AbortController()
    const response = await portal.send(path, { signal: stop.signal })
    const moments: Moment[] = []
    let text = ''
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const data = /^data: (.*)$/m.exec(message)?.[1]
        if (!data) continue
        const { counts } = JSON.parse(data) as { counts: { applied: number; failed: number } }
        moments.push({ at: performance.now(), settled: counts.applied + counts.failed })
      }
      if (moments.length > 0) opened.resolve()
      if (moments.at(-1)?.settled === total) break
    }
    stop.abort()
    return moments
  })()
  return { open: opened.promise, whole }
}
