import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { copyFileSync, createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { seedOrganizations } from '../demo/accounts.ts'
import { seedReleases } from '../demo/releases.ts'
import { seedDemo } from '../demo/seed.ts'
import { makeTables, migrate } from '../lib/database/migrate.ts'
import { secureTables } from '../lib/database/row-security.ts'
import { logins } from '../postgres/logins.ts'
import {
  describeSchema,
  hashTables,
  listContents,
  newFolder,
  nextNumbers,
  type Place,
  query,
  rewrite,
  run,
  startCommand,
} from '../testing/archives.ts'
import { clusterMaker } from '../testing/database/clusters.ts'
import { createEmptyDatabase, openPool } from '../testing/database/database.ts'
import { listUnguarded } from '../testing/database/organization-guard.ts'
import { serverForFile, startServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'

// Each restore makes all tables.
vi.setConfig({ testTimeout: 180_000 })
const madeCluster = clusterMaker()
const server = await serverForFile()
const source: Place = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.settings.dataDir }
let zone: Awaited<ReturnType<typeof server.zone>>
const publish = (to: typeof zone, content: string) =>
  zone.manager.call('publishFirmwareFile', {
    params: { organizationId: zone.organization.id, location: to.id, device: 'V1300' },
    file: new File([content], 'a.crbfw'),
  })

beforeAll(async () => {
  // A model that a database had before models were an enum.
  await query(source.DATABASE_URL, `alter type device_model add value '1000' before '1500DPM'`)
  await query(source.DATABASE_URL, `alter type device_model add value 'X-9'`)
  await seedOrganizations(server.app.db)
  await seedDemo(server.app.db)
  await seedReleases(server.app.db, server.app.contents)
  // The demo asks of all organizations whether it is there.
  listUnguarded()
  zone = await server.zone('North')
  const texts = ['tab\there', 'two\nlines', '\\N', '\\.', '"quoted", and ünïcode 😀', 'x'.repeat(200_000)]
  await server.app.db
    .insertInto('idp_message')
    .values(texts.map((body) => ({ id: randomUUID(), recipient: 'a@b.example', subject: '', body, expires_at: new Date('2099-01-01') })))
    .execute()
  await server.app.db
    .insertInto('signing_secret')
    .values({ purpose: 'test', secret: Buffer.from([...Array(256).keys()]) })
    .execute()
  await server.app.db.insertInto('idp_key').values({ number: 1, jwk: '{"kty":"RSA"}' }).execute()
})
// Sweeps what an earlier test has left, so that this is not done while a test compares.
beforeEach(() => server.app.sweep())

const emptyPlace = async (): Promise<Place> => ({ DATABASE_URL: await createEmptyDatabase(), DATA_DIR: newFolder() })

async function backUp(place = source): Promise<string> {
  const file = join(newFolder(), 'lectern.tar.zst')
  expect(await run(place, 'backup', file)).toMatchObject({ code: 0, stderr: '' })
  return file
}

/** Locks a table that a backup reads after its snapshot and before anything is written. */
async function holdBackup(): Promise<{ isWaiting(): Promise<boolean>; release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: source.DATABASE_URL })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin; lock table migration in access exclusive mode')
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query like '%from migration%'`
  return { isWaiting: async () => (await query(source.DATABASE_URL, waiting)).length === 1, release: () => client.end() }
}

test('[FLT-04] an archive made while writes and sweeps go on has the database and its contents of one instant, by hash', async () => {
  const gone = await server.zone('Gone', zone.organization)
  const contents = [randomUUID(), randomUUID()] as const
  await publish(zone, contents[0])
  await publish(gone, contents[1])
  await server.app.sweep()
  const before = { tables: await hashTables(source.DATABASE_URL), contents: listContents(source.DATA_DIR) }
  expect(Object.keys(before.tables).length).toBeGreaterThan(35)

  const backup = await holdBackup()
  const file = join(newFolder(), 'lectern.tar.zst')
  const made = startCommand(source, 'backup', file)
  await until(backup.isWaiting)
  await publish(zone, randomUUID())
  const params = { organizationId: zone.organization.id, location: gone.id }
  expect((await zone.manager.call('deleteZone', { params })).status).toBe(204)
  await server.app.sweep()
  await server.zone('Late', zone.organization)
  await backup.release()
  expect(await made.ended).toMatchObject({ code: 0, stderr: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const after = await hashTables(source.DATABASE_URL)
  expect([after.zone, after.publication]).not.toEqual([before.tables.zone, before.tables.publication])

  const target = await emptyPlace()
  expect(await run(target, 'restore', file)).toMatchObject({ code: 0, stderr: '' })
  expect(await hashTables(target.DATABASE_URL)).toEqual(before.tables)
  expect(listContents(target.DATA_DIR)).toEqual(before.contents)
  for (const hash of before.contents) {
    const bytes = readFileSync(join(target.DATA_DIR, 'contents', hash.slice(0, 2), hash))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash)
  }
  await server.app.sweep()
  expect(listContents(source.DATA_DIR)).not.toContain(createHash('sha256').update(contents[1]).digest('hex'))
})

test('[FLT-04] an embedded database takes the archive of another one, and gives it back the same', async () => {
  const before = await hashTables(source.DATABASE_URL)
  const embedded: Place = { DATABASE_URL: '', DATA_DIR: dirname(await madeCluster()) }
  const restored = await run(embedded, 'restore', await backUp())
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toMatch(/^Restored \d+ tables and \d+ contents\./)
  const target = await emptyPlace()
  expect(await run(target, 'restore', await backUp(embedded))).toMatchObject({ code: 0 })
  expect(await hashTables(target.DATABASE_URL)).toEqual(before)
  expect(listContents(target.DATA_DIR)).toEqual(listContents(embedded.DATA_DIR))
})

test('[FLT-04] a restored database has every key, index, trigger and label, and a server goes on with it', async () => {
  const content = randomUUID()
  await publish(zone, content)
  const target = await emptyPlace()
  expect(await run(target, 'restore', await backUp())).toMatchObject({ code: 0 })
  expect(await describeSchema(target.DATABASE_URL)).toEqual(await describeSchema(source.DATABASE_URL))
  expect(await nextNumbers(target.DATABASE_URL)).toEqual(await nextNumbers(source.DATABASE_URL))

  const environment = { DATA_DIR: target.DATA_DIR, AUTH_DOMAIN: server.issuer.url }
  await secureTables(openPool(target.DATABASE_URL), logins)
  const again = await startServer({ databaseUrl: target.DATABASE_URL, environment })
  onTestFinished(again.stop)
  const as = { token: zone.manager.token }
  const params = { organizationId: zone.organization.id }
  const added = await again.call('createZone', { params: { ...params, location: 'Restored' } }, as)
  expect(added.status).toBe(200)
  const { body } = await again.call('listZones', { params }, as)
  expect(body.map(({ name }) => name)).toEqual(expect.arrayContaining(['North', 'Restored']))
})

test('[FLT-04] the archive of an older version is restored as it is, and the next start migrates it', async () => {
  const migrations = (await readdir(join(import.meta.dirname, '../../migrations'))).filter((name) => name.endsWith('.sql')).sort()
  const [old, target] = [await emptyPlace(), await emptyPlace()]
  const client = new pg.Client({ connectionString: old.DATABASE_URL })
  await client.connect()
  await makeTables(client, migrations.slice(0, -2))
  await client.query('insert into migration (name) select unnest($1::text[])', [migrations.slice(0, -2)])
  await client.query(`insert into organization (public_id, name) values ('old', 'Old')`)
  await client.end()
  expect(await run(target, 'restore', await backUp(old))).toMatchObject({ code: 0 })
  expect(await hashTables(target.DATABASE_URL)).toEqual(await hashTables(old.DATABASE_URL))
  expect(await describeSchema(target.DATABASE_URL)).toEqual(await describeSchema(old.DATABASE_URL))
  expect(await migrate(openPool(target.DATABASE_URL))).toEqual(migrations.slice(-2))
})

test('[FLT-04] a restore keeps away from a database with tables, or with other programs at work; --replace deletes what is there', async () => {
  const file = await backUp()
  const target = await emptyPlace()
  await query(target.DATABASE_URL, 'create table note (text text)')
  const refused = await run(target, 'restore', file)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'The database is not empty. With --replace what is in it is deleted, then the archive restored.\n',
  ])
  const running = await run(source, 'restore', file, '--replace')
  expect([running.code, running.stderr]).toEqual([
    1,
    'Other programs are connected to the database. Stop every server, and whatever else uses it, then try again.\n',
  ])
  for (let time = 1; time <= 2; time += 1) expect(await run(target, 'restore', file, '--replace')).toMatchObject({ code: 0 })
  expect(await hashTables(target.DATABASE_URL)).toEqual(await hashTables(source.DATABASE_URL))
  expect(await describeSchema(target.DATABASE_URL)).toEqual(await describeSchema(source.DATABASE_URL))
})

test('[FLT-04] an archive that is cut off, changed, or of a newer version is refused, and nothing is restored', async () => {
  const file = await backUp()
  const folder = newFolder()
  const bytes = readFileSync(file)
  const broken: [name: string, sentence: string | RegExp, make: (path: string) => Promise<void> | void][] = []
  const add = (name: string, sentence: string | RegExp, make: (path: string) => Promise<void> | void) => broken.push([name, sentence, make])
  const damaged = /damaged.* Nothing was restored\./
  for (const share of [0, 0.5]) add(`cut-${share}`, damaged, (path) => writeFileSync(path, bytes.subarray(0, bytes.length * share)))
  add('flipped', damaged, (path) => writeFileSync(path, bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1)))
  add('row', damaged, (path) => rewrite(file, path, (name, text) => (name.startsWith('database/user') ? text.replace('@', '+') : text)))
  add('content', 'is another. Nothing was restored.', (path) =>
    rewrite(file, path, (name, text) => (name.startsWith('contents/') ? `${text} ` : text)),
  )
  const manifest = (change: (text: string) => string) => (path: string) =>
    rewrite(file, path, (name, text) => (name === 'manifest.json' ? change(text) : text))
  add(
    'format',
    'is of a newer version. Restore it with that version.',
    manifest((text) => text.replace('"format":1', '"format":2')),
  )
  add(
    'migration',
    'The archive has migration 9999-later.sql, which this version does not know. Restore it with a newer version.',
    manifest((text) => text.replace('"migrations":[', '"migrations":["9999-later.sql",')),
  )
  const target = await emptyPlace()
  for (const [name, sentence, make] of broken) {
    const path = join(folder, name)
    await make(path)
    const { code, stderr } = await run(target, 'restore', path)
    expect([name, code, stderr]).toEqual([name, 1, expect.stringMatching(sentence)])
    expect(await hashTables(target.DATABASE_URL), name).toEqual({})
  }
  const nowhere = await run(target, 'restore', join(folder, 'none'))
  expect(nowhere.stderr).toBe(`There is no file ${join(folder, 'none')} that can be read.\n`)
})

test('[FLT-04] a restore that is killed leaves the database as it was', async () => {
  const file = await backUp()
  const target = await emptyPlace()
  expect(await run(target, 'restore', file)).toMatchObject({ code: 0 })
  await query(target.DATABASE_URL, `update organization set name = name || ' kept'`)
  const before = await hashTables(target.DATABASE_URL)
  const pipe = join(newFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const restoring = startCommand(target, 'restore', pipe, '--replace')
  // The other half never comes.
  const half = createWriteStream(pipe)
  half.on('error', () => {})
  half.write(readFileSync(file).subarray(0, statSync(file).size / 2))
  const filling = `select from pg_stat_activity where datname = current_database() and query ~ '^(truncate|copy)'`
  await until(async () => (await query(target.DATABASE_URL, filling)).length > 0)
  restoring.kill()
  expect(await restoring.ended).toMatchObject({ code: null })
  half.destroy()
  expect(await hashTables(target.DATABASE_URL)).toEqual(before)
  expect(await describeSchema(target.DATABASE_URL)).toEqual(await describeSchema(source.DATABASE_URL))
})

test('[FLT-04] a backup keeps what has its name, names a content that is missing, and says how it is called', async () => {
  const file = await backUp()
  const copy = `${file}.copy`
  copyFileSync(file, copy)
  expect(await run(source, 'backup', file)).toMatchObject({ code: 1, stderr: `${file} is there already. Name another file.\n` })
  expect(readFileSync(file).equals(readFileSync(copy))).toBe(true)
  const elsewhere = await run({ ...source, DATA_DIR: newFolder() }, 'backup', `${file}.new`)
  expect(elsewhere.stderr).toMatch(/^The content [0-9a-f]{64}, which .* Is DATA_DIR that of the servers\?\n$/)
  expect(() => statSync(`${file}.new`)).toThrow('ENOENT')
  expect(() => statSync(`${file}.new.part`)).toThrow('ENOENT')
  expect((await run(await emptyPlace(), 'backup', `${file}.new`)).stderr).toMatch(/^The database has no tables/)
  expect((await run(source, 'backup')).stderr).toMatch(/^npm run backup -- FILE/)
})
