import { setTimeout } from 'node:timers/promises'
import { DeviceColumn, Direction } from '@lectern/contract/devices/devices.ts'
import type pg from 'pg'
import { createFleet, createOthers, organizationId } from './fleet.ts'
import { joinOrganization } from './hosts.ts'
import { type Cost, judge, measure, printHeading } from './measure.ts'
import type { Portal } from './portal.ts'

const readers = Number(process.env.READERS ?? 100_000)
const zones = Number(process.env.ZONES ?? 200)
const others = Number(process.env.OTHERS ?? 100)
const rows = 10
/** Buffers for a first page, all statements of its request together (SCL-01). */
const allowed = 80
/** Buffers for the first page of a search, which comes before its count (SCL-03). */
const allowedOfSearch = 1_500
/** Buffers for any other search, and for a page far in one (SPD-03). */
const [allowedOfAnySearch, allowedOfDeepSearch] = [5_000, 20_000]
const devicesPath = `/api/codedm/organization/${organizationId}/devices`
/** For a page far in, once its places are known (SCL-02). */
const allowedFar = { buffers: 200, rows: 2_000 }
const tiles = {
  all: '',
  offline: 'onlyOffline=true',
  battery: 'onlyBadBattery=true',
  warranty: 'onlyWarrantyExpired=true',
  drifted: 'onlyDrifted=true',
}

/** One large organization among others of every size. Kept where the database has it already. */
async function fillFleet(portal: Portal): Promise<void> {
  const { client } = portal
  const { rows: filled } = await client.query('select from organization where public_id = $1', [organizationId])
  if (filled.length === 0) {
    process.stdout.write(`filling an organization with ${readers} readers, and ${others} others\n`)
    await createFleet(client, readers, { zones })
    await createOthers(client, others)
  }
  await joinOrganization(portal, organizationId)
  await settle(client)
}

/** The device dashboard's list: every first page, pages far in, totals. */
export async function benchDevices(portal: Portal): Promise<void> {
  await fillFleet(portal)
  await measureFirstPages(portal)
  await measureFarPages(portal)
  await measure(portal, 'totals', `${devicesPath}/totals`)
  await measureStorage(portal.client)
}

async function measureFirstPages(portal: Portal): Promise<void> {
  printHeading(`first page of ${rows}`)
  let worst: Cost = { buffers: 0, rows: 0 }
  for (const column of DeviceColumn.options)
    for (const direction of Direction.options)
      for (const [tile, filter] of Object.entries(tiles)) {
        const query = `${devicesPath}?ColumnName=${column}&Direction=${direction}&${filter}`
        worst = findWorse(worst, await measure(portal, `${column} ${direction}, ${tile}`, query))
      }
  judge('SCL-01', 'buffers of the worst first page', worst.buffers, { most: allowed })
  judge('SCL-01', 'rows of the worst first page', worst.rows, { most: allowed })
}

async function measureFarPages(portal: Portal): Promise<void> {
  printHeading('pages 2, middle and last')
  let worst: Cost = { buffers: 0, rows: 0 }
  for (const column of DeviceColumn.options)
    for (const direction of Direction.options)
      for (const [tile, filter] of Object.entries(tiles)) {
        const query = `${devicesPath}?ColumnName=${column}&Direction=${direction}&${filter}`
        const { totalCount } = (await portal.ask(query)) as { totalCount: number }
        const last = Math.max(0, Math.ceil(totalCount / rows) - 1)
        for (const [name, page] of Object.entries({ 'page 2': 1, middle: Math.floor(last / 2), last })) {
          const path = `${query}&PageNumber=${page}`
          // What is read first to make it fast is counted apart.
          await portal.ask(path)
          worst = findWorse(worst, await measure(portal, `${column} ${direction}, ${tile}, ${name}`, path, [1, 7]))
        }
      }
  judge('SCL-02', 'buffers of the worst page far in', worst.buffers, { most: allowedFar.buffers })
  judge('SCL-02', 'rows of the worst page far in', worst.rows, { most: allowedFar.rows })
}

const named = ['zone 017', '2700', '1', '27p', '27P00007919', '27P0001', 'xyzzy']
const unusual = [
  '7',
  'a',
  'x',
  '_%_',
  '%',
  'cr',
  '01',
  'zz',
  'host',
  'a b c d e f g',
  '1 2 3 4 5 6 7 8 9 0 p 7 27 00 01 p0',
  '9 8 7 6 5 4 3 2 1 0 h o s t z e',
]
const deep = ['01', '7', '1', '0101', 'host', 'cr']

/** Searches of the list: those named in SCL-03, any other first page, and deep pages. */
export async function benchSearches(portal: Portal): Promise<void> {
  await fillFleet(portal)
  printHeading('searches')
  const search = (text: string, more: string) => `${devicesPath}?textFilter=${encodeURIComponent(text)}&${more}`
  let worstNamed = 0
  for (const text of named) {
    worstNamed = Math.max(worstNamed, (await measure(portal, `search "${text}", its rows`, search(text, 'count=none'), [1, 7])).buffers)
    await measure(portal, `search "${text}", counted`, search(text, ''), [1, 2])
  }
  judge('SPD-03', 'buffers of the worst named search, its count apart', worstNamed, { most: allowedOfSearch })
  let worst = 0
  for (const text of unusual)
    for (const column of DeviceColumn.options)
      for (const direction of Direction.options) {
        const path = search(text, `ColumnName=${column}&Direction=${direction}`)
        worst = Math.max(worst, (await measure(portal, `search "${text}" by ${column} ${direction}`, path, [1])).buffers)
      }
  judge('SPD-03', 'buffers of the worst first page of a search', worst, { most: allowedOfAnySearch })
  let worstDeep = 0
  for (const text of deep)
    for (const column of DeviceColumn.options)
      for (const page of [30, 999, 9_000, 40_000]) {
        const path = search(text, `ColumnName=${column}&Direction=Descending&PageNumber=${page}`)
        worstDeep = Math.max(worstDeep, (await measure(portal, `search "${text}" by ${column}, page ${page}`, path, [1])).buffers)
      }
  judge('SPD-03', 'buffers of the worst deep page of a search, or of its refusal', worstDeep, { most: allowedOfDeepSearch })
}

const findWorse = (one: Cost, other: Cost): Cost => ({
  buffers: Math.max(one.buffers, other.buffers),
  rows: Math.max(one.rows, other.rows),
})

/** Does what two minutes of running do: the server's sweep marks what is due and folds the counts; statistics and visibility are fresh. */
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

/** Bytes per reader on disk (SCL-09). */
const allowedBytes = 550

/** Tables that grow with readers. */
const tables = [
  ...['device', 'device_count', 'device_total', 'firmware_count', 'firmware_total', 'reported_firmware', 'reported_configuration'],
  ...['zone', 'host'],
]

/** Prints what a reader costs on disk, by table and index. */
async function measureStorage(client: pg.Client): Promise<void> {
  const counted = await client.query<{ readers: string }>('select count(*) as readers from device')
  const all = Number(counted.rows[0]!.readers)
  const { rows } = await client.query<{ relation: string; bytes: string }>(
    `select name || ' (rows)' as relation, pg_table_size(name::regclass) as bytes from unnest($1::text[]) name
     union all select i.indexrelid::regclass::text, pg_relation_size(i.indexrelid) from pg_index i where i.indrelid = any($1::text[]::regclass[])
     order by 2 desc`,
    [tables],
  )
  process.stdout.write('\nbytes of a reader on disk\n')
  const perReader = (bytes: string) => Number(bytes) / all
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
