import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../open-database.ts'
import { createDatabase, openPool } from '../../testing/database/database.ts'
import { databaseUrl, databaseUrls } from '../../testing/database/database-url.ts'
import { findingTables, tenantTables } from '../../testing/database/organization-guard.ts'
import { statementsDuring } from '../../testing/database/statements.ts'
import { serverForFile } from '../../testing/server.ts'
import { parseSettings } from '../settings.ts'
import { createDatabase as createKysely, createPool } from './database.ts'
import { ofOrganization, ofOwner } from './organization.ts'
import { checkLogin } from './row-security.ts'

const server = await serverForFile()
const urls = databaseUrls(server.databaseUrl)
const own = openClosed(urls.server)
const [here, there] = [await server.zone('Here'), await server.zone('There')]

function openClosed(url: string) {
  const pool = createPool(url, { max: 2 })
  return { pool, db: createKysely(pool) }
}

const names = async (db = own.db) =>
  (await sql<{ name: string }>`select name from zone order by 1`.execute(db)).rows.map(({ name }) => name)

test('[RLS-01] the roles of a server own nothing, are no superuser and do not bypass row security', async () => {
  const { rows } = await openPool(server.databaseUrl).query(`
    select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
      exists (select from pg_auth_members where member = r.oid) as is_member,
      (select count(*)::int from pg_class where relowner = r.oid) as owned
    from pg_roles r where rolname like 'lectern\\_%' order by 1`)
  const nothing = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, is_member: false, owned: 0 }
  expect(rows).toEqual([
    { rolname: 'lectern_crossing', ...nothing },
    { rolname: 'lectern_identity', ...nothing },
    { rolname: 'lectern_server', ...nothing },
  ])
})

