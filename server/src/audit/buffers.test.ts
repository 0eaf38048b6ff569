import type { AuditFilter } from '@lectern/contract/audit/audit.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { wholeOrganization } from '../lib/database/zone-scope.ts'
import { countBuffers, explain, listNodes, settle } from '../testing/database/plans.ts'
import { notifiedDatabase } from '../testing/database/statements.ts'
import { getAuditChoices, listEntries, sweepAuditCounts } from './audit.ts'

const entries = 40_000
/** The most buffers of a filter's first page: 40, and 12 per entry. Counting stops at 10,000. */
const allowed = (rows: number) => 40 + 12 * rows

const { db, pool, statementsOf } = await notifiedDatabase()

/** Ids grow with time, as those of the product do. An organization's log of two years beside another one's: 40 people, 50 zones, most entries of one type; one zone, person and reader are rare. */
const { rows: organizations } = await sql<{
  id: number
}>`insert into organization (public_id, name) values (${uuidv7()}, 'Large'), (${uuidv7()}, 'Other') returning id`.execute(db)
const organizationId = organizations[0]!.id
await sql`
  insert into audit_entry (id, organization_id, in_effect_since, change_type, initiator_email, initiator_name, zone_name, device_serial, version, target, rollout_id, depth)
  select ('0198c0de-0000-7000-8000-' || lpad(to_hex(${entries}::int - n), 12, '0'))::uuid, o.id, now() - make_interval(mins => n * (1000000 / ${entries})),
    case when n % 10 < 7 then 'FirmwareInstalled' when n % 10 = 7 then 'ZoneConfigChange' when n % 1000 = 8 then 'ZoneDelete' else 'ZoneFirmwareChange' end,
    case when n % 10 >= 7 then case when n % 5000 = 4998 then 'rare@people.example' else 'person' || n % 40 || '@people.example' end end,
    'Person ' || n % 40, case when n % 5000 = 4998 then 'Rare ward' else 'Zone ' || n % 50 end,
    case when n % 10 < 7 then 'S' || lpad((n::bigint * 7919 % 4001)::text, 7, '0') end, '4.' || n % 12 || '.0', 'CR2700',
    case when n % 10 < 9 then ('0198c0de-0000-7000-9000-' || lpad((n / 2000)::text, 12, '0'))::uuid end,
    case when n % 10 < 7 then 3 when n % 10 = 9 or n % 2000 = 8 then 0 when n % 10 = 8 then 1 else 2 end
  from organization o, generate_series(1, ${entries}::int) n`.execute(db)
await sql`
  insert into rollout (organization_id, id)
  select o.id, ('0198c0de-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid from organization o, generate_series(0, ${entries}::int / 2000) n`.execute(
  db,
)
await sql`
  insert into rollout_content (organization_id, rollout_id, device_type, content, content_hash)
  select o.id, ('0198c0de-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, 'CR2700', content, 'hash'
  from organization o, generate_series(0, ${entries}::int / 2000) n, unnest(array['cfg', 'firmware']) content
  where content = 'firmware' or n % 2 = 0`.execute(db)
await sweepAuditCounts(db)
await settle(pool, 'audit_entry', 'audit_count', 'audit_fold', 'rollout_content')

const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const filters: Record<string, AuditFilter> = {
  none: {},
  'the type of most': { changeType: 'FirmwareInstalled' },
  'a rare type': { changeType: 'ZoneDelete' },
  'a person': { person: 'person7@people.example' },
  'a rare person': { person: 'rare@people.example' },
  'a zone': { zone: 'Zone 7' },
  'a rare zone': { zone: 'Rare ward' },
  'a reader': { device: 'S0000007' },
  'the last month': { from: day(30) },
  'a month of last year': { from: day(400), to: day(370) },
  'a type in a month of last year': { changeType: 'ZoneConfigChange', from: day(400), to: day(370) },
  'a text that most have': { textFilter: 'person' },
  'a text that few have': { textFilter: 'rare ward' },
  'a text that no entry has': { textFilter: 'nothing like it' },
}

const log = { ...wholeOrganization(organizationId), person: null, created: {} }

/** Whether the total is stored, not counted. */
const isKept = (filter: AuditFilter) => Object.keys(filter).every((name) => name === 'changeType')

test.each(Object.entries(filters))('the first page of %s reads as much as it shows', async (_, filter) => {
  for (const PageSize of [10, 100]) {
    const statements = await statementsOf(async () => listEntries(db, log, { ...filter, PageNumber: 0, PageSize }))
    expect(statements).toHaveLength(2)
    const [count, page] = [await explain(pool, statements[0]!), await explain(pool, statements[1]!)]
    expect(countBuffers(page)).toBeLessThanOrEqual(allowed(PageSize))
    if (isKept(filter) || filter.textFilter) expect(countBuffers(count)).toBeLessThanOrEqual(filter.textFilter ? 1_000 : 5)
    // Only entries are counted that are next to each other in an index; no others are looked at.
    else expect(listNodes(count).filter((node) => node['Node Type'] === 'Seq Scan' || node['Rows Removed by Filter'])).toEqual([])
  }
})

