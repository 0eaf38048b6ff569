import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { rolloutZone } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

const none = {
  readers: 0,
  changes: 0,
  toOlder: 0,
  matches: 0,
  missing: 0,
  noHost: 0,
  silent: 0,
  onTwoPcs: 0,
  olderApp: 0,
  notPossible: 0,
  battery: 0,
}

/** A rollout that failed on readers of two zones. The second zone's host PC is silent now. */
async function failedRollout() {
  const zone = await rolloutZone(server, ['A', 'B', 'C', 'D', 'E'])
  const { organizationId, manager } = zone
  const annex = await server.zone('Annex', zone.zone.organization)
  const annexHost = await server.host(annex, 'HOST ANNEX')
  await annexHost.checkIn([reader('X'), reader('Y', { deviceType: 'CR1500' })])
  const id = uuidv7()
  const cfg = '<cfg>one</cfg>'
  const parts = ['CR2700', 'CR1500'].map((model) => ({ model, content: { kind: 'cfg', text: cfg, fileName: 'Wristband' } }))
  const body = { key: id, zones: { ids: [zone.zone.id, annex.id] }, parts, when: { now: true } }
  expect((await manager.call('publishToZones', { params: { organizationId }, body })).status).toBe(200)
  const own = (await zone.desired()).configurations.find(({ deviceType }) => deviceType === 'CR2700')!.publication
  await zone.report(...['A', 'B', 'C', 'D'].map((serial): [string, 'failed', string] => [serial, 'failed', own]), ['E', 'applied', own])
  const { configurations } = (await annexHost.call('getDesired')).body
  const at = new Date().toISOString()
  const outcomes = configurations.map(({ publication, deviceType }) => ({
    publication,
    serialNumber: deviceType === 'CR2700' ? 'X' : 'Y',
    outcome: 'failed',
    reason: 'Locked.',
    at,
  }))
  await annexHost.call('reportOutcomes', { body: { outcomes } })
  // A has another content of that name. B has the content by now. C is not reported any more. D has a weak battery.
  const contentHash = createHash('sha256').update(cfg).digest('hex')
  const running = { contentHash, fileName: 'Wristband' }
  await zone.host.checkIn([
    reader('A', { configuration: { ...running, contentHash: 'b'.repeat(64) } }),
    reader('B', { configuration: running }),
    reader('D', { batteryHealth: 3 }),
    reader('E', { configuration: running }),
  ])
  await sql`update host set last_seen_at = now() - interval '1 day', readers_seen_at = now() - interval '1 day', stream_closed_at = null
    where public_id = ${annexHost.hostId}`.execute(db)
  const params = { organizationId, id }
  return {
    ...zone,
    annex,
    params,
    contentHash,
    preview: (person: Pick<typeof manager, 'call'> = manager) => person.call('previewRetry', { params }),
  }
}

const shown = {
  models: [
    { model: 'CR1500', kind: 'configuration', counts: { ...none, readers: 1, silent: 1 } },
    { model: 'CR2700', kind: 'configuration', counts: { ...none, readers: 5, changes: 1, matches: 1, missing: 1, battery: 1, silent: 1 } },
  ],
  afterResume: 0,
}

test('[SEE-03] a retry has a dry run by model: who gets it, runs it already, is missing, silent or cannot take it; other counts by then are refused', async () => {
  const { zone, annex, params, manager, host, organizationId, preview } = await failedRollout()
  expect((await preview()).body).toEqual(shown)
  const limited = await server.limitedPerson(zone.organization, [zone], ['manage:cfg'])
  expect((await preview(limited)).body).toEqual({
    models: [{ ...shown.models[1], counts: { ...none, readers: 4, changes: 1, matches: 1, missing: 1, battery: 1 } }],
    afterResume: 0,
  })
  const firmwareOnly = await server.person({ organization: zone.organization, permissions: ['manage:firmware'] })
  expect((await preview(firmwareOnly)).status).toBe(403)

  await manager.call('haltRollout', { params })
  expect((await preview()).body.afterResume).toBe(6)
  await manager.call('resumeRollout', { params })

  const retry = (expected?: unknown) => manager.call('retryRollout', { params, body: { expected } })
  expect((await retry({ models: 'all', afterResume: 0 })).status).toBe(400)
  await host.checkIn([reader('A'), reader('C')])
  const refused = await retry(shown)
  expect([refused.status, refused.problem.detail, refused.problem.errors]).toEqual([
    409,
    'The rollout has gone on since you looked. Look at the counts again.',
    [{ field: 'expected', message: 'The rollout has gone on since you looked. Look at the counts again.' }],
  ])
  const detail = async () => (await manager.call('getRollout', { params })).body
  expect((await detail()).retryable).toBe(6)
  const now = (await preview()).body
  expect(now).not.toEqual(shown)
  expect((await retry(now)).body).toEqual({ message: 'Retrying 6 readers as soon as the host PC is reached.' })
  expect((await detail()).retryable).toBe(0)
  expect((await preview()).problem).toMatchObject({ status: 409, detail: 'There is no failed reader to retry.' })
  expect((await manager.call('previewRetry', { params: { organizationId, id: annex.id } })).status).toBe(404)
})

