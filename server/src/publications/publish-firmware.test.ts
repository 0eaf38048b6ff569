import { createHash, randomUUID } from 'node:crypto'
import { updateModels } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileTypes } from '@lectern/contract/firmware/firmware.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const fileFor = (device: keyof typeof firmwareFileTypes, content: string) => new File([content], `update${firmwareFileTypes[device][0]}`)
const makeContent = (device: string, version: string) => `firmware ${version} of ${device}`
const uploadRelease = (device: keyof typeof firmwareFileTypes, version: string) =>
  staff.call('uploadFirmwareRelease', { fields: { device, version }, file: fileFor(device, makeContent(device, version)) })
for (const device of updateModels) for (const version of ['4.9.2', '4.10.0']) await uploadRelease(device, version)

const withdraw = (id: string) => staff.call('offerFirmwareRelease', { params: { id }, body: { isOffered: false } })
async function withdrawAll(model: string) {
  for (const { id, device } of (await staff.call('listFirmwareReleases')).body) if (device === model) await withdraw(id)
}

type Zone = Awaited<ReturnType<typeof server.zone>>
const makeParams = ({ id, organization }: Zone, device = 'CR2700') => ({ organizationId: organization.id, location: id, device })
const publish = (zone: Zone, firmwareVersion: unknown = '4.9.2', { device = 'CR2700', ...more }: Record<string, unknown> = {}) =>
  zone.manager.call('publishFirmwareVersion', { params: makeParams(zone, device as string), body: { firmwareVersion, ...more } })
const publishFile = (zone: Zone, file: File, fields = {}) =>
  zone.manager.call('publishFirmwareFile', { params: makeParams(zone), file, fields })
const getFirmware = async (zone: Zone, device?: string) =>
  (await zone.manager.call('getZoneFirmware', { params: makeParams(zone, device) })).body

/** Reads everything that a publish writes. */
async function written(zone: Zone) {
  const [publications, desired, audit, events] = await Promise.all([
    db.selectFrom('publication').selectAll().where('zone_id', '=', zone.key).orderBy('published_at').execute(),
    db.selectFrom('desired').selectAll().where('zone_id', '=', zone.key).execute(),
    db.selectFrom('audit_entry').selectAll().where('organization_id', '=', zone.organization.key).orderBy('id').execute(),
    db.selectFrom('event').selectAll().where('zone_id', '=', zone.id).where('kind', '=', 'desired').execute(),
  ])
  return { publications, desired, audit: audit.filter(({ change_type }) => change_type === 'ZoneFirmwareChange'), events }
}
const nothing = { publications: [], desired: [], audit: [], events: [] }

test('[API-FRM-03 FRM-20 FRM-21] publishes a version: one desired firmware with revision, hash, update time and publisher', async () => {
  const zone = await server.zone('ICU')
  const answer = await publish(zone, '4.9.2', { updateTime: '23:59' })
  expect([answer.status, answer.body]).toEqual([200, { message: 'Published firmware 4.9.2 for CR2700 in ICU, from 23:59.' }])
  const { publications, desired, audit, events } = await written(zone)
  const content = makeContent('CR2700', '4.9.2')
  const bytes = { content: 'firmware', content_hash: sha256(content), size: content.length, file_name: 'update.crvfw', version: '4.9.2' }
  const place = { device_type: 'CR2700', revision: 1, update_time: '23:59', published_by: zone.manager.userId }
  expect(publications).toMatchObject([{ ...bytes, ...place }])
  expect(desired).toMatchObject([{ device_type: 'CR2700', revision: 1, publication_id: publications[0]?.id }])
  const entry = { initiator_id: zone.manager.userId, target: 'CR2700', zone_name: 'ICU', version: '4.9.2', new_value: sha256(content) }
  expect(audit).toMatchObject([{ ...entry, request_id: answer.headers.get('x-request-id') }])
  expect(events).toHaveLength(1)
})