// Seven of ten entries are inside others; in a zone's log, nine of ten.
test.each([{}, { zone: 'Zone 8' }, { person: 'person8@people.example' }, { from: day(30) }])(
  '[RCD-02] the first page of one entry per rollout reads as much as it shows: %o',
  async (filter) => {
    for (const PageSize of [10, 100]) {
      const query = { ...filter, fold: true, PageNumber: 0, PageSize }
      const statements = await statementsOf(async () => listEntries(db, log, query))
      const [count, page, folds] = await Promise.all(statements.map((statement) => explain(pool, statement)))
      expect(countBuffers(page!)).toBeLessThanOrEqual(allowed(PageSize))
      if (Object.keys(filter).length === 0) expect(countBuffers(count!)).toBeLessThanOrEqual(5)
      else expect(listNodes(count!).filter((node) => node['Node Type'] === 'Seq Scan' || node['Rows Removed by Filter'])).toEqual([])
      if (folds) expect(countBuffers(folds)).toBeLessThanOrEqual(allowed(PageSize))
    }
  },
)

// A tenth of the entries are shown at all, half a buffer each. Where few rollouts have such changes, these are read, and no entry inside
// another one.
const shownEntries = entries / 10
test.each([{}, { zone: 'Zone 8' }, { from: day(30) }])(
  '[RIT-07] of a type it reads no more than what is shown without one: %o',
  async (filter) => {
    for (const changeType of ['ZoneConfigChange', 'ZoneFirmwareChange', 'FirmwareInstalled'])
      for (const PageSize of [10, 100]) {
        const query = { ...filter, changeType, fold: true, PageNumber: 0, PageSize }
        const [count, page] = await statementsOf(async () => listEntries(db, log, query))
        const plans = [await explain(pool, count!), await explain(pool, page!)]
        for (const plan of plans) {
          expect(countBuffers(plan), changeType).toBeLessThanOrEqual(allowed(PageSize) + shownEntries / 2)
          expect(listNodes(plan).filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'audit_entry')).toEqual([])
        }
      }
  },
)

test('[RCD-02] what is inside an entry reads as much as it shows', async () => {
  const rollout = '0198c0de-0000-7000-9000-000000000003'
  const [count, page] = await statementsOf(async () => listEntries(db, log, { rollout, PageNumber: 0, PageSize: 10 }))
  expect(countBuffers(await explain(pool, page!))).toBeLessThanOrEqual(allowed(10))
  expect(
    listNodes(await explain(pool, count!)).filter((node) => node['Node Type'] === 'Seq Scan' || node['Rows Removed by Filter']),
  ).toEqual([])
})

test('the page behind an entry, and the last one, read as much as they show', async () => {
  const middle = await db
    .selectFrom('audit_entry')
    .select('id')
    .where('organization_id', '=', organizationId)
    .orderBy('in_effect_since')
    .offset(entries / 2)
    .limit(1)
    .executeTakeFirstOrThrow()
  for (const place of [{ before: middle.id }, { PageNumber: entries / 10 - 1, PageSize: 10 }]) {
    const [, page] = await statementsOf(async () => listEntries(db, log, place))
    expect(countBuffers(await explain(pool, page!))).toBeLessThanOrEqual(allowed(10))
  }
})

test('what a log can be filtered by is found without reading it', async () => {
  for (const statement of await statementsOf(() => getAuditChoices(db, log))) {
    expect(countBuffers(await explain(pool, statement))).toBeLessThanOrEqual(60 * 5)
  }
})

test('[PPL-04] the log of 20 of 50 zones, or of one, reads for a page what it shows, and counts without a look at its zones', async () => {
  for (const [zones, most] of [
    [Array.from({ length: 20 }, (_, number) => `Zone ${number}`), 300],
    [['Zone 7'], 1_000],
  ] as const) {
    const created = Object.fromEntries(zones.map((name) => [name, '2020-01-01 00:00:00+00']))
    const limited = { organizationId, zones: [1], person: { userId: uuidv7(), email: 'rare@people.example' }, created }
    const statements = await statementsOf(async () => listEntries(db, limited, { PageNumber: 0, PageSize: 10 }))
    const [count, page] = await Promise.all(statements.map((statement) => explain(pool, statement)))
    expect(countBuffers(page!), `${zones.length} zones`).toBeLessThanOrEqual(most)
    expect(countBuffers(count!), `${zones.length} zones`).toBeLessThanOrEqual(3_000)
  }
})
