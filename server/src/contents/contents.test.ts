import { createHash, randomUUID } from 'node:crypto'
import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openContentStore } from '../lib/content-store.ts'
import { createDatabase, createPool } from '../lib/database/database.ts'
import { serverForFile, startServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'
import { storeContent, sweepContents } from './contents.ts'
import { tryLockSweep } from './sql.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })
const store = await openContentStore(join(server.settings.dataDir, 'contents'))
const sweep = () => sweepContents(db, store)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const isKept = async (content: string) => (await store.size(sha256(content))) !== null

type Zone = Awaited<ReturnType<typeof server.zone>>
const makeParams = ({ id, organization }: Zone) => ({ organizationId: organization.id, location: id, device: 'V1300' })
const publish = (zone: Zone, content: string) =>
  zone.manager.call('publishFirmwareFile', { params: makeParams(zone), file: new File([content], 'a.crbfw') })
const upload = (content: string) =>
  staff.call('uploadFirmwareRelease', { fields: { device: 'V1300', version: randomUUID() }, file: new File([content], 'a.crbfw') })

test('what no transaction has come to need is removed; what a zone or a release has stays', async () => {
  const zone = await server.zone()
  const [orphan, published, released, script] = [randomUUID(), randomUUID(), randomUUID(), `rules_onDecode = (d) => d // ${randomUUID()}`]
  await (await store.receive(Readable.from([Buffer.from(orphan)]), 'orphan', 1_000)).store()
  await publish(zone, published)
  await publish(zone, randomUUID())
  await upload(released)
  await zone.manager.call('publishCodeRules', { params: makeParams(zone), file: new File([script], 'rules.js') })
  await sweep()
  expect(await Promise.all([orphan, published, released, script].map(isKept))).toEqual([false, true, true, true])
})

test('[FAI-05] what a killed server had half received is gone after the next start', async () => {
  const incoming = join(server.settings.dataDir, 'contents', 'incoming')
  await writeFile(join(incoming, 'abandoned'), 'half a file')
  await writeFile(join(incoming, 'under way'), 'of another server')
  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(join(incoming, 'abandoned'), longAgo, longAgo)
  const again = await startServer({ databaseUrl: server.databaseUrl, environment: { DATA_DIR: server.settings.dataDir } })
  onTestFinished(again.stop)
  const left = await readdir(incoming)
  expect([left.includes('abandoned'), left.includes('under way')]).toEqual([false, true])
  await rm(join(incoming, 'under way'))
})

test('the file of a refused upload, of a deleted zone and of a deleted release are removed', async () => {
  const zone = await server.zone()
  const [given, released] = [randomUUID(), randomUUID()]
  await publish(zone, given)
  const { id } = (await upload(released)).body
  await sweep()
  expect([await isKept(given), await isKept(released)]).toEqual([true, true])
  await zone.manager.call('deleteZone', { params: { organizationId: zone.organization.id, location: zone.id } })
  await staff.call('offerFirmwareRelease', { params: { id }, body: { isOffered: false } })
  await staff.call('deleteFirmwareRelease', { params: { id } })
  await sweep()
  expect([await isKept(given), await isKept(released)]).toEqual([false, false])
  const twice = randomUUID()
  const fields = { device: 'V1300', version: '1.0' }
  await staff.call('uploadFirmwareRelease', { fields, file: new File(['first'], 'a.crbfw') })
  expect((await staff.call('uploadFirmwareRelease', { fields, file: new File([twice], 'a.crbfw') })).status).toBe(409)
  await sweep()
  expect([await isKept('first'), await isKept(twice)]).toEqual([true, false])
})

test('[FLT-01] what a killed server had half received is removed by the others; an upload that goes on stays', async () => {
  const incoming = join(server.settings.dataDir, 'contents', 'incoming')
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  for (const [name, minutes] of [['left', 16] as const, ['slow', 14] as const]) {
    await writeFile(join(incoming, name), 'half')
    await utimes(join(incoming, name), minutesAgo(minutes), minutesAgo(minutes))
  }
  await sweep()
  const left = await readdir(incoming)
  expect([left.includes('left'), left.includes('slow')]).toEqual([false, true])
})

test('a content that is being published at this moment stays', async () => {
  const zone = await server.zone()
  const content = randomUUID()
  const other = createDatabase(createPool(server.databaseUrl, { max: 1 }))
  // The publish call has stored its file and is waiting for the audit log.
  const published = await other.transaction().execute(async (transaction) => {
    await sql`lock table audit_entry in exclusive mode`.execute(transaction)
    const publishing = publish(zone, content)
    await until(() => isKept(content))
    await sweep()
    expect(await isKept(content)).toBe(true)
    return { publishing }
  })
  await other.destroy()
  expect((await published.publishing).status).toBe(200)
  await sweep()
  expect(await isKept(content)).toBe(true)
})

test('a transaction that is tried again has its content, although a sweep came in between', async () => {
  const content = randomUUID()
  const file = await store.receive(Readable.from([Buffer.from(content)]), 'again', 1_000)
  const attempt = db.transaction().execute(async (transaction) => {
    await storeContent(transaction, file)
    throw new Error('to be tried again')
  })
  await expect(attempt).rejects.toThrow('to be tried again')
  await sweep()
  expect(await isKept(content)).toBe(false)
  await db.transaction().execute((transaction) => storeContent(transaction, file))
  expect(await isKept(content)).toBe(true)
  await file.discard()
  expect(await isKept(content)).toBe(true)
  await sweep()
})

test('while one server sweeps, another leaves it to that one', async () => {
  const orphan = randomUUID()
  await (await store.receive(Readable.from([Buffer.from(orphan)]), 'orphan', 1_000)).store()
  await db.transaction().execute(async (transaction) => {
    expect(await tryLockSweep(transaction)).toBe(true)
    await sweep()
    expect(await isKept(orphan)).toBe(true)
  })
  await sweep()
  expect(await isKept(orphan)).toBe(false)
})
