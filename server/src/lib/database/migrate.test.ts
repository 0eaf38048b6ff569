import { readdir, readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, createEmptyDatabase, openPool } from '../../testing/database/database.ts'
import { migrate } from './migrate.ts'
import { generateSchema } from './row-types.ts'

const folder = new URL('../../../migrations/', import.meta.url)
const names = (await readdir(folder)).sort()

test('runs every migration once', async () => {
  const pool = openPool(await createEmptyDatabase())
  expect(await migrate(pool)).toEqual(names)
  expect(await migrate(pool)).toEqual([])
})

test('[SCL-01] connections made later start no parallel workers', async () => {
  const url = await createEmptyDatabase()
  await migrate(openPool(url))
  expect((await openPool(url).query('show max_parallel_workers_per_gather')).rows).toEqual([{ max_parallel_workers_per_gather: '0' }])
})

test('programs that start together wait for each other', async () => {
  const url = await createEmptyDatabase()
  const ran = await Promise.all(Array.from({ length: 8 }, () => migrate(openPool(url))))
  expect(ran.flat().sort()).toEqual(names)
})

test('an older program does not touch a newer database', async () => {
  const pool = openPool(await createEmptyDatabase())
  await pool.query('create table migration (name text primary key, migrated_at timestamptz not null default now())')
  await pool.query(`insert into migration values ('0000-earlier.sql'), ('9999-later.sql')`)
  await expect(migrate(pool)).rejects.toThrow(
    'The database has migration 0000-earlier.sql, which this version does not know. Start a newer version.',
  )
  const { rows } = await pool.query(`select from pg_tables where tablename = 'organization'`)
  expect(rows).toEqual([])
})

test('a failed migration leaves nothing behind and is named in the error', async () => {
  const pool = openPool(await createEmptyDatabase())
  await pool.query('create table zone ()')
  await expect(migrate(pool)).rejects.toThrow('Migration 0002-zones-and-hosts.sql failed: relation "zone" already exists')
  const { rows } = await pool.query('select name from migration')
  expect(rows).toEqual([{ name: '0001-organizations.sql' }])
  await pool.query('drop table zone')
  expect(await migrate(pool)).toEqual(names.slice(1))
})

test('an upgrade says which migration and which step it is at; a new database says nothing', async () => {
  const pool = openPool(await createEmptyDatabase())
  const said: string[] = []
  const say = (progress: string) => void said.push(progress)
  await migrate(pool, say)
  expect(said).toEqual([])
  const former = openPool(await createEmptyDatabase())
  await former.query('create table migration (name text primary key, migrated_at timestamptz not null default now())')
  for (const name of names.filter((name) => name < '0023')) {
    await former.query(await readFile(new URL(name, folder), 'utf8'))
    await former.query('insert into migration (name) values ($1)', [name])
  }
  await migrate(former, say)
  expect(said.slice(0, 4)).toEqual([
    'Migration 0023-layout',
    'Migration 0023-layout, step 1 of 14: organizations, zones and host PCs',
    'Migration 0023-layout, step 2 of 14: readers',
    'Migration 0023-layout, step 3 of 14: numbers of former readers',
  ])
  expect(said.at(-1)).toBe(`Migration ${names.at(-1)!.replace('.sql', '')}`)
})