test('[API-FRM-01 ENT-25] returns the firmware of a zone and model, none before the first', async () => {
  const zone = await server.zone()
  expect(await getFirmware(zone)).toEqual({ version: null })
  await publish(zone)
  expect(await getFirmware(zone)).toEqual({ version: '4.9.2' })
  expect(await getFirmware(zone, 'A271/2')).toEqual({ version: null })
  await publishFile(zone, new File(['ours'], 'ours.crvfw'))
  expect(await getFirmware(zone)).toEqual({ version: 'ours.crvfw' })
  const other = await server.zone()
  const foreign = await zone.manager.call('getZoneFirmware', { params: { ...makeParams(zone), location: other.id } })
  expect(foreign.problem).toMatchObject({ status: 404, detail: 'There is no such zone.' })
})

test('[API-FRM-02 FRM-21] publishes a file of the customer’s own, with the update time beside it or at 02:00', async () => {
  const zone = await server.zone('ICU')
  const file = new File(['our own'], 'Unsere Firmware.crvfw')
  const { body } = await publishFile(zone, file, { updateTime: '04:30' })
  expect(body).toEqual({ message: 'Published firmware Unsere Firmware.crvfw for CR2700 in ICU, from 04:30.' })
  await publishFile(zone, file)
  const { publications, audit } = await written(zone)
  const content = { content_hash: sha256('our own'), size: 7, file_name: 'Unsere Firmware.crvfw', version: null }
  expect(publications).toMatchObject([
    { ...content, update_time: '04:30' },
    { ...content, update_time: '02:00' },
  ])
  expect(audit.map(({ version, new_value }) => [version, new_value])).toEqual([
    ['Unsere Firmware.crvfw', sha256('our own')],
    ['Unsere Firmware.crvfw', sha256('our own')],
  ])
})

test('returns what the readers of a model in a zone report to run, the newest first; of a foreign zone nothing', async () => {
  const zone = await server.zone()
  const host = await server.host(zone, 'HOST-01')
  const running = async (of = zone, device = 'CR2700') =>
    zone.manager.call('listRunningFirmware', { params: { ...makeParams(zone, device), location: of.id } })
  expect((await running()).body).toEqual([])
  const versions = ['4.9.8', '4.12.0', '4.12.0', '4.11.3']
  await host.checkIn([
    ...versions.map((firmware, number) => reader(`R${number}`, { firmware })),
    reader('OTHER', { deviceType: 'A271/2', firmware: '9.0' }),
  ])
  expect((await running()).body).toEqual([
    { version: '4.12.0', count: 2 },
    { version: '4.11.3', count: 1 },
    { version: '4.9.8', count: 1 },
  ])
  expect((await running(await server.zone())).problem).toMatchObject({ status: 404, detail: 'There is no such zone.' })
})

test.for(['latest', 'Latest'])('[FRM-18] %s is the newest version when it is published, in the audit log too', async (latest) => {
  await withdrawAll('CR1500')
  const zone = await server.zone()
  const major = 10 + Number((await db.selectFrom('firmware_release').select(sql<number>`count(*)`.as('n')).executeTakeFirst())?.n)
  for (const version of [`${major}.9`, `${major}.10`]) await uploadRelease('CR1500', version)
  expect((await publish(zone, latest, { device: 'CR1500' })).body.message).toContain(`firmware ${major}.10 for CR1500`)
  const newest = (await uploadRelease('CR1500', `${major}.11`)).body
  const { publications, audit } = await written(zone)
  expect([publications[0]?.version, audit[0]?.version]).toEqual([`${major}.10`, `${major}.10`])
  expect(await getFirmware(zone, 'CR1500')).toEqual({ version: `${major}.10` })
  await withdraw(newest.id)
  expect((await publish(zone, latest, { device: 'CR1500' })).body.message).toContain(`firmware ${major}.10 for CR1500`)
})

