import type { Permission } from '@lectern/contract/http/permissions.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { organizationKey, reader } from '../testing/makers.ts'
import { noReaders as none, readRollout, rolloutZone } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

const newZone = (serials?: readonly string[]) => rolloutZone(server, serials)
const unseenFor = (minutes: number, serial: string) =>
  sql`update device set last_seen_at = now() - make_interval(mins => ${minutes}) where serial_number = ${serial}`.execute(db)

test('[PUB-15] each reader is counted once: applied, downloading, waiting, silent or failed with its reason', async () => {
  const { publish, report, publication, host, detail, readers } = await newZone(['A', 'B', 'C', 'D', 'E'])
  const { id } = await publish('1')
  await report(['A', 'applied'], ['B', 'failed'])
  const progress = [{ publication: await publication(), serialNumber: 'C', percent: 61 }]
  await host.call('reportProgress', { body: { progress } })
  await unseenFor(31, 'D')
  const rollout = await detail(id)
  const counts = { ...none, readers: 5, applied: 1, downloading: 1, waiting: 1, silent: 1, failed: 1 }
  expect(rollout).toMatchObject({ title: expect.stringMatching(/^CFG [0-9a-f]{8}$/), zones: ['ICU 3 North'], counts, retryable: 1 })
  expect(rollout.parts).toMatchObject([{ zone: 'ICU 3 North', deviceType: 'CR2700', counts, isCurrent: true }])
  expect(rollout.failed).toMatchObject([{ serialNumber: 'B', reason: 'Battery at 14%.' }])
  expect(rollout.events.map(({ serialNumber, state, percent }) => [serialNumber, state, percent])).toEqual([
    ['C', 'downloading', 61],
    ['A', 'applied', undefined],
    ['B', 'failed', undefined],
  ])
  const states = (await readers(id)).readerList.map(({ serialNumber, state, percent, reason }) => [serialNumber, state, percent ?? reason])
  expect(states).toEqual([
    ['A', 'applied', undefined],
    ['B', 'failed', 'Battery at 14%.'],
    ['C', 'downloading', 61],
    ['D', 'silent', undefined],
    ['E', 'waiting', undefined],
  ])
  expect(await readers(id, { state: 'failed', PageSize: 1 })).toMatchObject({ totalCount: 1, readerList: [{ serialNumber: 'B' }] })
  expect(await readers(id, { textFilter: 'e' })).toMatchObject({ totalCount: 1, readerList: [{ serialNumber: 'E' }] })
  expect(await readers(id, { model: 'CR1500' })).toMatchObject({ totalCount: 0, readerList: [] })
})

test('[PUB-15] calls of one press of Publish are one rollout, and no other person can join it', async () => {
  const { zone, organizationId, manager, publish } = await newZone()
  const { id } = await publish('1')
  await publish('2', { rollout: id }, 'A271/2')
  const list = async () => (await manager.call('listRollouts', { params: { organizationId } })).body
  expect(await list()).toMatchObject({
    totalCount: 1,
    rolloutList: [{ id, publishedBy: manager.email, zoneCount: 1, kinds: ['configuration'] }],
  })
  expect((await list()).rolloutList[0]?.title).toMatch(/^CFG \w+ and CFG \w+$/)
  const colleague = await server.person({ organization: zone.organization, permissions: ['manage:cfg'] })
  const other = await server.zone()
  const place = (at: typeof zone) => ({ organizationId: at.organization.id, location: at.id, device: 'CR2700' })
  const body = { cfg: '<cfg>3</cfg>', rollout: id }
  const { problem } = await colleague.call('publishCfg', { params: place(zone), body })
  expect(problem).toMatchObject({ status: 409, detail: 'This rollout is not yours to add to. Publish again.' })
  await manager.call('publishCfg', { params: place(zone), body: { cfg: '<cfg>4</cfg>', when: 'now' } })
  expect((await list()).totalCount).toBe(2)
  // Ids are unique within an organization only. Another organization's rollout with this id is separate: neither shows the other's zones.
  expect((await other.manager.call('publishCfg', { params: place(other), body })).status).toBe(200)
  const elsewhere = await readRollout(other.manager, { organizationId: other.organization.id, id })
  expect(elsewhere.parts.map(({ zoneId }) => zoneId)).toEqual([other.id])
  expect((await list()).rolloutList.find((one) => one.id === id)).toMatchObject({ zoneCount: 1, publishedBy: manager.email })
})

test('[PUB-15] a newer publish ends a rollout: who was not served is replaced, not waiting for ever; what comes late still counts', async () => {
  const { publish, publication, report, detail, change, rollBack } = await newZone()
  const { id } = await publish('1')
  const previous = await publication()
  await report(['A', 'applied'], ['B', 'failed'])
  await change('retryRollout', id)
  await publish('2')
  expect(await detail(id)).toMatchObject({
    state: 'replaced',
    counts: { ...none, readers: 4, applied: 1, failed: 1, replaced: 2 },
    retryable: 0,
  })
  await report(['C', 'applied', previous])
  expect((await detail(id)).counts).toEqual({ ...none, readers: 4, applied: 2, failed: 1, replaced: 1 })
  for (const name of ['haltRollout', 'resumeRollout', 'retryRollout'] as const) expect((await change(name, id)).status).toBe(409)
  expect((await rollBack(id)).status).toBe(409)
})