test('rollouts that are there get the numbers of their publications, and their sums', async () => {
  const pool = openPool(await createEmptyDatabase())
  await pool.query('create table migration (name text primary key, migrated_at timestamptz not null default now())')
  for (const name of names.filter((name) => name < '0032')) {
    await pool.query(await readFile(new URL(name, folder), 'utf8'))
    await pool.query('insert into migration (name) values ($1)', [name])
  }
  await pool.query(`insert into organization (public_id, name) values ('a', 'Alpha')`)
  await pool.query(
    `insert into zone (public_id, organization_id, name) select gen_random_uuid(), 1, 'Zone ' || 10 + n from generate_series(40, 1, -1) n`,
  )
  await pool.query(
    `insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at) select 1, name || m, 'CR2700', id, now() from zone, generate_series(1, 2) m`,
  )
  await pool.query('insert into rollout (id, organization_id) values (gen_random_uuid(), 1)')
  await pool.query(
    `insert into publication (id, organization_id, zone_id, zone_name, device_type, revision, content, content_hash, size, update_time, rollout_id)
     select gen_random_uuid(), 1, z.id, z.name, model::device_model, 1, 'cfg', repeat('a', 64), 10, '02:00', r.id
     from zone z, rollout r, unnest(array['CR2700', 'CR1500']) model where model = 'CR2700' or z.name = 'Zone 11'`,
  )
  await pool.query(
    `insert into outcome (publication_id, device_id, organization_id, outcome, happened_at)
     select p.id, d.id, 1, 'failed', now() from publication p join device d on d.zone_id = p.zone_id and p.device_type = d.device_type where d.serial_number = 'Zone 501'`,
  )
  await migrate(pool)
  expect(
    (await pool.query(`select number, zone_name, device_type from publication where number in (0, 1, 2, 40) order by 1`)).rows,
  ).toEqual([
    { number: 0, zone_name: 'Zone 11', device_type: 'CR1500' },
    { number: 1, zone_name: 'Zone 11', device_type: 'CR2700' },
    { number: 2, zone_name: 'Zone 12', device_type: 'CR2700' },
    { number: 40, zone_name: 'Zone 50', device_type: 'CR2700' },
  ])
  expect((await pool.query('select device_type, block, parts, zones, readers, failed from rollout_count order by 1, 2')).rows).toEqual([
    { device_type: 'CR1500', block: 0, parts: 1, zones: expect.any(Number), readers: 0, failed: 0 },
    { device_type: 'CR2700', block: 0, parts: 31, zones: expect.any(Number), readers: 62, failed: 0 },
    { device_type: 'CR2700', block: 1, parts: 9, zones: 9, readers: 18, failed: 1 },
  ])
})

test('[PPL-01] members of before roles get what their accounts’ permissions amount to, and every organization a Manager', async () => {
  const pool = openPool(await createEmptyDatabase())
  await pool.query('create table migration (name text primary key, migrated_at timestamptz not null default now())')
  for (const name of names.filter((name) => name < '0033')) {
    await pool.query(await readFile(new URL(name, folder), 'utf8'))
    await pool.query('insert into migration (name) values ($1)', [name])
  }
  const former = 'manage:cfg,manage:firmware,manage:cfg-lib,manage:locations,access:audit_log,access:analytics,access:device-dashboard'
  await pool.query(`insert into organization (public_id, name) values ('a', 'Alpha'), ('b', 'Beta'), ('c', null), ('d', 'Delta')`)
  await pool.query(`insert into "group" (organization_id, name) select id, 'Readers' from organization`)
  const add = async (organization: number, email: string, permissions: string | null) => {
    await pool.query(`insert into "user" (id, issuer, subject, email) values (gen_random_uuid(), 'i', $1, $1)`, [email])
    await pool.query(
      `insert into member (organization_id, user_id, group_id, joined_at)
       select $1, id, $1, now() + (select count(*) from member) * interval '1 second' from "user" where email = $2`,
      [organization, email],
    )
    if (permissions !== null)
      await pool.query(`insert into idp_account (id, email, permissions) values ($1, $1, $2)`, [email, `{${permissions}}`])
  }
  await add(1, 'viewer', 'manage:locations')
  await add(1, 'all', `${former},global:access:analytics`)
  await add(1, 'operator', 'manage:firmware,manage:cfg')
  await add(1, 'auditor', 'access:audit_log,access:analytics,manage:cfg-lib')
  await add(1, 'own', 'access:audit_log,manage:cfg')
  await add(1, 'same', 'manage:cfg,access:audit_log,manage:locations')
  await add(2, 'first', 'manage:cfg')
  await add(2, 'second', 'manage:cfg,manage:firmware,access:audit_log,access:analytics')
  await add(3, 'alone', '')
  await add(4, 'elsewhere', null)
  await add(4, 'here', 'manage:cfg')
  const said: string[] = []
  await migrate(pool, (progress) => void said.push(progress))
  const { rows } = await pool.query(
    `select email, coalesce(built_in_role, name) as role, permissions from member join "user" on "user".id = user_id
     left join role on role.organization_id = member.organization_id and role.id = role_id order by member.joined_at`,
  )
  // What others made in the library needs manage:cfg-lib by now.
  const own = { role: 'manage:cfg, access:audit_log', permissions: ['manage:cfg', 'access:audit_log', 'manage:cfg-lib'] }
  const four = ['manage:cfg', 'manage:firmware', 'access:audit_log', 'access:analytics']
  expect(rows).toEqual([
    { email: 'viewer', role: 'viewer', permissions: null },
    { email: 'all', role: 'manager', permissions: null },
    { email: 'operator', role: 'operator', permissions: null },
    { email: 'auditor', role: 'auditor', permissions: null },
    { email: 'own', ...own },
    { email: 'same', ...own },
    { email: 'first', role: 'manager', permissions: null },
    { email: 'second', role: four.join(', '), permissions: [...four, 'manage:cfg-lib'] },
    { email: 'alone', role: 'manager', permissions: null },
    // Another provider's, whose tokens will say it.
    { email: 'elsewhere', role: null, permissions: null },
    { email: 'here', role: 'manage:cfg', permissions: ['manage:cfg', 'manage:cfg-lib'] },
  ])
  const { rows: entries } = await pool.query(
    `select organization_id, target from audit_entry where change_type = 'firstManager' order by 1`,
  )
  expect(entries).toEqual([
    { organization_id: 2, target: 'first' },
    { organization_id: 3, target: 'alone' },
  ])
  expect(said.filter((line) => line.includes('is Manager'))).toEqual([
    'first is Manager of Beta now, as the longest member: none there had all permissions.',
    'alone is Manager of c now, as the longest member: none there had all permissions.',
  ])
})

