import { setTimeout } from 'node:timers/promises'
import { DeviceColumn, Direction } from '@lectern/contract/devices/devices.ts'
import type pg from 'pg'
import { createFleet, organizationId } from './fleet.ts'
import { type Cost, judge, measure, printHeading } from './measure.ts'
import type { Portal } from './portal.ts'

const readers = Number(process.env.READERS ?? 100_000)
const rows = 10
/** Buffers of a first page, all statements of its request together (SCL-01). */
const allowed = 80
/** Buffers of the first page of a search, which comes before its count (SCL-03). */
const allowedOfSearch = 1_500
const devicesPath = `/api/codedm/organization/${organizationId}/devices`
/** Of a page far in, once its places are known (SCL-02). */
const allowedFar = { buffers: 200, rows: 2_000 }
const tiles = { all: '', offline: 'onlyOffline=true', battery: 'onlyBadBattery=true', warranty: 'onlyWarrantyExpired=true' }

/** The device dashboard's list in one large organization: every first page, searches, totals, pages far in. */
export async function benchDevices(portal: Portal): Promise<void> {
  const { client, userId } = portal
  process.stdout.write(`filling one organization with ${readers} readers\n`)
  await createFleet(client, readers)
  await client.query(
    `with o as (select id from organization where public_id = $1), g as (insert into "group" (organization_id, name) select id, 'Bench' from o returning id)
     insert into member (organization_id, user_id, group_id, built_in_role) select o.id, $2, g.id, 'manager' from o, g`,
    [organizationId, userId],
  )
  await settle(client)
  printHeading(`first page of ${rows}`)
  let worst: Cost = { buffers: 0, rows: 0 }
  let worstFar = worst
  for (const column of DeviceColumn.options)
    for (const direction of Direction.options)
      for (const [tile, filter] of Object.entries(tiles)) {
        const query = `${devicesPath}?ColumnName=${column}&Direction=${direction}&${filter}`
        worst = findWorse(worst, await measure(portal, `${column} ${direction}, ${tile}`, query))
      }
  for (const column of DeviceColumn.options)
    for (const page of [Math.floor(readers / 40), Math.floor(readers / 20), Math.ceil(readers / rows) - 1]) {
      const query = `${devicesPath}?ColumnName=${column}&Direction=Descending&PageNumber=${page}`
      worstFar = findWorse(worstFar, await measure(portal, `${column}, page ${page}`, query))
    }
  let worstSearch = 0
  for (const text of ['zone 017', '2700', '1', '27p', '27P00012345', '27P0001', 'xyzzy']) {
    const search = `${devicesPath}?textFilter=${encodeURIComponent(text)}`
    worstSearch = Math.max(worstSearch, (await measure(portal, `search "${text}", its rows`, `${search}&count=none`)).buffers)
    await measure(portal, `search "${text}", counted`, search)
  }
  await measure(portal, 'totals', `${devicesPath}/totals`)
  judge('SCL-01', 'buffers of the worst first page', worst.buffers, { most: allowed })
  judge('SCL-01', 'rows of the worst first page', worst.rows, { most: allowed })
  judge('SCL-02', 'buffers of the worst page far in', worstFar.buffers, { most: allowedFar.buffers })
  judge('SCL-02', 'rows of the worst page far in', worstFar.rows, { most: allowedFar.rows })
  judge('SCL-03', 'buffers of the worst search, its count apart', worstSearch, { most: allowedOfSearch })
  await measureStorage(client, readers)
  // As check-ins store them; what fills the database deals readers to hosts in turn, so that each of a host's is on a page of its own.
  await client.query('cluster device using device_host')
  await client.query('vacuum analyze device')
  const together = await measure(portal, 'search "zone 017", readers of a host together', `${devicesPath}?textFilter=zone%20017&count=none`)
  judge('SCL-03', 'buffers of this search where readers of a host lie together', together.buffers, { most: allowedOfSearch })
}

const findWorse = (one: Cost, other: Cost): Cost => ({
  buffers: Math.max(one.buffers, other.buffers),
  rows: Math.max(one.rows, other.rows),
})

/** What two minutes of running do: the server's sweep marks what is due and folds the counts, statistics and visibility are fresh. */
export async function settle(client: pg.Client): Promise<void> {
  await client.query('vacuum analyze')
  const waiting = ['device_count', 'firmware_total', 'audit_count', 'device_day', 'device_tally', 'licence_tally'].map(
    (table) => `exists (select from ${table} where not is_folded)`,
  )
  const isWaiting = `select ${waiting.join(' or ')}
    or exists (select from device where not warranty_due and warranty_until <= (now() at time zone 'UTC')::date + interval '3 months') as waiting`
  while ((await client.query<{ waiting: boolean }>(isWaiting)).rows[0]!.waiting) await setTimeout(1_000)
  await client.query('vacuum analyze')
}

