import { createHash, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compareVersions, versionOrder } from '@lectern/contract/firmware/versions.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })
const customer = await server.person({ organization: await server.organization(), permissions: ['manage:firmware'] })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const upload = (device: string, version: string, { notes = '', content = randomUUID() as string, name = 'reader.crvfw' } = {}) =>
  staff.call('uploadFirmwareRelease', { fields: { device, version, notes }, file: new File([content], name) })
const offer = (id: string, isOffered: boolean) => staff.call('offerFirmwareRelease', { params: { id }, body: { isOffered } })
const remove = (id: string) => staff.call('deleteFirmwareRelease', { params: { id } })
const available = async (device: string) =>
  (await customer.call('listAvailableFirmware', { params: { device } })).body.map(({ version }) => ({ version }))
const listed = async (device: string) => (await staff.call('listFirmwareReleases')).body.filter((release) => release.device === device)
const entries = (kind: string) => db.selectFrom('audit_entry').selectAll().where('change_type', '=', kind).orderBy('id', 'desc').execute()
// A test that runs again finds nothing of the first run.
beforeEach(() =>
  db
    .deleteFrom('firmware_release')
    .execute()
    .then(() => {}),
)
const versions = ['4.9.2', '4.10.0', '10.0', '4.9.10']

test('[API-FRM-04 ENT-25] staff upload releases; customers choose among their versions, the newest first', async () => {
  for (const version of versions) expect((await upload('CR2700', version)).status).toBe(200)
  expect(await available('CR2700')).toEqual([{ version: '10.0' }, { version: '4.10.0' }, { version: '4.9.10' }, { version: '4.9.2' }])
  expect(await available('CR1500')).toEqual([])
  expect((await listed('CR2700')).map(({ version }) => version)).toEqual(['10.0', '4.10.0', '4.9.10', '4.9.2'])
})

test('[RIT-09] a release is newer than its candidates; what is offered first of a customer’s choice is in that order', async () => {
  const inOrder = [
    '9.10.0.1',
    '9.10.0+build5',
    '9.10.0',
    '9.10.0-rc10',
    '9.10.0 RC4',
    '9.10.0rc3',
    '9.10.0-rc2',
    '9.10.0-beta.2',
    '9.10.0a',
  ]
  for (const version of [...inOrder].reverse()) await upload('V1300', version, { name: 'reader.crbfw' })
  expect(await available('V1300')).toEqual(inOrder.map((version) => ({ version })))
  expect((await listed('V1300')).map(({ version }) => version)).toEqual(inOrder)
})

test('[RIT-09] the database has the same order as the pages', async () => {
  const parts = [
    '1',
    '01',
    '10',
    '2',
    'v',
    'V',
    '.',
    '-',
    '_',
    ' ',
    '+',
    'rc',
    'RC',
    'alpha',
    'beta',
    'a',
    'b',
    'p',
    'build',
    'ü',
    '1.2',
    '1.10',
  ]
  const anyVersion = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 8 }).map((some) => some.join(''))
  const some = [...new Set(fc.sample(anyVersion, { numRuns: 1_500, seed: 20_261_127 }).map(versionOrder))]
  const { rows } = await sql<{ version: string }>`
    select version from unnest(${some}::text[]) as version order by version_rank(version) collate "C", version collate "C"`.execute(db)
  expect(rows.map(({ version }) => version)).toEqual(some.sort(compareVersions))
})

test('[FRM-16] the device A271/2 travels URL-encoded', async () => {
  await upload('A271/2', '2.0', { name: 'a271.crbfw' })
  const headers = { authorization: `Bearer ${customer.token}` }
  const response = await server.fetch('/api/codedm/device/A271%2F2/available-firmware', { headers })
  expect([response.status, await response.json()]).toEqual([200, [{ version: '2.0', latest: true }]])
  const { status, problem } = await customer.call('listAvailableFirmware', { params: { device: 'CR950' } })
  expect([status, problem.detail]).toEqual([400, 'Invalid device: CR950'])
})

test('a release has what staff said of it, its file by hash, and who uploaded it', async () => {
  const content = randomUUID()
  const { body } = await upload('CR5200', ' 1.2.3-rc1 ', { notes: 'Reads faster.\n<b>Twice.</b>', content, name: 'Réader 1.2.CRVFW' })
  expect(body).toEqual({
    id: expect.any(String),
    device: 'CR5200',
    version: '1.2.3-rc1',
    notes: 'Reads faster.\n<b>Twice.</b>',
    fileName: 'Réader 1.2.CRVFW',
    contentHash: sha256(content),
    size: 36,
    isOffered: true,
    zoneCount: 0,
    createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    createdBy: staff.email,
    createdByName: staff.email,
  })
  expect(await listed('CR5200')).toEqual([body])
  await server.app.db.updateTable('user').set({ first_name: 'Ada', last_name: 'Okoro' }).where('id', '=', staff.userId).execute()
  expect(await listed('CR5200')).toEqual([{ ...body, createdByName: 'Ada Okoro' }])
  const [entry] = await entries('uploadFirmwareRelease')
  expect(entry).toMatchObject({ organization_id: 0, target: 'CR5200', version: '1.2.3-rc1', new_value: sha256(content) })
})

