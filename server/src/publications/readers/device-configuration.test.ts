import { createHash } from 'node:crypto'
import type { Outcome, ReportedDevice } from '@lectern/contract/hosts.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { organizationKey, reader } from '../../testing/makers.ts'
import { serverForFile } from '../../testing/server.ts'

const server = await serverForFile()
const cfg = '<cfg>1</cfg>'
const contentHash = createHash('sha256').update(cfg).digest('hex')
const desired = { contentHash, fileName: null }
const other = { contentHash: 'b'.repeat(64), fileName: 'other.js' }
const at = new Date().toISOString()

/** A zone with a host PC that has the reader A. `publish` publishes for its model. */
async function newZone() {
  const zone = await server.zone()
  const host = await server.host(zone)
  const organizationId = zone.organization.id
  const params = { organizationId, serialNumber: 'A' }
  const checkIn = (parts: Partial<ReportedDevice> = {}) => host.checkIn([reader('A', parts)])
  const publish = async (text = cfg, start: object = { when: 'now' }) => {
    await zone.manager.call('publishCfg', {
      params: { organizationId, location: zone.id, device: 'CR2700' },
      body: { cfg: text, ...start },
    })
    const { configurations } = (await host.call('getDesired')).body
    await host.wasHandedEarlier()
    return configurations[0]!.publication
  }
  const report = (publication: string, parts: Partial<Outcome> = {}) =>
    host.call('reportOutcomes', {
      body: { outcomes: [{ publication, serialNumber: 'A', outcome: 'applied', reason: null, at, ...parts }] },
    })
  const reapplications = async () => {
    const { body } = await host.call('getDesired')
    await host.wasHandedEarlier()
    return body.reapplications
  }
  const seen = async () => (await zone.manager.call('getDeviceConfiguration', { params })).body
  const reapply = (headers = {}) => zone.manager.call('reapplyConfiguration', { params }, headers)
  const entries = async () => {
    const answer = await server.app.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('organization_id', '=', organizationKey(organizationId))
      .execute()
    return answer.filter(({ change_type }) => change_type === 'reapplyConfiguration')
  }
  await checkIn()
  return { zone, host, checkIn, publish, report, reapplications, seen, reapply, entries }
}

test('a reader’s standing follows its zone, its outcome and its last check-in', async () => {
  const { zone, checkIn, publish, report, seen } = await newZone()
  expect(await seen()).toEqual({ standing: 'none' })
  const publication = await publish(cfg, {})
  expect(await seen()).toEqual({
    standing: 'waiting',
    desired: {
      configuration: `CFG ${contentHash.slice(0, 8)}`,
      contentHash,
      revision: 1,
      publishedAt: expect.any(String),
      publishedBy: zone.manager.email,
      updateTime: '02:00',
      atOnce: false,
      rollout: expect.any(String),
      dueAt: expect.stringMatching(/T0[01]:00:00\.000Z$/),
      timeZone: 'Europe/Berlin',
    },
  })
  await sql`update publication set published_at = published_at - interval '2 days' where id = ${publication}`.execute(server.app.db)
  await report(publication, { outcome: 'failed', reason: 'It is locked.' })
  expect(await seen()).toMatchObject({ standing: 'failed', result: { outcome: 'failed', reason: 'It is locked.', at } })
  await report(publication)
  expect(await seen()).toMatchObject({ standing: 'applied', result: { outcome: 'applied', at } })
  await checkIn({ configuration: desired, publication })
  expect(await seen()).toMatchObject({ standing: 'current', reported: { configuration: `CFG ${contentHash.slice(0, 8)}`, contentHash } })
  await checkIn({ configuration: other, publication })
  expect(await seen()).toMatchObject({ standing: 'drifted', reported: { configuration: 'other.js', contentHash: other.contentHash } })
})

/** A new zone whose reader had what is published, and runs something else now. */
async function withDrift() {
  const zone = await newZone()
  const publication = await zone.publish()
  await zone.report(publication)
  await zone.checkIn({ configuration: other, publication })
  return { ...zone, publication }
}