test('[PPL-07] licences that are there get who issued them, the audit log keeps the end of their numbers, and who may do everything may revoke them', async () => {
  const pool = openPool(await createEmptyDatabase())
  await pool.query('create table migration (name text primary key, migrated_at timestamptz not null default now())')
  for (const name of names.filter((name) => name < '0035')) {
    await pool.query(await readFile(new URL(name, folder), 'utf8'))
    await pool.query('insert into migration (name) values ($1)', [name])
  }
  await pool.query(`insert into organization (public_id, name) values ('a', 'Alpha'), ('b', 'Beta')`)
  await pool.query(
    `insert into licence (id, organization_id, licence_number) values (gen_random_uuid(), 1, 'LEC-OURS-1111-7F3K'), (gen_random_uuid(), 2, 'LEC-VENDORS-1111')`,
  )
  await pool.query(
    `insert into audit_entry (id, organization_id, change_type, target, initiator_email) values
     (gen_random_uuid(), 1, 'generateLicence', 'LEC-OURS-1111-7F3K', 'ada@alpha.example'), (gen_random_uuid(), 2, 'createLicence', 'LEC-OURS-1111-7F3K', 'eve@beta.example'),
     (gen_random_uuid(), 1, 'createProduct', 'LEC-OURS-1111-7F3K', null)`,
  )
  const all = 'manage:cfg,manage:firmware,manage:cfg-lib,manage:locations,access:audit_log,access:analytics,access:device-dashboard'
  await pool.query('insert into idp_account (id, email, permissions) values (gen_random_uuid(), $1, $2), (gen_random_uuid(), $3, $4)', [
    ...['a@x.example', all.split(','), 'b@x.example', ['manage:firmware']],
  ])
  await migrate(pool)
  const rows = async (query: string) => (await pool.query({ text: query, rowMode: 'array' })).rows
  expect(await rows('select licence_number, issued_by, revoked_at from licence order by 1')).toEqual([
    ['LEC-OURS-1111-7F3K', 'ada@alpha.example', null],
    ['LEC-VENDORS-1111', null, null],
  ])
  expect(await rows('select change_type, target from audit_entry order by 1')).toEqual([
    ['createLicence', '…7F3K'],
    ['createProduct', 'LEC-OURS-1111-7F3K'],
    ['generateLicence', '…7F3K'],
  ])
  expect(await rows(`select count(*)::int from audit_entry where search like '%ours%'`)).toEqual([[1]])
  await expect(pool.query(`update audit_entry set target = ''`)).rejects.toThrow('is never changed or removed')
  expect(await rows('select email, permissions from idp_account order by 1')).toEqual([
    ['a@x.example', [...all.split(','), 'manage:licences']],
    ['b@x.example', ['manage:firmware']],
  ])
})

test('what is there before the directory of organizations is counted by it', async () => {
  const pool = openPool(await createEmptyDatabase())
  await pool.query('create table migration (name text primary key, migrated_at timestamptz not null default now())')
  for (const name of names.filter((name) => name < '0006')) {
    await pool.query(await readFile(new URL(name, folder), 'utf8'))
    await pool.query('insert into migration (name) values ($1)', [name])
  }
  await pool.query(`insert into organization (id, name) values ('a', 'Alpha'), ('b', null), ('c', ''), ('d', '')`)
  await pool.query(`insert into "group" (organization_id, name) values ('a', 'One'), ('a', 'Two'), ('b', 'Three')`)
  await pool.query(`insert into "user" (id, issuer, subject, email) select gen_random_uuid(), 'i', n, n from generate_series(1, 5) n`)
  await pool.query(`insert into member select 'a', id, 1 + subject::int % 2 from "user"`)
  await migrate(pool)
  expect((await pool.query('select organizations, groups, members from directory_count')).rows).toEqual([
    { organizations: 4, groups: 3, members: 5 },
  ])
  expect((await pool.query('select member_count from "group" order by id')).rows.map((row) => row.member_count)).toEqual([2, 3, 0])
  expect((await pool.query('select search_text from organization order by id')).rows.map((row) => row.search_text)).toEqual([
    'alpha',
    'b',
    'c',
    'd',
  ])
})