test('a version of a model is one file', async () => {
  await upload('CR1100', '4.9')
  for (const version of ['4.9', '4.09'])
    expect((await upload('CR1100', version)).problem).toMatchObject({
      status: 409,
      detail: `There is already a release ${version} for CR1100.`,
      errors: [{ field: 'version' }],
    })
  expect((await listed('CR1100')).map(({ version }) => version)).toEqual(['4.9'])
  const twice = await Promise.all([1, 2, 3].map(() => upload('CR1100', '5.0')))
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test.for<[string, Record<string, string>, string, number, string, string?]>([
  ['[FRM-13] refuses no version', { version: '' }, 'a.crvfw', 400, 'version must not be empty', 'version'],
  ['[FRM-13] refuses a version of spaces', { version: ' \t' }, 'a.crvfw', 400, 'version must not be empty', 'version'],
  ['refuses a version of two lines', { version: '4\n5' }, 'a.crvfw', 400, 'version must not have control characters', 'version'],
  ['refuses a long version', { version: '4'.repeat(65) }, 'a.crvfw', 400, 'version must have at most 64 characters', 'version'],
  [
    'refuses the version latest',
    { version: 'Latest' },
    'a.crvfw',
    400,
    'version must be a number: "latest" always means the newest release',
    'version',
  ],
  ['refuses long notes', { notes: 'x'.repeat(1_001) }, 'a.crvfw', 400, 'notes must have at most 1000 characters', 'notes'],
  ['refuses another model', { device: 'CR950' }, 'a.crvfw', 400, 'Invalid device: CR950', 'device'],
  ['[FRM-12] refuses another type', {}, 'a.crbfw', 400, 'File type must be .crvfw', 'file'],
  ['[FRM-12] refuses a type that is neither of two', { device: 'V4500' }, 'a.txt', 400, 'File type must be .ufw, .crvfw', 'file'],
  ['refuses an empty file', {}, 'empty.crvfw', 400, 'The file empty.crvfw is empty.', 'file'],
])('%s, in words at the field, and keeps nothing', async ([, wrong, name, status, detail, field]) => {
  const before = (await staff.call('listFirmwareReleases')).body
  const fields = { device: 'CR1500', version: '1.0', notes: '', ...wrong }
  const file = new File(name.startsWith('empty') ? [] : ['content'], name)
  const { problem } = await staff.call('uploadFirmwareRelease', { fields, file })
  expect(problem).toMatchObject({ status, detail, errors: [{ field }] })
  expect((await staff.call('listFirmwareReleases')).body).toEqual(before)
  expect(await readdir(join(server.settings.dataDir, 'contents', 'incoming'))).toEqual([])
})

test('a withdrawn release cannot be chosen until it is offered again', async () => {
  const { id } = (await upload('V1300', '1.0', { name: 'a.crbfw' })).body
  const withdrawn = await offer(id, false)
  expect([withdrawn.status, withdrawn.body.isOffered]).toEqual([200, false])
  expect(await available('V1300')).toEqual([])
  expect(await listed('V1300')).toEqual([withdrawn.body])
  expect((await offer(id, true)).body.isOffered).toBe(true)
  expect(await available('V1300')).toEqual([{ version: '1.0' }])
  expect((await entries('offerFirmwareRelease')).map(({ new_value }) => new_value)).toEqual(['true', 'false'])
})

test('a release is deleted once it was withdrawn, and then its version may be uploaded anew', async () => {
  const { id } = (await upload('V4500', '1.0')).body
  expect((await remove(id)).problem).toMatchObject({
    status: 409,
    detail: 'The release 1.0 for V4500 is offered to customers. Withdraw it first.',
  })
  await offer(id, false)
  expect((await remove(id)).status).toBe(204)
  expect((await remove(id)).problem).toMatchObject({ status: 404, detail: 'There is no such release.' })
  expect((await offer(id, true)).status).toBe(404)
  expect(await listed('V4500')).toEqual([])
  expect((await upload('V4500', '1.0', { name: 'a.ufw' })).status).toBe(200)
})

test('[PER-16] no customer sees or changes releases', async () => {
  const { id } = (await upload('CR1500', '9.0')).body
  const answers = [
    await customer.call('listFirmwareReleases'),
    await customer.call('uploadFirmwareRelease', { fields: { device: 'CR1500', version: '9.1' }, file: new File(['x'], 'a.crvfw') }),
    await customer.call('offerFirmwareRelease', { params: { id }, body: { isOffered: false } }),
    await customer.call('deleteFirmwareRelease', { params: { id } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect((await listed('CR1500')).map(({ version, isOffered }) => [version, isOffered])).toEqual([['9.0', true]])
})

test('[RIT-09] the latest is no pre-release unless nothing else is offered; of equals it is the one offered last', async () => {
  const latest = async () => {
    const { body } = await customer.call('listAvailableFirmware', { params: { device: 'CR2700' } })
    return body.filter((one) => one.latest).map(({ version }) => version)
  }
  expect(await latest()).toEqual([])
  await upload('CR2700', '10.0-rc1')
  const second = (await upload('CR2700', '10.0-rc2')).body
  expect(await latest()).toEqual(['10.0-rc2'])
  const plain = (await upload('CR2700', '9.10.0')).body
  expect(await latest()).toEqual(['9.10.0'])
  const built = (await upload('CR2700', '9.10.0+build5')).body
  expect(await latest()).toEqual(['9.10.0+build5'])
  await offer(plain.id, false)
  await offer(plain.id, true)
  expect(await latest()).toEqual(['9.10.0'])
  const organization = await server.organization()
  const zone = await server.zone('ICU', organization)
  const params = { organizationId: organization.id, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: 'latest' } })
  expect((await zone.manager.call('getZoneFirmware', { params })).body).toEqual({ version: '9.10.0' })
  for (const { id } of [plain, built]) await offer(id, false)
  expect(await latest()).toEqual(['10.0-rc2'])
  await offer(second.id, false)
  expect(await latest()).toEqual(['10.0-rc1'])
})