test('[PUB-15] a reader that was served and has left still counts when something newer is published', async () => {
  const { zone, publish, report, detail } = await newZone()
  const { id } = await publish('1')
  await report(['A', 'applied'])
  await (await server.host(await server.zone('Other', zone.organization), 'HOST-02')).checkIn([reader('A')])
  await publish('2')
  expect((await detail(id)).counts).toEqual({ ...none, readers: 4, applied: 1, replaced: 3 })
})

test('[PUB-15] who comes, leaves, returns or changes model: the numbers add up, and what became of a reader stays', async () => {
  const { zone, publish, report, detail, host, readers } = await newZone()
  const { id } = await publish('1')
  await report(['A', 'applied'], ['B', 'failed'])
  const elsewhere = await server.host(await server.zone('Other', zone.organization), 'HOST-02')
  await elsewhere.checkIn([reader('A'), reader('B'), reader('C')])
  await host.checkIn([reader('NEW'), reader('D', { deviceType: 'CR1500' })])
  expect(await detail(id)).toMatchObject({ counts: { ...none, readers: 3, applied: 1, failed: 1, waiting: 1 }, retryable: 0 })
  expect((await readers(id)).readerList.map(({ serialNumber, state }) => [serialNumber, state])).toEqual([
    ['A', 'applied'],
    ['B', 'failed'],
    ['NEW', 'waiting'],
  ])
  await host.checkIn([reader('A'), reader('B'), reader('C')])
  expect(await detail(id)).toMatchObject({ counts: { ...none, readers: 4, applied: 1, failed: 1, waiting: 2 }, retryable: 1 })
})

test('[PUB-15] halting notifies hosts that no other reader may start, resuming that they may; a new publish is not halted', async () => {
  const { publish, desired, detail, change, manager } = await newZone()
  const { id } = await publish('1')
  await sql`update publication set published_at = now() - interval '2 days' where rollout_id = ${id}`.execute(db)
  expect((await change('haltRollout', id)).body.message).toMatch(/^Halted CFG /)
  expect((await desired()).configurations).toMatchObject([{ halted: true }])
  expect(await detail(id)).toMatchObject({ state: 'halted', parts: [{ state: 'halted', haltedBy: manager.email }] })
  expect((await change('haltRollout', id)).status).toBe(200)
  await change('resumeRollout', id)
  expect((await desired()).configurations).toMatchObject([{ halted: false }])
  expect((await detail(id)).state).toBe('updating')
  await change('haltRollout', id)
  await publish('2')
  expect((await desired()).configurations).toMatchObject([{ halted: false }])
})

test('[PUB-15] failed readers are retried: they wait, and are applied or failed as it turns out', async () => {
  const { publish, report, desired, detail, change, readers, host } = await newZone()
  const { id } = await publish('1')
  await report(['A', 'failed'], ['B', 'failed'], ['C', 'applied'])
  expect((await change('retryRollout', id)).body.message).toBe('Retrying 2 readers as soon as the host PC is reached.')
  expect(await detail(id)).toMatchObject({ counts: { ...none, readers: 4, applied: 1, waiting: 3 }, retryable: 0, failed: [] })
  expect((await change('retryRollout', id)).problem.detail).toBe('There is no failed reader to retry.')
  // The host may report the same outcome again.
  await report(['A', 'failed'])
  expect((await detail(id)).counts.waiting).toBe(3)
  const again = Object.fromEntries((await desired()).reapplications.map((one) => [one.serialNumber, one.id]))
  expect(Object.keys(again).sort()).toEqual(['A', 'B'])
  await host.call('reportProgress', { body: { progress: [{ publication: again.A, serialNumber: 'A', percent: 30 }] } })
  expect((await detail(id)).counts).toMatchObject({ downloading: 1, waiting: 2 })
  expect(await readers(id, { state: 'downloading' })).toMatchObject({ totalCount: 1, readerList: [{ serialNumber: 'A', percent: 30 }] })
  await report(['A', 'applied', again.A], ['B', 'failed', again.B])
  expect(await detail(id)).toMatchObject({ counts: { ...none, readers: 4, applied: 2, failed: 1, waiting: 1 }, retryable: 1 })
  expect((await readers(id, { state: 'applied' })).readerList.map(({ serialNumber }) => serialNumber)).toEqual(['A', 'C'])
  expect((await change('retryRollout', id)).body.message).toContain('1 reader ')
})