test('[RLS-02] every table with an organization forces row security on every role', async () => {
  const { rows } = await openPool(server.databaseUrl).query<{ name: string; enabled: boolean; forced: boolean; policies: string[] }>(`
    select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced, array(
      select concat_ws(' ', polname, polcmd, (select string_agg(oid::regrole::text, ',' order by 1) from unnest(polroles) as oid where oid <> 0))
      from pg_policy where polrelid = c.oid order by polname) as policies
    from pg_class c join pg_attribute a on attrelid = c.oid and attname = 'organization_id' and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  for (const { name, ...table } of rows)
    expect(table, name).toEqual({
      enabled: true,
      forced: true,
      policies: [`crossing * lectern,${name === 'passkey_recovery' ? 'lectern_identity' : 'lectern_crossing'}`, 'organization *'],
    })
  expect(rows.map(({ name }) => name).sort()).toEqual([...tenantTables, ...findingTables].sort())
})

test('[RLS-02] without an organization there is no row, and with one there are its own', async () => {
  expect(await names()).toEqual([])
  expect(await names(ofOrganization(own.db, here.organization.key))).toEqual(['Here'])
  expect(await names(ofOrganization(own.db, there.organization.key))).toEqual(['There'])
  // What a transaction has set is gone with it.
  expect(await names()).toEqual([])
})

test('[RLS-02] a row of another organization is neither added, changed nor taken over', async () => {
  const db = ofOrganization(own.db, here.organization.key)
  const owner = there.organization.key
  await expect(db.insertInto('zone').values({ organization_id: owner, public_id: randomUUID(), name: 'New' }).execute()).rejects.toThrow(
    'new row violates row-level security policy',
  )
  const { numUpdatedRows } = await db.updateTable('zone').set({ name: 'Taken' }).where('organization_id', '=', owner).executeTakeFirst()
  expect(numUpdatedRows).toBe(0n)
  await expect(db.updateTable('zone').set({ organization_id: owner }).execute()).rejects.toThrow('row-level security')
  expect(await names(server.app.db)).toEqual(['Here', 'There'])
})

test('[RLS-02] a stored reply is shown in its organization alone, and one of no organization to nobody who has one', async () => {
  for (const organization_id of [0, here.organization.key, there.organization.key])
    await server.app.db
      .insertInto('idempotency_key')
      .values({ organization_id, caller: 'user 1', key: `key ${organization_id}`, request_hash: 'hash', status: 204 })
      .execute()
  const keys = async (db: typeof own.db) =>
    (await db.selectFrom('idempotency_key').select('key').where('caller', '=', 'user 1').execute()).map(({ key }) => key)
  expect(await keys(ofOrganization(own.db, here.organization.key))).toEqual([`key ${here.organization.key}`])
  expect(await keys(own.db)).toEqual(['key 0'])
})

test('[RLS-05] no variable shows the rows of all organizations', async () => {
  const client = await own.pool.connect()
  onTestFinished(() => client.release())
  for (const value of ['', 'all', '0', '-1', '*', `${here.organization.key} or true`]) {
    const shown = client.query(`begin; set local lectern.organization = '${value}'; select name from zone`)
    const rows = await shown.then(
      (results) => (results as unknown as pg.QueryResult[]).at(-1)!.rows,
      () => [],
    )
    await client.query('rollback')
    expect(rows, value).toEqual([])
  }
  for (const statement of ['set role lectern_crossing', 'set role lectern', 'set session authorization lectern_crossing'])
    await expect(client.query(statement), statement).rejects.toThrow('permission denied')
  await client.query('set row_security = off')
  await expect(client.query('select from zone')).rejects.toThrow('query would be affected by row-level security policy')
  await client.query('reset row_security')
  await expect(client.query('alter table zone no force row level security')).rejects.toThrow('must be owner')
  await expect(client.query('insert into migration (name) values ($1)', ['9999.sql'])).rejects.toThrow('permission denied')
})

test.each([
  [
    'a search for serial numbers',
    `select from device where organization_id = $1 and lower(serial_number collate "default") like '%abcd%'`,
    '~~',
  ],
  [
    'warranties that end',
    `select from device where organization_id = $1 and not warranty_due and warranty_until <= (now() + interval '3 months')::date`,
    'warranty_until <= ',
  ],
])('[RLS-04] under row security an index finds %s', async (_, statement, condition) => {
  await sql`insert into device (organization_id, serial_number, device_type, last_seen_at, warranty_until)
    select ${here.organization.key}::int, 'I' || n, 'CR2700', now(), '2099-01-01' from generate_series(1, 5000) n on conflict do nothing`.execute(
    server.app.db,
  )
  await sql`analyze device`.execute(server.app.db)
  const client = await own.pool.connect()
  onTestFinished(() => client.release())
  await client.query(`begin; set local enable_seqscan = off; set local lectern.organization = '${here.organization.key}'`)
  const { rows } = await client.query(`explain ${statement}`, [here.organization.key])
  await client.query('rollback')
  const conditions = rows.map((row) => String(row['QUERY PLAN'])).filter((line) => line.includes('Index Cond: '))
  expect(conditions.join()).toContain(condition)
  expect(conditions.join()).toContain('organization_id = ')
})

test('[RLS-01] the organization comes in the round trip of the statement or of BEGIN, and is a whole number', async () => {
  const { key } = here.organization
  const db = ofOrganization(own.db, key)
  const send = async () => {
    await names(db)
    await db.transaction().execute((transaction) => names(transaction))
  }
  const sent = await statementsDuring(send)
  const zones = 'select name from zone order by 1'
  expect(sent.map((statement) => statement.sql)).toEqual([zones, `begin ; set local lectern.organization = '${key}'`, zones, 'commit'])
  expect(() => ofOrganization(own.db, Number('1; drop'))).toThrow('An organization has a whole number.')
  expect(() => ofOrganization(own.db, `${key}' or true --` as unknown as number)).toThrow('An organization has a whole number.')
})

test('[RLS-01] a statement alone that fails leaves its connection as it was', async () => {
  const one = openClosed(urls.server)
  const db = ofOrganization(createKysely(createPool(urls.server, { max: 1 })), here.organization.key)
  await expect(sql`select 1 / 0`.execute(db)).rejects.toThrow('division by zero')
  expect(await names(db)).toEqual(['Here'])
  await one.pool.end()
})

const secrets = ['idp_account', 'idp_key', 'idp_record', 'idp_message', 'idp_passkey', 'passkey_recovery']

test.each(['server', 'crossing'] as const)(
  '[MAY-05] the login %s reads nothing that the identity provider keeps, whatever it sets',
  async (login) => {
    const { key } = here.organization
    const person = await server.person({ organization: here.organization })
    const db = server.app.db
    onTestFinished(async () => {
      await sql`truncate idp_account, idp_key, idp_record, idp_message, passkey_recovery, idp_passkey`.execute(db)
    })
    await db.insertInto('idp_account').values({ id: person.userId, email: person.email, password_hash: 'a hash' }).execute()
    await db.insertInto('idp_key').values({ number: 1, jwk: '{}' }).execute()
    await db.insertInto('idp_record').values({ model: 'Session', id: 'a', payload: '{}' }).execute()
    const message = { id: randomUUID(), recipient: person.email, subject: 'a', body: 'a link', expires_at: new Date() }
    await db.insertInto('idp_message').values(message).execute()
    const passkey = { id: 'a', account_id: person.userId, public_key: 'key', counter: 0, transports: [], name: 'Key' }
    await db.insertInto('idp_passkey').values(passkey).execute()
    const request = { browser: 'a', code_hash: 'a', address: 'a', agent: 'a', expires_at: new Date(Date.now() + 60_000) }
    await db
      .insertInto('passkey_recovery')
      .values({ organization_id: key, id: randomUUID(), user_id: person.userId, ...request })
      .execute()
    for (const table of secrets) expect((await sql`select from ${sql.table(table)}`.execute(db)).rows.length, table).toBeGreaterThan(0)
    const client = await openPool(urls[login]).connect()
    onTestFinished(() => client.release())
    const { rows: variables } = await client.query<{ name: string }>(
      `select name from pg_settings where context = 'user' union all select 'lectern.organization'`,
    )
    for (const { name } of variables)
      for (const value of [String(key), '0', '', 'on', 'off', 'all', 'lectern_identity', 'lectern']) {
        await client.query(`set ${name} = '${value}'`).catch(() => undefined)
        for (const table of name === 'lectern.organization' || name === 'role' || name === 'row_security' ? secrets : [])
          await expect(client.query(`select from ${table}`), `${name} = ${value}: ${table}`).rejects.toThrow()
      }
    for (const table of secrets) await expect(client.query(`select from ${table}`), table).rejects.toThrow()
    for (const statement of [
      'set role lectern_identity',
      'set session authorization lectern_identity',
      'grant select on idp_key to public',
    ])
      await expect(client.query(statement), statement).rejects.toThrow()
  },
)

test('[MAY-05] the login of the identity provider reads that alone, and nothing of organizations', async () => {
  const client = await openPool(urls.identity).connect()
  onTestFinished(() => client.release())
  for (const table of secrets) await client.query(`select from ${table}`)
  for (const table of ['zone', 'device', 'member', 'organization', '"user"', 'audit_entry', 'saved_configuration'])
    await expect(client.query(`select from ${table}`), table).rejects.toThrow('permission denied')
})

test('[MAY-05] support cases and scanner-app users are seen by whom they belong to, and force row security', async () => {
  const db = server.app.db
  const one = { status: 'New', subject: 'Beeps', description: '', action_plan: '', priority: 'Low', origin: 'Web' }
  for (const contact_email of ['Ada@people.example', 'bob@people.example'])
    await db
      .insertInto('support_case')
      .values({ ...one, contact_email })
      .execute()
  for (const address of ['ada@people.example', 'bob@people.example']) await db.insertInto('scanner_app_user').values({ address }).execute()
  onTestFinished(async () => {
    await sql`truncate support_case, scanner_app_user`.execute(db)
  })
  const seen = async (seer: typeof own.db) => [
    (await seer.selectFrom('support_case').select('contact_email').orderBy('id').execute()).map(({ contact_email }) => contact_email),
    (await seer.selectFrom('scanner_app_user').select('address').orderBy('address').execute()).map(({ address }) => address),
  ]
  expect(await seen(own.db)).toEqual([[], []])
  expect(await seen(ofOrganization(own.db, here.organization.key))).toEqual([[], []])
  const ada = ofOwner(own.db, { address: 'ADA@people.example' })
  expect(await seen(ada)).toEqual([['Ada@people.example'], ['ada@people.example']])
  expect(await seen(ofOwner(own.db, { organizationId: here.organization.key, address: "o'neill\\@people.example" }))).toEqual([[], []])
  await expect(
    ada
      .insertInto('support_case')
      .values({ ...one, contact_email: 'bob@people.example' })
      .execute(),
  ).rejects.toThrow('row-level security')
  await expect(ada.updateTable('scanner_app_user').set({ address: 'bob2@people.example' }).execute()).rejects.toThrow('row-level security')
  const client = await own.pool.connect()
  onTestFinished(() => client.release())
  for (const value of ['', '%', 'all', '*', "' or true --"])
    for (const table of ['support_case', 'scanner_app_user']) {
      const [, , { rows } = { rows: null }] = (await client.query(
        `begin; set local lectern.address = ${pg.escapeLiteral(value)}; select from ${table}`,
      )) as unknown as pg.QueryResult[]
      await client.query('rollback')
      expect(rows, `${table}: ${value}`).toEqual([])
    }
  expect(await seen(createKysely(openPool(urls.crossing)))).toEqual([
    ['Ada@people.example', 'bob@people.example'],
    ['ada@people.example', 'bob@people.example'],
  ])
})

test.each([
  ['DATABASE_URL', 'identity', 'sees the rows of all organizations'],
  ['CROSSING_DATABASE_URL', 'identity', 'reads what the identity provider keeps'],
  ['IDENTITY_DATABASE_URL', 'crossing', 'reads more than what the identity provider keeps'],
] as const)('[MAY-05] a server does not start where %s is the login %s', async (setting, login, fault) => {
  await expect(checkLogin(openPool(urls[login]), setting)).rejects.toThrow(`${setting}: its role lectern_${login} ${fault}.`)
})

test.each([
  ['the owner', 'owner', 'DATABASE_URL: its role lectern is a superuser or makes roles.'],
  ['who sees all', 'crossing', 'DATABASE_URL: its role lectern_crossing sees the rows of all organizations.'],
] as const)('[RLS-01] a server refuses to start as %s', async (_, login, sentence) => {
  const settings = parseSettings({
    DATABASE_URL: urls[login],
    CROSSING_DATABASE_URL: urls.crossing,
    IDENTITY_DATABASE_URL: urls.identity,
    MIGRATION_DATABASE_URL: urls.owner,
  })
  await expect(openDatabase(settings)).rejects.toThrow(
    `${sentence} It must own nothing, as MIGRATION_DATABASE_URL is the owner. docs/operations.md says how`,
  )
})

test('[RLS-01] without the owner a server starts on a migrated database, and asks for it on an older one', async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const { server: own, crossing, identity } = databaseUrls(url)
  const settings = parseSettings({ DATABASE_URL: own, CROSSING_DATABASE_URL: crossing, IDENTITY_DATABASE_URL: identity })
  await (await openDatabase(settings)).release()
  await openPool(url).query(`delete from migration where name = (select max(name) from migration)`)
  await expect(openDatabase(settings)).rejects.toThrow(
    'The database lacks 1 migrations. Set MIGRATION_DATABASE_URL to its owner and start one server once.',
  )
})

