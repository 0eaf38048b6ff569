import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Permission } from '@lectern/contract/http/permissions.ts'
import { deletedDays } from '@lectern/contract/library.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'
import { deskRecord } from '../testing/makers.ts'
import { startServer, type TestServer } from '../testing/server.ts'

const kB = 1024

async function open(environment: Record<string, string>, permissions: Permission[] = []) {
  const server = await startServer({ environment })
  onTestFinished(server.stop)
  const organization = await server.organization()
  const person = await server.person({ organization, permissions })
  return { server, organization, person }
}

type Person = Awaited<ReturnType<TestServer['person']>>

/** A library entry with a script of so many bytes that cannot be compressed. */
const save = (person: Person, organization: { id: string }, bytes: number, headers = {}) => {
  const text = `rules_onDecode = (d) => d // ${Array.from({ length: Math.ceil(bytes / 36) }, () => randomUUID()).join('')}`.slice(0, bytes)
  const content = { kind: 'script' as const, text, fileName: 'rules.js' }
  const body = { name: randomUUID(), device: 'CR2700', note: '', content }
  return person.call('createLibraryEntry', { params: { organizationId: organization.id }, body }, headers)
}

const countRows = async ({ app }: TestServer, table: 'saved_version' | 'storage_count' | 'upload') =>
  Number((await sql<{ count: string }>`select count(*) from ${sql.table(table)}`.execute(app.db)).rows[0]!.count)

const countReplies = async ({ app }: TestServer) => (await app.db.selectFrom('idempotency_key').select('key').execute()).length

test('[FAI-05] of 64 that an account saves at once so many fit in its quota, and the others leave nothing', async () => {
  const { server, organization, person } = await open({ STORED_BYTES_PER_ACCOUNT: String(100 * kB) })
  const answers = await Promise.all(Array.from({ length: 64 }, () => save(person, organization, 20 * kB)))
  const saved = answers.filter(({ status }) => status === 200)
  expect(saved).toHaveLength(4)
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ status, problem }) => `${status} ${problem.detail}`))).toEqual(
    new Set(['409 An account may store at most 100 KB. Delete what is not needed. What is deleted from the library counts for 30 days.']),
  )
  expect(await countRows(server, 'saved_version')).toBe(4)
  await server.app.sweep()
  expect((await save(person, organization, 20 * kB)).status).toBe(409)
  const colleague = await server.person({ organization })
  expect((await save(colleague, organization, 20 * kB)).status).toBe(200)
  // A deleted entry makes place once it cannot be restored any more.
  const params = { organizationId: organization.id, id: saved[0]!.body.id }
  expect((await person.call('deleteLibraryEntry', { params })).status).toBe(204)
  await server.app.sweep()
  expect((await save(person, organization, 20 * kB)).status).toBe(409)
  await server.app.db
    .updateTable('saved_configuration')
    .set({ deleted_at: sql`now() - make_interval(days => ${deletedDays}, mins => 1)` })
    .where('id', '=', params.id)
    .execute()
  await server.app.sweep()
  expect(await countRows(server, 'saved_version')).toBe(4)
  expect((await save(person, organization, 20 * kB)).status).toBe(200)
})

test('[FAI-05] of 64 that two accounts of an organization save at once so many fit in its quota', async () => {
  const { server, organization, person } = await open({ STORED_BYTES_PER_ORGANIZATION: String(100 * kB) }, ['manage:cfg'])
  const colleague = await server.person({ organization })
  const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => save(index % 2 ? person : colleague, organization, 20 * kB)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
  expect(answers.find(({ status }) => status !== 200)!.problem.detail).toBe(
    'An organization may store at most 100 KB beside firmware files. Delete what is not needed. What is deleted from the library counts for 30 days.',
  )
  const other = await server.organization()
  expect((await save(await server.person({ organization: other }), other, 20 * kB)).status).toBe(200)
})

