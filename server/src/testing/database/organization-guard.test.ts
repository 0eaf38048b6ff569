import { expect, onTestFinished, test } from 'vitest'
import { createDatabase as createKysely } from '../../lib/database/database.ts'
import { foldCounts } from '../../lib/database/fold.ts'
import { crossing } from './crossing-statements.ts'
import { createDatabase, openPool } from './database.ts'
import { findingTables, listUnguarded, tenantTables } from './organization-guard.ts'
import { findUnnamed } from './unnamed-references.ts'

const tenants = new Set(['device', 'group', 'host', 'zone'])

test.each([
  'select * from device where organization_id = $1',
  'select * from device d where $1::int = d.organization_id',
  'SELECT * FROM "public"."device" AS "d" WHERE "d"."organization_id" = any($1)',
  'select * from device where (organization_id in ($1, $2)) and (low_battery or drifted)',
  'select * from device d join host h on h.organization_id = d.organization_id where d.organization_id = $1',
  'select * from device d join host h using (organization_id) where h.organization_id = $1',
  'select * from device d, host h where d.organization_id = $1 and h.organization_id = $1',
  'select * from device d left join host h on h.organization_id = d.organization_id and h.id = d.host_id where d.organization_id = $1',
  'select (select name from zone z where z.organization_id = d.organization_id and z.id = d.zone_id) from device d where d.organization_id = $1',
  'select * from device where organization_id = $1 union all select * from device where organization_id = $1',
  'select * from (select * from device where organization_id = $1) device left join unnest($2) r (id) on true',
  'with d as materialized (select * from device where organization_id = $1) select * from d join host h on h.organization_id = d.organization_id',
  'with device as (select 1 as id) select * from device',
  'select * from organization o join "group" g on g.organization_id = o.id where o.public_id = $1',
  'select * from host_credential c join host h on h.organization_id = c.organization_id where c.hash = $1',
  'insert into "group" ("organization_id", "name") values ($1, $2)',
  'insert into device as d (organization_id, id) select $1, id from host where organization_id = $1 on conflict (id) do update set id = 1',
  'update device set zone_id = $1 where organization_id = $2 and zone_id is distinct from host.zone_id',
  'update device d set zone_id = h.zone_id from host h where d.organization_id = $1 and h.organization_id = $1 and h.id = d.host_id',
  'delete from device d using zone z where d.organization_id = z.organization_id and z.organization_id = $1',
  'declare list no scroll cursor for select id from device where organization_id = $1 for no key update',
  `copy (select name from zone where organization_id = 7 and name = E'it''s \\\\ from device') to stdout (format csv)`,
  `select extract(epoch from now()) -- from device
    /* join device */ from (values ('from device')) v (text)`,
])('[OUT-02] the organization of each table is named: %s', (statement) => {
  expect(findUnnamed(statement, tenants)).toEqual([])
})

test.each([
  ['select organization_id = $1 from device', ['device']],
  ['select count(*) filter (where organization_id = $1) from device', ['device']],
  ['select * from device where organization_id = $1 or drifted', ['device']],
  ['select * from device where (organization_id = $1 and low_battery) or drifted', ['device']],
  ['select * from device where organization_id <> $1 and organization_id not in ($2) and organization_id >= $3', ['device']],
  ['select * from device d where d.organization_id = d.organization_id', ['d']],
  ['select * from device d where d.organization_id = d.zone_id', ['d']],
  ['select * from device d join host h on h.organization_id = d.organization_id', ['d', 'h']],
  ['select * from device d join host h on h.id = d.host_id where d.organization_id = $1', ['h']],
  ['select * from device d join host h on h.id = d.host_id where organization_id = $1', ['d', 'h']],
  ['select * from device d, host h where d.organization_id = $1', ['h']],
  ['select * from device d left join host h on d.organization_id = $1 and h.organization_id = $1', ['d']],
  ['select * from device d join organization o on o.id = d.organization_id', ['d']],
  ['select (select name from zone z where z.id = d.zone_id) from device d where d.organization_id = $1', ['z']],
  ['select * from device where organization_id = $1 union all select * from device', ['device']],
  ['with device as (select * from device) select * from device', ['device']],
  ['select * from unnest($1) r (organization_id) where exists (select from device where id = organization_id)', ['device']],
  ['insert into "group" (name) values ($1)', ['group']],
  ['insert into device (organization_id, id) select $1, id from host on conflict (organization_id) do nothing', ['host']],
  ['update device set organization_id = $1 where id = $2', ['device']],
  ['delete from device d using zone z where d.organization_id = $1 and z.id = d.zone_id', ['z']],
] as const)('[OUT-02] it is not: %s', (statement, unnamed) => {
  expect(findUnnamed(statement, tenants)).toEqual(unnamed)
})

test('[OUT-02] the tables of tenants are those that have an organization', async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const { rows } = await openPool(url).query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id' order by 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual([...tenantTables, ...findingTables].sort())
})

test('[OUT-02] what crosses organizations names none: else it need not be listed', () => {
  for (const { statement, crosses } of crossing) expect(findUnnamed(statement, tenantTables), statement).toEqual(crosses)
})

test('[OUT-02] a statement of the background is seen, and no statement of a test', async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const pool = openPool(url)
  const db = createKysely(pool)
  await pool.query('select id from zone')
  await db.selectFrom('zone').select('id').execute()
  expect(listUnguarded()).toEqual([])
  await expect(foldCounts(db, { table: 'zone' as 'device_count', keys: ['name'], sums: ['id'] })).rejects.toThrow('is_folded')
  expect(listUnguarded()).toEqual([expect.stringMatching(/^zone, zone: \s*with fresh as \(\s*delete from "zone" where ctid/)])
})
