import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { aboutHost, createOrganization, enroll, post } from './hosts.ts'
import { judge, median, printHeading, timed } from './measure.ts'
import type { Portal } from './portal.ts'

const models = ['CR1100', 'CR2700', 'A271/2', 'CR1500', 'CR5200', 'V1300', 'V4500']
const readersPerZone = 40
/** Milliseconds. */
const allowed = 10_000

/**
 * Publishes seven models to one zone, and to 1,000 zones with 40 readers each, and then something that replaces it; all readers report what
 * became of it.
 */
export async function benchPublish(portal: Portal): Promise<void> {
  printHeading('a publish of 7 models')
  for (const zones of [1, 1_000]) {
    const organization = await createOrganization(portal)
    const hosts = await openHosts(portal, organization, zones)
    let rollout = ''
    for (const which of ['first', 'next', 'next again']) {
      const published = await publish(portal, organization, which)
      rollout = published.rollout
      process.stdout.write(`${zones} zones, the ${which}: ${published.took} ms\n`)
      judge('MNY-02', `ms until a publish to ${zones} zones is accepted, the ${which}`, published.took, { most: allowed })
    }
    await finish(portal, hosts)
    await look(portal, `/api/codedm/organization/${organization}/rollouts`, rollout, zones)
  }
  const large = await openZones(portal, 5_000)
  const text = await (await portal.send(`/api/codedm/organization/${large}/locations/selection`)).text()
  judge('MNY-03', 'bytes of 5,000 zones to choose from, compressed', gzipSync(text).length, { most: 300_000 })
}

async function publish(portal: Portal, organization: string, text: string): Promise<{ took: number; rollout: string }> {
  const content = { kind: 'cfg', text: `<cfg>${text}</cfg>` }
  const body = {
    key: randomUUID(),
    zones: { filter: {} },
    when: { now: true },
    withoutHost: true,
    parts: models.map((model) => ({ model, content })),
  }
  const start = performance.now()
  const response = await post(portal, `/api/codedm/organization/${organization}/publications`, body)
  const took = Math.round(performance.now() - start)
  const { rolloutId } = (await response.json()) as { rolloutId: string }
  return { took, rollout: rolloutId }
}

interface Host {
  credential: string
  readers: { serialNumber: string; deviceType: string }[]
}

// Reports at a time: as many as the server handles.
const atOnce = 3

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = [...all]
  const next = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, next))
}

/** Zones with a host PC whose 40 readers have checked in. */
async function openHosts(portal: Portal, organization: string, zones: number): Promise<Host[]> {
  const hosts: Host[] = []
  const state = { firmware: '4.9.2', configuration: null, batteryHealth: 80, warrantyUntil: null }
  await inTurns(
    Array.from({ length: zones }, (_, number) => number),
    async (number) => {
      const { credential } = await enroll(portal, organization, `Zone ${number}`)
      const readers = Array.from({ length: readersPerZone }, (_, index) => ({
        serialNumber: `Z${number}-${index}`,
        deviceType: models[index % models.length]!,
      }))
      await post(portal, '/api/agent/check-in', { ...aboutHost, devices: readers.map((reader) => ({ ...reader, ...state })) }, credential)
      hosts.push({ credential, readers })
    },
  )
  await portal.client.query('analyze')
  return hosts
}

/** Each reader has the newest publication, except one in twenty of each host, which failed. */
async function finish(portal: Portal, hosts: readonly Host[]): Promise<void> {
  await inTurns(hosts, async ({ credential, readers }) => {
    const reply = await portal.send('/api/agent/desired', {}, credential)
    const { configurations } = (await reply.json()) as { configurations: { publication: string; deviceType: string }[] }
    const publications = new Map(configurations.map(({ publication, deviceType }) => [deviceType, publication]))
    const outcomes = readers.map(({ serialNumber, deviceType }, index) => ({
      publication: publications.get(deviceType),
      serialNumber,
      at: new Date().toISOString(),
      ...(index % 20 === 0 ? { outcome: 'failed', reason: 'Battery at 14%.' } : { outcome: 'applied', reason: null }),
    }))
    await post(portal, '/api/agent/outcomes', { outcomes }, credential)
  })
}

const looks = 5

/** What the rollout shows, and how long its page, ten of its zones, 25 of its readers, and the list take. */
async function look(portal: Portal, list: string, rollout: string, zones: number): Promise<void> {
  const { counts } = (await portal.ask(`${list}/${rollout}`)) as { counts: { applied: number; failed: number } }
  const failed = zones * (readersPerZone / 20)
  judge(
    '',
    `outcomes of ${zones} zones, more or less than were reported`,
    Math.abs(counts.failed - failed) + Math.abs(counts.applied - (zones * readersPerZone - failed)),
    {
      most: 0,
    },
  )
  for (const [what, path] of [
    ['the rollout', `${list}/${rollout}`],
    ['ten of its zones', `${list}/${rollout}/parts?PageSize=10`],
    ['25 of its readers', `${list}/${rollout}/readers?PageSize=25`],
    ['the list', `${list}?PageSize=10`],
  ] as const) {
    const took: number[] = []
    for (let time = 0; time < looks; time++) took.push(await timed(() => portal.ask(path)))
    process.stdout.write(`${zones} zones, ${what}: ${median(took).toFixed(1)} ms\n`)
  }
}

/** Returns its organization. */
async function openZones(portal: Portal, zones: number): Promise<string> {
  const organization = randomUUID()
  const { rows } = await portal.client.query('insert into organization (public_id, name) values ($1, $1) returning id', [organization])
  const sql = (text: string, ...values: unknown[]) => portal.client.query(text, [rows[0].id, ...values])
  await sql(
    `insert into zone (public_id, organization_id, name) select gen_random_uuid(), $1::int, 'Zone ' || n from generate_series(1, $2::int) n`,
    zones,
  )
  await sql(
    `insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at)
     select $1::int, z.name || '-' || n, ($2::text[])[n % 7 + 1]::device_model, z.id, now()
     from zone z, generate_series(1, ${readersPerZone}) n where z.organization_id = $1`,
    models,
  )
  await portal.client.query('analyze')
  return organization
}