test('[PUB-15] a roll back is a rollout of its own, at once or at an update time, and the audit log has who did it', async () => {
  const { publish, desired, report, detail, rollBack, organizationId } = await newZone()
  await publish('1')
  const { contentHash } = (await desired()).configurations[0]!
  await report(['A', 'applied'])
  const { id, answer } = await publish('2')
  expect(answer.status).toBe(200)
  await report(['A', 'applied'])
  await publish('3', { rollout: id }, 'A271/2')
  const { body } = await rollBack(id)
  expect(body.message).toMatch(/ back\. 1 reader that it had reached keeps what it runs\.$/)
  const ofModel = async () => (await desired()).configurations.find(({ deviceType }) => deviceType === 'CR2700')
  expect(await ofModel()).toMatchObject({ contentHash, revision: 4, except: ['A'] })
  expect(await detail(body.id)).toMatchObject({ rollsBack: id, zoneCount: 1, current: 2, counts: { readers: 0 } })
  expect(await detail(id)).toMatchObject({ rolledBackBy: body.id, canRollBack: false })
  const later = await rollBack(body.id, '23:59')
  expect(later.status).toBe(200)
  expect((await ofModel())?.contentHash).not.toBe(contentHash)
  expect(await detail(later.body.id)).toMatchObject({
    rollsBack: body.id,
    parts: [{ updateTime: '23:59', atOnce: false }, { updateTime: '23:59' }],
  })
  const entries = await db
    .selectFrom('audit_entry')
    .select(['change_type', 'target', 'new_value'])
    .where('organization_id', '=', organizationKey(organizationId))
    .where('request_id', '=', later.headers.get('x-request-id'))
    .orderBy('id')
    .execute()
  expect(entries).toMatchObject([
    { change_type: 'ZoneConfigChange' },
    { change_type: 'ZoneConfigChange' },
    { change_type: 'rollBackRollout', new_value: later.body.id },
  ])
})

test('[PUB-15] what a rollout waits for has a name: no host PC, an update time to come, no reader, a zone that is gone', async () => {
  const { zone, organizationId, publish, detail, manager, host } = await newZone()
  const inTwoHours = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })
  const { id } = await publish('1', { updateTime: inTwoHours.format(Date.now() + 7_200_000) })
  expect(await detail(id)).toMatchObject({
    state: 'scheduled',
    parts: [{ runs: [{ timeZones: ['Europe/Berlin'], at: expect.stringMatching(/Z$/) }] }],
  })
  await sql`update host set last_seen_at = now() - interval '31 minutes' where public_id = ${host.hostId}`.execute(db)
  expect((await detail(id)).state).toBe('waitingForHost')
  const empty = await publish('2', {}, 'V4500')
  expect(await detail(empty.id)).toMatchObject({ state: 'empty', counts: { readers: 0 } })
  await manager.call('removeHost', { params: { organizationId, host: host.hostId } })
  await manager.call('deleteZone', { params: { organizationId, location: zone.id } })
  expect(await detail(id)).toMatchObject({
    zones: ['ICU 3 North'],
    state: 'replaced',
    counts: { ...none, readers: 4, replaced: 4 },
    parts: [{ zoneId: null }],
  })
})

test('[PUB-15] says how far the host PC itself has come', async () => {
  const { publish, publication, detail, host } = await newZone()
  const { id } = await publish('1')
  const reportProgress = async (percent: number) =>
    host.call('reportProgress', { body: { progress: [{ publication: await publication(), serialNumber: null, percent }] } })
  await reportProgress(40)
  expect((await detail(id)).parts).toMatchObject([{ hostPercent: 40, counts: { waiting: 4 } }])
  await reportProgress(100)
  expect((await detail(id)).parts[0]).not.toHaveProperty('hostPercent')
})

test.for<[string, Permission[], string]>([
  ['a configuration', ['manage:firmware'], 'Publish configurations'],
  ['a firmware', ['manage:cfg'], 'Publish firmware, manage zones'],
])('[PUB-15] %s is changed by whoever may publish it, and read by every member', async ([what, held, missing]) => {
  const { zone, organizationId, publish, manager } = await newZone()
  const { id } = await publish('1')
  if (what === 'a firmware')
    await manager.call('publishFirmwareFile', {
      params: { organizationId, location: zone.id, device: 'CR2700' },
      file: new File([what], 'ours.crvfw'),
      fields: { rollout: id },
    })
  const colleague = await server.person({ organization: zone.organization, permissions: held })
  const params = { organizationId, id }
  expect((await colleague.call('getRollout', { params })).status).toBe(200)
  for (const name of ['haltRollout', 'resumeRollout', 'retryRollout'] as const)
    expect((await colleague.call(name, { params })).problem).toMatchObject({
      status: 403,
      detail: `This needs the permission “${missing}”.`,
    })
  expect((await colleague.call('rollBackRollout', { params, body: { updateTime: null } })).status).toBe(403)
  const stranger = (await server.zone()).manager
  expect((await stranger.call('getRollout', { params })).status).toBe(404)
  const foreign = await server.zone()
  const theirs = { organizationId: foreign.organization.id, id }
  for (const name of ['getRollout', 'listRolloutParts', 'listRolloutReaders', 'streamRollout', 'haltRollout', 'retryRollout'] as const)
    expect((await foreign.manager.call(name, { params: theirs })).problem).toMatchObject({
      status: 404,
      detail: 'There is no such rollout.',
    })
})