test('[FAI-05] replies that are kept for a day count for their account, and a dry run keeps none', async () => {
  const { server, organization, person } = await open({ STORED_BYTES_PER_ACCOUNT: String(20 * kB) }, ['manage:firmware'])
  const register = (sn: string) =>
    person.call('createReader', { params: { customerid: organization.id }, body: { sn } }, { 'idempotency-key': sn })
  const statuses: number[] = []
  for (let index = 0; index < 64 && statuses.at(-1) !== 409; index++) statuses.push((await register(`SN${index}`)).status)
  expect([statuses.length > 5, statuses.at(-1)]).toEqual([true, 409])
  const zone = await server.zone()
  await server.host(zone)
  const parts = [{ model: 'CR2700' as const, content: { kind: 'cfg' as const, text: '<cfg><a>1</a></cfg>' } }]
  const params = { organizationId: zone.organization.id }
  const preview = () =>
    zone.manager.call(
      'previewPublication',
      { params, body: { key: uuidv7(), zones: { filter: {} }, parts, when: { now: true } } },
      { 'idempotency-key': 'dry-run' },
    )
  expect((await preview()).status).toBe(200)
  expect(await countReplies(server)).toBe(statuses.length - 1)
})

test('[FAI-05] an organization above its quotas keeps and reads all, and may make it less', async () => {
  const { server, organization, person } = await open({})
  const [one, two] = [await save(person, organization, 40 * kB), await save(person, organization, 40 * kB)]
  const strict = await startServer({ environment: { STORED_BYTES_PER_ACCOUNT: String(50 * kB) }, databaseUrl: server.databaseUrl })
  onTestFinished(strict.stop)
  server.issuer.people.clear()
  const organizationId = organization.id
  const member = await strict.person({ organization })
  await strict.app.db.updateTable('saved_configuration').set({ created_by: member.userId }).execute()
  await strict.app.db
    .updateTable('storage_count')
    .set({ account: `user ${member.userId}` })
    .execute()
  for (const { body } of [one, two])
    expect((await member.call('getLibraryEntry', { params: { organizationId, id: body.id } })).status).toBe(200)
  expect((await save(member, organization, 10 * kB)).status).toBe(409)
  expect((await member.call('deleteLibraryEntry', { params: { organizationId, id: one.body.id } })).status).toBe(204)
})

test('[FAI-05] a library entry counts for its maker until they leave, and no more once it is deleted', async () => {
  const { server, organization, person } = await open({}, ['manage:people'])
  const member = await server.person({ organization })
  const maker = `user ${member.userId}`
  const { body } = await save(member, organization, 10 * kB)
  const countEntries = async () => {
    const { rows } = await sql<{ account: string; items: number; bytes: number }>`
      select account, sum(items)::int as items, sum(bytes)::int as bytes from storage_count
      where kind = 'library entry' group by account order by account`.execute(server.app.db)
    return rows
  }
  const params = { organizationId: organization.id, id: body.id }
  const change = { name: 'Renamed', device: 'CR2700', note: 'It stores nothing' } as const
  expect((await member.call('updateLibraryEntry', { params, body: change }, { 'if-match': '*' })).status).toBe(200)
  expect(await countEntries()).toEqual([{ account: maker, items: 1, bytes: 2_500 }])
  expect((await person.call('removeMember', { params: { organizationId: organization.id, memberId: member.userId } })).status).toBe(204)
  await server.app.sweep()
  expect(await countEntries()).toEqual([{ account: '', items: 1, bytes: 2_500 }])
  await server.app.db.deleteFrom('saved_configuration').execute()
  await server.app.sweep()
  expect(await countEntries()).toEqual([])
})