test('[RLS-01 RLS-02] the owner of an external database need not be a superuser, and its roles may have any name', {
  timeout: 60_000,
}, async () => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const cluster = openPool(inject('clusterUrl'))
  const roles = { server: `${name}_Server`, crossing: `${name}_all`, identity: `${name}_Keys`, owner: `${name}_owner` }
  for (const role of Object.values(roles)) await cluster.query(`create role "${role}" login`)
  await cluster.query(`create database ${name} owner "${roles.owner}"`)
  const as = (role: string) => databaseUrl(inject('clusterUrl'), name).replace('//lectern@', `//${role}@`)
  onTestFinished(async () => {
    await cluster.query(`drop database if exists ${name} with (force)`)
    for (const role of Object.values(roles)) await cluster.query(`drop role "${role}"`)
  })
  const settings = parseSettings({
    DATABASE_URL: as(roles.server),
    CROSSING_DATABASE_URL: as(roles.crossing),
    IDENTITY_DATABASE_URL: as(roles.identity),
    MIGRATION_DATABASE_URL: as(roles.owner),
  })
  await (await openDatabase(settings)).release()
  const owner = openPool(as(roles.owner))
  const { rows } = await owner.query<{ id: number }>(
    `insert into organization (public_id, name) values ('a', 'A'), ('b', 'B') returning id`,
  )
  for (const { id } of rows) await owner.query(`insert into "group" (organization_id, name) values ($1, 'Group')`, [id])
  const pool = openPool(as(roles.server))
  const groups = async (db: ReturnType<typeof createKysely>) => (await sql`select from "group"`.execute(db)).rows.length
  expect(await groups(createKysely(pool))).toBe(0)
  expect(await groups(ofOrganization(createKysely(pool), rows[0]!.id))).toBe(1)
  expect(await groups(createKysely(openPool(as(roles.crossing))))).toBe(2)
  expect(await groups(createKysely(owner))).toBe(2)
  await expect(checkLogin(owner, 'DATABASE_URL')).rejects.toThrow('owns the tables, or is a member of a role that does')
  // A second start finds all of it.
  await (await openDatabase(settings)).release()
})