test('a reader that drifted is asked for once, however often and by however many it is pressed', async () => {
  const { zone, publication, reapplications, reapply, entries, seen, report, checkIn } = await withDrift()
  expect(await reapplications()).toEqual([])
  const answers = await Promise.all([reapply(), reapply(), reapply({ 'idempotency-key': 'k' }), reapply({ 'idempotency-key': 'k' })])
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
  await reapply()
  const [reapplication, ...more] = await reapplications()
  expect(more).toEqual([])
  expect(reapplication).toEqual({ id: expect.any(String), publication, serialNumber: 'A' })
  expect(await entries()).toMatchObject([
    { device_serial: 'A', zone_name: zone.name, config_name: `CFG ${contentHash.slice(0, 8)}`, version: '1', target: 'CR2700' },
  ])
  expect(await seen()).toMatchObject({ standing: 'drifted', reapplication: { requestedBy: zone.manager.email } })

  expect((await report(reapplication!.id)).body.refused).toEqual([])
  expect((await report(reapplication!.id, { outcome: 'failed', reason: 'late' })).body.refused).toEqual([])
  expect(await reapplications()).toEqual([])
  expect((await seen()).reapplication?.result).toEqual({ outcome: 'applied', at })
  await checkIn({ configuration: desired, publication })
  expect((await seen()).standing).toBe('current')
})

test('after it failed, or the reader drifted again, it can be asked for again', async () => {
  const { publication, reapplications, reapply, entries, seen, report, checkIn } = await withDrift()
  await reapply()
  const [first] = await reapplications()
  await report(first!.id, { outcome: 'failed', reason: 'It is locked.' })
  expect((await seen()).reapplication?.result).toEqual({ outcome: 'failed', reason: 'It is locked.', at })
  await reapply()
  const [second] = await reapplications()
  expect(second!.id).not.toBe(first!.id)
  await report(second!.id)
  await checkIn({ configuration: desired, publication })
  await checkIn({ configuration: null, publication })
  expect((await reapply()).status).toBe(200)
  expect(await entries()).toHaveLength(3)
})

test('a failed reader can be given it again; one that has it or waits for it cannot', async () => {
  const { publish, report, reapply, checkIn, reapplications } = await newZone()
  const detail = async () => (await reapply()).problem.detail
  expect(await detail()).toBe('Nothing is published for this reader’s model in its zone.')
  const publication = await publish()
  expect(await detail()).toBe('This reader is waiting for its update.')
  await report(publication, { outcome: 'failed', reason: 'It is locked.' })
  expect((await reapply()).body.message).toBe(`A gets CFG ${contentHash.slice(0, 8)} as soon as its host PC is reached.`)
  expect(await reapplications()).toHaveLength(1)
  await checkIn({ configuration: desired })
  expect(await detail()).toBe('This reader is up to date.')
})

test('a new publish takes the place of what was to be applied again', async () => {
  const { publish, reapply, reapplications, report } = await withDrift()
  await reapply()
  const [previous] = await reapplications()
  await publish('<cfg>2</cfg>')
  expect(await reapplications()).toEqual([])
  // The host reports what it applied before it heard of the new publish.
  expect((await report(previous!.id)).body.refused).toEqual([])
})

test('a host is asked for the readers of its own zone only', async () => {
  const { zone, reapply, reapplications } = await withDrift()
  const neighbour = await server.host(await server.zone('Next door', zone.organization))
  await reapply()
  expect(await reapplications()).toMatchObject([{ serialNumber: 'A' }])
  expect((await neighbour.call('getDesired')).body.reapplications).toEqual([])
})

test('an outcome names a re-application of its own zone and reader, or is refused', async () => {
  const { reapply, reapplications } = await withDrift()
  await reapply()
  const [previous] = await reapplications()
  const stranger = await withDrift()
  expect((await stranger.report(previous!.id)).body.refused).toHaveLength(1)
  const { report } = stranger
  await stranger.reapply()
  const [own] = await stranger.reapplications()
  expect((await report(own!.id, { serialNumber: 'B' })).body.refused).toHaveLength(1)
  expect(await reapplications()).toHaveLength(1)
  expect(await stranger.reapplications()).toHaveLength(1)
})