test('[FAI-05] counts have quotas too: library entries, configs, registered readers, groups and cases', async () => {
  const quotas = {
    LIBRARY_ENTRIES_PER_ORGANIZATION: '2',
    CONFIGS_PER_ORGANIZATION: '2',
    REGISTERED_READERS_PER_ORGANIZATION: '2',
    DESK_RECORDS_PER_ORGANIZATION: '2',
    GROUPS_PER_ORGANIZATION: '2',
    CASES_PER_ACCOUNT: '2',
  }
  const { organization, person } = await open(quotas, ['manage:cfg', 'manage:firmware', 'manage:people'])
  const config = () => person.call('createConfig', { query: { collection: 'shop' }, body: { configName: 'a', configString: 'b' } })
  const group = () => person.call('createGroup', { body: { name: randomUUID() } } as never)
  const registered = () => person.call('createReader', { params: { customerid: organization.id }, body: { sn: randomUUID() } })
  // Of a reader that is registered: a new one counts there too.
  const registry = { params: { customerid: organization.id, connectstatus: 'all' }, query: { PageNumber: 0 } }
  const record = async () => {
    const { sn: serialNumber } = (await person.call('listReaders', registry)).body.readers[0]!
    return person.call('createDeskRecord', { params: { organizationId: organization.id }, body: deskRecord({ serialNumber }) })
  }
  const supportCase = () => person.call('createCase', { body: { subject: 'It is silent', description: 'Since this morning.' } })
  const inLibrary =
    'An organization may have at most 2 configurations in its library, those included that were deleted in the last 30 days.'
  const makers: [() => Promise<{ status: number; problem: { detail?: string } }>, string, number][] = [
    [() => save(person, organization, 100), inLibrary, 2],
    [config, 'An organization may have at most 2 configs.', 2],
    [registered, 'An organization may have at most 2 registered readers.', 2],
    [record, 'An organization may have at most 2 records of desks, those included that were withdrawn.', 2],
    [supportCase, 'An account may have at most 2 support cases.', 2],
    [group, 'An organization may have at most 2 groups.', 1],
  ]
  for (const [make, sentence, most] of makers) {
    const answers = await Promise.all(Array.from({ length: 8 }, make))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(most)
    expect(answers.find(({ status }) => status !== 200)!.problem.detail).toBe(sentence)
  }
})

test('[FAI-05] an upload for which there is no place is refused before it is sent, or where it passes the quota, and leaves no bytes', async () => {
  const { server, organization, person } = await open({ STORED_BYTES_WITH_FIRMWARE: String(40 * kB * kB) }, ['manage:firmware'])
  const incoming = () => readdir(join(server.settings.dataDir, 'contents', 'incoming'))
  const path = `/api/codedm/organization/${organization.id}/uploads/firmware`
  const upload = (megabytes: number, saysLength: boolean) =>
    new Promise<[number, string]>((resolve, reject) => {
      const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.crbfw"\r\n\r\n'
      const length = head.length + megabytes * kB * kB + 9
      const headers = {
        authorization: `Bearer ${person.token}`,
        'content-type': 'multipart/form-data; boundary=b',
        ...(saysLength ? { 'content-length': length } : { 'transfer-encoding': 'chunked' }),
      }
      const sending = request(`${server.url}${path}`, { method: 'POST', headers }, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString()
        resolve([response.statusCode!, response.statusCode === 200 ? '' : JSON.parse(text).detail])
      })
      sending.on('error', reject)
      sending.write(head)
      for (let index = 0; index < megabytes; index++) sending.write(Buffer.alloc(kB * kB, randomUUID()))
      sending.end('\r\n--b--\r\n')
    })
  const refused = [
    409,
    'An organization may store at most 40 MB with its firmware files. Files that no zone needs are removed within a day.',
  ] as const
  expect(await upload(10, true)).toEqual([200, ''])
  expect(await upload(35, true)).toEqual(refused)
  expect(await upload(35, false)).toEqual(refused)
  expect(await incoming()).toEqual([])
  expect(await countRows(server, 'upload')).toBe(1)
  const answers = await Promise.all([10, 11, 12, 13].map((megabytes) => upload(megabytes, true)))
  // Two fit. The second is refused where the first is stored while its bytes are still reserved.
  expect([1, 2]).toContain(answers.filter(([status]) => status === 200).length)
})