/** Bytes of a reader on disk (SCL-09). */
const allowedBytes = 550

/** What grows with readers. */
const tables = [
  ...['device', 'device_count', 'device_total', 'firmware_count', 'firmware_total', 'reported_firmware', 'reported_configuration'],
  ...['zone', 'host'],
]

/** Prints what a reader costs on disk, by table and index. */
async function measureStorage(client: pg.Client, readers: number): Promise<void> {
  const { rows } = await client.query<{ relation: string; bytes: string }>(
    `select name || ' (rows)' as relation, pg_table_size(name::regclass) as bytes from unnest($1::text[]) name
     union all select i.indexrelid::regclass::text, pg_relation_size(i.indexrelid) from pg_index i where i.indrelid = any($1::text[]::regclass[])
     order by 2 desc`,
    [tables],
  )
  process.stdout.write('\nbytes of a reader on disk\n')
  const perReader = (bytes: string) => Number(bytes) / readers
  for (const { relation, bytes } of rows)
    if (perReader(bytes) >= 0.1) process.stdout.write(`${relation.padEnd(52)}${perReader(bytes).toFixed(1).padStart(10)}\n`)
  judge('SCL-09', 'bytes of a reader on disk', Math.round(rows.reduce((sum, { bytes }) => sum + perReader(bytes), 0)), {
    most: allowedBytes,
  })
}

const organizations = Number(process.env.ORGANIZATIONS ?? 5_000)
const allowedRows = 200
const directoryPath = '/api/lectern/admin/organizations'

/** The administration's list of all organizations: its first page, searches and pages far in. */
export async function benchDirectory(portal: Portal): Promise<void> {
  const { client } = portal
  process.stdout.write(`filling ${organizations} organizations with four groups and twelve members each\n`)
  await fillDirectory(client)
  printHeading(`pages of ${rows} organizations`)
  const page = (label: string, query: string) => measure(portal, label, `${directoryPath}?PageSize=${rows}&${query}`)
  const first = await page('first page', 'PageNumber=0')
  await measure(portal, 'totals', `${directoryPath}/totals`)
  await page('search "lakeside", which finds many', 'textFilter=lakeside')
  await page('search "lakeside 0122", which finds one', 'textFilter=lakeside%200122')
  await page('search "123"', 'textFilter=123')
  await page('search "z", which finds nothing', 'textFilter=z')
  await page('search "a", which finds nearly all', 'textFilter=a')
  await page('page in the middle', `PageNumber=${Math.floor(organizations / rows / 2)}`)
  await page('last page', `PageNumber=${Math.ceil(organizations / rows) - 1}`)
  judge('', 'rows of the first page of organizations', first.rows, { most: allowedRows })
}

/** Most organizations have few groups; some have up to thirty, and those come first. */
async function fillDirectory(client: pg.Client): Promise<void> {
  await client.query(
    `insert into organization (public_id, name)
     select gen_random_uuid(), case when n <= $1 / 50 then 'Alpha ' else '' end
       || (array['Mercy', 'Harbor', 'Lakeside', 'Northern', 'Saint Mary', 'Riverbend', 'Grove', 'Union'])[1 + n % 8] || ' ' || lpad(n::text, 4, '0')
       || (array[' Health', ' Clinics', ' Logistics', ' Pharmacy'])[1 + n % 4]
     from generate_series(1, $1::int) n`,
    [organizations],
  )
  await client.query(
    `insert into "group" (organization_id, name)
     select id, 'Ward ' || n from organization, generate_series(1, case when name like 'Alpha %' then 30 when company_id % 2 = 0 then 4 else 3 end) n
     order by n, id`,
  )
  await client.query(
    `insert into "user" (id, issuer, subject, email, first_name, last_name)
     select gen_random_uuid(), 'bench', n::text, n || '@people.example', 'First', 'Last' from generate_series(1, $1::int * 12) n`,
    [organizations],
  )
  await client.query('analyze')
  // Groups are numbered from 1 without a gap, as nothing else has made any.
  await client.query(
    `insert into member (organization_id, user_id, group_id)
     select g.organization_id, u.id, g.id
     from (select id, 1 + subject::int % (select max(id) from "group") as number from "user" where issuer = 'bench') u join "group" g on g.id = u.number`,
  )
  const { rows: counts } = await client.query('select organizations, groups, members from directory_count')
  process.stdout.write(`${JSON.stringify(counts[0])}\n`)
  await client.query('vacuum analyze')
}