test.for<[string, unknown, number, string]>([
  ['[FRM-13] refuses an empty version', { firmwareVersion: '' }, 400, 'firmwareVersion must not be empty'],
  ['[FRM-13] refuses a version of spaces', { firmwareVersion: '  ' }, 400, 'firmwareVersion must not be empty'],
  ['refuses a version of two lines', { firmwareVersion: '4\n9' }, 400, 'firmwareVersion must not have control characters'],
  ['refuses no version', {}, 400, 'firmwareVersion invalid input: expected string, received undefined'],
  ['refuses an unknown version', { firmwareVersion: '9.9' }, 409, 'There is no firmware 9.9 for CR2700.'],
  [
    '[FRM-21] refuses an update time that is none',
    { firmwareVersion: '4.9.2', updateTime: '24:00' },
    400,
    'The update time must be a time of day, such as 02:00.',
  ],
])('%s, in words, and keeps nothing', async ([, body, status, detail]) => {
  const zone = await server.zone()
  const { problem } = await zone.manager.call('publishFirmwareVersion', { params: makeParams(zone), body })
  expect([problem.status, problem.detail]).toEqual([status, detail])
  expect(await written(zone)).toEqual(nothing)
})

test.for<[string, string[], string]>([
  ['[FRM-12] refuses a file of another type', ['ours.crbfw'], 'File type must be .crvfw'],
  ['refuses two files', ['a.crvfw', 'b.crvfw'], 'Too many files'],
  ['refuses an empty file', ['empty.crvfw'], 'The file empty.crvfw is empty.'],
])('[API-FRM-02] %s, in words, and keeps nothing', async ([, names, detail]) => {
  const zone = await server.zone()
  const body = new FormData()
  for (const name of names) body.append('file', new File(name.startsWith('empty') ? [] : ['content'], name))
  const { organizationId, location } = makeParams(zone)
  const path = `/api/codedm/organization/${organizationId}/location/${location}/device/CR2700/firmware/file`
  const response = await server.fetch(path, { method: 'POST', body, headers: { authorization: `Bearer ${zone.manager.token}` } })
  expect(await response.json()).toMatchObject({ status: 400, detail })
  expect(await written(zone)).toEqual(nothing)
})

test('a withdrawn version is not published any more; zones that have it keep it', async () => {
  const zone = await server.zone()
  const { id } = (await uploadRelease('CR2700', '3.0')).body
  await publish(zone, '3.0')
  const [listed] = (await staff.call('listFirmwareReleases')).body.filter((each) => each.id === id)
  expect(listed?.zoneCount).toBe(1)
  await withdraw(id)
  expect((await publish(zone, '3.0')).problem).toMatchObject({
    status: 409,
    detail: 'Firmware 3.0 for CR2700 was withdrawn. Choose another version.',
  })
  await staff.call('deleteFirmwareRelease', { params: { id } })
  expect(await getFirmware(zone)).toEqual({ version: '3.0' })
  const host = await server.host(zone)
  const headers = { authorization: `Bearer ${host.credential}` }
  const response = await server.fetch(`/api/agent/content/${sha256(makeContent('CR2700', '3.0'))}`, { headers })
  expect(await response.text()).toBe(makeContent('CR2700', '3.0'))
})

test('a model without releases has no latest', async () => {
  await withdrawAll('V4500')
  const zone = await server.zone()
  const { status, problem } = await publish(zone, 'latest', { device: 'V4500' })
  expect([status, problem.detail]).toEqual([409, 'There is no firmware release for V4500.'])
})

