import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

const first = '<cfg>1</cfg>'
const second = '<cfg>2</cfg>'

/** A zone of one reader, which runs the first configuration. */
async function newZone() {
  const zone = await server.zone('ICU 3 North')
  const host = await server.host(zone)
  await host.checkIn([reader('A')])
  const organizationId = zone.organization.id
  const { call } = zone.manager
  const auditor = await server.person({ organization: zone.organization, permissions: ['access:audit_log'] })
  const publishToOne = async (cfg: string, rollout = uuidv7()) => {
    const params = { organizationId, location: zone.id, device: 'CR2700' }
    expect((await call('publishCfg', { params, body: { cfg, when: 'now', rollout } })).status).toBe(200)
    return rollout
  }
  const publishToMany = async (cfg: string) => {
    const key = uuidv7()
    const parts = [{ model: 'CR2700', content: { kind: 'cfg' as const, text: cfg } }]
    const body = { key, zones: { ids: [zone.id] }, parts, when: { now: true as const } }
    expect((await call('publishToZones', { params: { organizationId }, body })).status).toBe(200)
    return key
  }
  const rollBack = async (id: string) => {
    const answer = await call('rollBackRollout', { params: { organizationId, id }, body: { updateTime: null } })
    expect(answer.status).toBe(200)
    return answer.body.id
  }
  const desired = async () => (await host.call('getDesired', { query: { knowsReturns: true } })).body.configurations
  const report = async (outcome: 'applied' | 'failed') => {
    const { publication, contentHash } = (await desired())[0]!
    const at = new Date().toISOString()
    await host.call('reportOutcomes', {
      body: { outcomes: [{ publication, serialNumber: 'A', outcome, reason: outcome === 'failed' ? 'Locked.' : null, at }] },
    })
    await host.checkIn([reader('A', { configuration: { contentHash, fileName: null } })])
  }
  await publishToOne(first)
  await report('applied')
  /** Reads what a publish leaves: for the host, on the rollout's page, on the reader and in the audit log. */
  const left = async (id: string) => {
    const rollout = await readRollout(zone.manager, { organizationId, id })
    const devices = (await call('listDevices', { params: { organizationId } })).body.deviceList
    const log = (await auditor.call('listAuditEntries', { params: { organizationId }, query: { PageNumber: 0, PageSize: 100 } })).body
    return {
      desired: (await desired()).map(({ deviceType, contentHash, atOnce, halted }) => ({ deviceType, contentHash, atOnce, halted })),
      rollout: { state: rollout.state, counts: rollout.counts, parts: rollout.parts.map(({ state, counts }) => ({ state, counts })) },
      reader: devices.map(({ currentConfig, drifted }) => ({ currentConfig, drifted })),
      log: log.entryList.filter(({ changeType }) => changeType === 'ZoneConfigChange').length,
    }
  }
  return { publishToOne, publishToMany, rollBack, report, left }
}

test('[RIT-02] one zone by its own call, one of many and one rolled back to the same content are the same to host PC, page, reader and log', async () => {
  const [one, many, back] = [await newZone(), await newZone(), await newZone()]
  const byOne = await one.publishToOne(second)
  const byMany = await many.publishToMany(second)
  // Here the reader runs the second script and then the first, and gets the second back.
  await back.publishToOne(second)
  await back.report('applied')
  const undone = await back.publishToOne(first)
  await back.report('applied')
  const byBack = await back.rollBack(undone)

  const waiting = await one.left(byOne)
  expect(waiting.desired).toMatchObject([{ deviceType: 'CR2700', atOnce: true, halted: false }])
  expect(await many.left(byMany)).toEqual(waiting)
  const { desired, rollout, reader: shown } = await back.left(byBack)
  expect({ desired, rollout, reader: shown }).toEqual({ desired: waiting.desired, rollout: waiting.rollout, reader: waiting.reader })

  for (const zone of [one, many]) await zone.report('applied')
  const done = await one.left(byOne)
  expect(done.rollout).toMatchObject({ state: 'complete', counts: { applied: 1 } })
  expect(await many.left(byMany)).toEqual(done)
})