test('the row types are those of the migrated database', async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  expect(() => generateSchema(url, { verify: true })).not.toThrow()
  const pool = openPool(url)
  await pool.query('alter table zone add column colour text')
  expect(() => generateSchema(url, { verify: true })).toThrow()
})

test('a call that is repeated across the upgrade still gets its first answer, in each organization of its caller', async () => {
  const pool = openPool(await createEmptyDatabase())
  await pool.query('create table migration (name text primary key, migrated_at timestamptz not null default now())')
  for (const name of names.filter((name) => name < '0052')) {
    await pool.query(await readFile(new URL(name, folder), 'utf8'))
    await pool.query('insert into migration (name) values ($1)', [name])
  }
  await pool.query(`insert into organization (public_id, name) values ('a', 'Alpha'), ('b', 'Beta'), ('c', 'Gamma')`)
  await pool.query(`insert into "group" (organization_id, name) select id, 'Readers' from organization`)
  const person = '01980000-0000-7000-8000-000000000001'
  await pool.query(`insert into "user" (id, issuer, subject, email) values ($1, 'i', 's', 'a@b.example')`, [person])
  await pool.query(
    `insert into member (organization_id, user_id, group_id, built_in_role) select o.id, $1, g.id, 'viewer' from organization o join "group" g on g.organization_id = o.id where o.id < 3`,
    [person],
  )
  await pool.query(`insert into idempotency_key (caller, key, request_hash, status, reply) values ($1, 'k', 'h', 200, '{"revision":1}')`, [
    `user ${person}`,
  ])
  await migrate(pool)
  const { rows } = await pool.query('select organization_id, caller, key, request_hash, status, reply from idempotency_key order by 1')
  const kept = { caller: `user ${person}`, key: 'k', request_hash: 'h', status: 200, reply: { revision: 1 } }
  expect(rows).toEqual([0, 1, 2].map((organization_id) => ({ organization_id, ...kept })))
})

test('[INP-02] names that are equal in one form of their characters get a number at the upgrade, with an entry; serial numbers stay', async () => {
  const pool = openPool(await createEmptyDatabase())
  await pool.query('create table migration (name text primary key, migrated_at timestamptz not null default now())')
  for (const name of names.filter((name) => name < '0059')) {
    await pool.query(await readFile(new URL(name, folder), 'utf8'))
    await pool.query('insert into migration (name) values ($1)', [name])
  }
  await pool.query(`insert into organization (public_id, name) values ('a', 'Alpha'), ('b', 'Beta')`)
  const zones = (organization: number, ...given: string[]) =>
    pool.query(`insert into zone (organization_id, public_id, name) select $1, gen_random_uuid(), n from unnest($2::text[]) n`, [
      organization,
      given,
    ])
  await zones(1, 'B\u00dcRO', 'B\u00fcro (2)', 'Bu\u0308ro', 'e\u0301')
  await zones(2, 'Bu\u0308ro')
  await pool.query(
    `insert into device (organization_id, last_seen_at, serial_number, device_type) values (1, now(), 'Se\u0301rie', 'CR2700')`,
  )
  await migrate(pool)
  const read = async (statement: string) => (await pool.query({ text: statement, rowMode: 'array' })).rows
  expect(await read('select organization_id, name from zone order by id')).toEqual([
    [1, 'B\u00dcRO'],
    [1, 'B\u00fcro (2)'],
    [1, 'B\u00fcro (3)'],
    [1, '\u00e9'],
    [2, 'B\u00fcro'],
  ])
  expect(
    await read(
      `select organization_id, target, new_value from audit_entry where change_type = 'renameEqual' order by new_value collate "C"`,
    ),
  ).toEqual([[1, 'Bu\u0308ro', 'B\u00fcro (3)']])
  expect(await read('select serial_number from device')).toEqual([['Se\u0301rie']])
})