test.for(updateModels)('[FRM-20] the hosts of a zone learn the firmware of %s beside its configuration', async (device) => {
  const zone = await server.zone()
  const custom = fileFor(device, randomUUID())
  await zone.manager.call('publishCfg', { params: makeParams(zone, device), body: { cfg: '<cfg>1</cfg>' } })
  await zone.manager.call('publishFirmwareFile', { params: makeParams(zone, device), file: fileFor(device, 'first') })
  const { status } = await zone.manager.call('publishFirmwareFile', {
    params: makeParams(zone, device),
    file: custom,
    fields: { updateTime: '03:00' },
  })
  expect(status).toBe(200)
  const host = await server.host(zone)
  const { configurations, firmware } = (await host.call('getDesired')).body
  expect(configurations).toMatchObject([{ deviceType: device, revision: 1, content: 'cfg' }])
  const contentHash = sha256(await custom.text())
  const desired = { deviceType: device, revision: 2, version: null, contentHash, size: custom.size, fileName: custom.name }
  expect(firmware).toMatchObject([{ ...desired, updateTime: '03:00' }])
  const headers = { authorization: `Bearer ${host.credential}` }
  expect(await (await server.fetch(`/api/agent/content/${contentHash}`, { headers })).text()).toBe(await custom.text())
  const other = await server.host(await server.zone())
  expect((await other.call('downloadContent', { params: { hash: contentHash } })).status).toBe(404)
})

test('firmware replaces firmware, and leaves the configuration of its readers current', async () => {
  const zone = await server.zone()
  const organizationId = zone.organization.id
  await zone.manager.call('publishCfg', { params: makeParams(zone), body: { cfg: '<cfg>1</cfg>' } })
  for (const version of ['4.9.2', '4.10.0']) await publish(zone, version)
  const { rolloutList } = (await zone.manager.call('listRollouts', { params: { organizationId } })).body
  const rollouts = await Promise.all(rolloutList.map(({ id }) => readRollout(zone.manager, { organizationId, id })))
  expect(rollouts.map(({ title, parts }) => [title.split(' ')[0], parts[0]?.isCurrent])).toEqual([
    ['Firmware', true],
    ['Firmware', false],
    ['CFG', true],
  ])
})

test('desired state, audit entry and event are one transaction: where one fails, none is written', async () => {
  for (const table of ['audit_entry', 'event', 'desired']) {
    const zone = await server.zone()
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`.execute(db)
    await sql`create trigger refuse before insert on ${sql.table(table)} for each row execute function refuse()`.execute(db)
    const failed = await publish(zone)
    await sql`drop function refuse cascade`.execute(db)
    expect([failed.status, await written(zone)]).toEqual([500, nothing])
    expect((await publish(zone)).status).toBe(200)
  }
})

test('revisions under twenty publishes at once have no gap and no twin, and the last one is desired', async () => {
  const zone = await server.zone()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => publish(zone, n % 2 ? '4.9.2' : 'latest')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { publications, desired } = await written(zone)
  expect(publications.map(({ revision }) => revision).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  expect(desired).toMatchObject([{ revision: 20, publication_id: publications.find(({ revision }) => revision === 20)?.id }])
})

test('an Idempotency-Key publishes once; another body under it is refused', async () => {
  const zone = await server.zone()
  const headers = { 'idempotency-key': randomUUID() }
  const file = new File(['ours'], 'ours.crvfw')
  const send = (file: File) => zone.manager.call('publishFirmwareFile', { params: makeParams(zone), file }, headers)
  const [first, again] = [await send(file), await send(file)]
  expect([again.status, again.body]).toEqual([200, first.body])
  expect((await send(new File(['theirs'], 'ours.crvfw'))).status).toBe(422)
  expect((await written(zone)).publications).toHaveLength(1)
})

test('[PER-11] without manage:firmware no firmware is published, not even to a zone of one’s own', async () => {
  const zone = await server.zone()
  const colleague = await server.person({ organization: zone.organization, permissions: ['manage:cfg'] })
  const answers = [
    await colleague.call('publishFirmwareVersion', { params: makeParams(zone), body: { firmwareVersion: '4.9.2' } }),
    await colleague.call('publishFirmwareFile', { params: makeParams(zone), file: new File(['x'], 'x.crvfw') }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403])
  expect(await written(zone)).toEqual(nothing)
  const deleted = await zone.manager.call('publishFirmwareVersion', {
    params: { ...makeParams(zone), location: uuidv7() },
    body: { firmwareVersion: '4.9.2' },
  })
  expect(deleted.problem).toMatchObject({ status: 404, detail: 'There is no such zone. It may have been deleted.' })
})
