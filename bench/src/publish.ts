import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { post } from './hosts.ts'
import { judge, printHeading } from './measure.ts'
import type { Portal } from './portal.ts'

const models = ['CR1100', 'CR2700', 'A271/2', 'CR1500', 'CR5200', 'V1300', 'V4500']
const readersPerZone = 40
/** Milliseconds. */
const allowed = 10_000

/** One publish of seven models, to one zone and to 1,000 of 40 readers each: the first, and one that replaces it. */
export async function benchPublish(portal: Portal): Promise<void> {
  printHeading('a publish of 7 models')
  for (const zones of [1, 1_000]) {
    const organization = await openFleet(portal, zones)
    for (const which of ['first', 'next', 'next again']) {
      const took = await publish(portal, organization, which)
      process.stdout.write(`${zones} zones, the ${which}: ${took} ms\n`)
      judge('MNY-02', `ms until a publish to ${zones} zones is accepted, the ${which}`, took, { most: allowed })
    }
  }
  const large = await openFleet(portal, 5_000)
  const text = await (await portal.send(`/api/codedm/organization/${large}/locations/selection`)).text()
  judge('MNY-03', 'bytes of 5,000 zones to choose from, compressed', gzipSync(text).length, { most: 300_000 })
}

async function publish(portal: Portal, organization: string, text: string): Promise<number> {
  const content = { kind: 'cfg', text: `<cfg>${text}</cfg>` }
  const body = {
    ...{ key: randomUUID(), zones: { filter: {} }, when: { now: true }, withoutHost: true },
    parts: models.map((model) => ({ model, content })),
  }
  const start = performance.now()
  await post(portal, `/api/codedm/organization/${organization}/publications`, body)
  return Math.round(performance.now() - start)
}

/** Returns its organization. */
async function openFleet(portal: Portal, zones: number): Promise<string> {
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