test('[SEE-03] a re-apply has a dry run of its reader; what changed since is refused, as is what may not be re-applied', async () => {
  const { zone, organizationId, host, manager, publish, publication } = await rolloutZone(server, ['A', 'B'])
  await publish('one')
  await host.checkIn([reader('A', { publication: await publication() }), reader('B')])
  const params = { organizationId, serialNumber: 'A' }
  const preview = (of = params) => manager.call('previewReapplyConfiguration', { params: of })
  const drifted = (parts: object) => ({
    models: [{ model: 'CR2700', kind: 'configuration', counts: { ...none, readers: 1, ...parts } }],
    afterResume: 0,
  })
  expect((await preview()).body).toEqual(drifted({ changes: 1 }))
  expect((await preview({ ...params, serialNumber: 'B' })).problem.detail).toBe('This reader is waiting for its update.')
  const other = await server.zone('Elsewhere', zone.organization)
  const limited = await server.limitedPerson(zone.organization, [other], ['manage:cfg'])
  expect((await limited.call('previewReapplyConfiguration', { params })).status).toBe(404)
  expect((await manager.call('previewReapplyFirmware', { params })).problem.detail).toBe(
    'Nothing is published for this reader’s model in its zone.',
  )

  await sql`update host set last_seen_at = now() - interval '1 day', readers_seen_at = now() - interval '1 day', stream_closed_at = null
    where public_id = ${host.hostId}`.execute(db)
  const reapply = (expected: unknown) => manager.call('reapplyConfiguration', { params, body: { expected } })
  const refused = await reapply(drifted({ changes: 1 }))
  expect([refused.status, refused.problem.detail]).toEqual([409, 'The reader has gone on since you looked. Look at the counts again.'])
  expect((await preview()).body).toEqual(drifted({ silent: 1 }))
  expect((await reapply(drifted({ silent: 1 }))).status).toBe(200)
  const { reapplication } = (await manager.call('getDeviceConfiguration', { params })).body
  expect(reapplication).toBeDefined()
})

test('[SEE-03] the dry run of a retry counts all of 40,000 readers', async () => {
  const zone = await server.zone('Large')
  const { organization, manager } = zone
  const host = await server.host(zone)
  const id = uuidv7()
  const params = { organizationId: organization.id, location: zone.id, device: 'CR2700' }
  await host.checkIn([reader('first')])
  await manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>', when: 'now', rollout: id } })
  await sql`
    with fresh as (
      insert into device (organization_id, serial_number, device_type, zone_id, host_id)
      select h.organization_id, 'L' || n, 'CR2700', h.zone_id, h.id from host h, generate_series(1, 39999) n where h.public_id = ${host.hostId}
      returning id, organization_id
    ) insert into outcome (organization_id, publication_id, device_id, outcome, happened_at)
      select f.organization_id, p.id, f.id, 'failed', now() from fresh f join publication p on p.organization_id = f.organization_id and p.rollout_id = ${id}`.execute(
    db,
  )
  const { body } = await manager.call('previewRetry', { params: { organizationId: organization.id, id } })
  expect(body.models.map(({ counts }) => [counts.readers, counts.changes])).toEqual([[39_999, 39_999]])
})
