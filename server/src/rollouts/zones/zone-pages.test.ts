import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../../testing/makers.ts'
import { serverForFile } from '../../testing/server.ts'

const server = await serverForFile()

/** Opens a rollout with a zone in each state. `list` reads the names on a page of its zones. */
async function newRollout() {
  const organization = await server.organization()
  const { manager } = await server.zone('Other', organization)
  const organizationId = organization.id
  const id = uuidv7()
  const inTwoHours = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })
  const later = { updateTime: inTwoHours.format(Date.now() + 7_200_000) }
  const add = async (name: string, readers: number, start: object = { when: 'now' }) => {
    const zone = await server.zone(name, organization)
    const host = await server.host(zone)
    const checkIn = (count: number) => host.checkIn(Array.from({ length: count }, (_, index) => reader(`${name}-${index}`)))
    await checkIn(readers)
    const publish = (rollout: string) =>
      manager.call('publishCfg', {
        params: { organizationId, location: zone.id, device: 'CR2700' },
        body: { cfg: `<cfg>${rollout}</cfg>`, rollout, ...start },
      })
    await publish(id)
    const publication = async () => (await host.call('getDesired')).body.configurations[0]!.publication
    const report = async (applied: number, failed: number) => {
      const of = { publication: await publication(), at: new Date().toISOString() }
      const outcomes = Array.from({ length: applied + failed }, (_, index) => ({
        ...of,
        serialNumber: `${name}-${index}`,
        ...(index < applied ? { outcome: 'applied', reason: null } : { outcome: 'failed', reason: 'Battery at 14%.' }),
      }))
      return host.call('reportOutcomes', { body: { outcomes } })
    }
    const remove = () => manager.call('removeHost', { params: { organizationId, host: host.hostId } })
    return { host, checkIn, publish, publication, report, remove }
  }
  const list = async (query: Record<string, unknown> = {}) => {
    const { partList, totalCount } = (await manager.call('listRolloutParts', { params: { organizationId, id }, query })).body
    return [partList.map(({ zone, deviceType }) => (deviceType === 'CR2700' ? zone : `${zone}, ${deviceType}`)), totalCount] as const
  }
  return { organizationId, id, manager, later, add, list }
}

test('[MNY-04] the zones of a rollout are narrowed to a state, as it is shown, and to a name as well', async () => {
  const { organizationId, id, manager, later, add, list } = await newRollout()
  await (await add('Done', 1)).report(1, 0)
  const updating = await add('Floor', 2)
  const gone = await add('Hostless', 1)
  await gone.remove()
  await add('Night', 2, later)
  const downloading = await add('Night download', 1, later)
  await downloading.host.call('reportProgress', {
    body: { progress: [{ publication: await downloading.publication(), serialNumber: 'Night download-0', percent: 20 }] },
  })
  const retried = await add('Night retry', 2, later)
  await add('Empty', 0)
  // The reader of this zone is in no sum yet.
  await (await add('Opened', 0)).checkIn(1)
  await (await add('Newer', 1)).publish(uuidv7())
  const params = { organizationId, id }
  await retried.report(0, 1)
  await manager.call('retryRollout', { params })
  await updating.report(0, 1)
  const mixed = await add('Stopped', 4)
  await manager.call('setSafetyLimit', { params, body: { haltAbovePercent: 60, stopTime: null, forLater: false } })
  await mixed.report(0, 3)

  const shown = (await manager.call('listRolloutParts', { params, query: { PageSize: 100 } })).body.partList
  expect(Object.fromEntries(shown.map(({ zone, state }) => [zone, state]))).toEqual({
    Done: 'complete',
    Empty: 'empty',
    Floor: 'updating',
    Hostless: 'waitingForHost',
    Newer: 'replaced',
    Night: 'scheduled',
    'Night download': 'updating',
    'Night retry': 'updating',
    Opened: 'updating',
    Stopped: 'halted',
  })
  const listed = async (state: string) => (await list({ state }))[0]
  expect(await listed('complete')).toEqual(['Done'])
  expect(await listed('updating')).toEqual(['Floor', 'Night download', 'Night retry', 'Opened'])
  expect(await listed('waitingForHost')).toEqual(['Hostless'])
  expect(await listed('scheduled')).toEqual(['Night'])
  expect(await listed('empty')).toEqual(['Empty'])
  expect(await listed('replaced')).toEqual(['Newer'])
  expect(await listed('halted')).toEqual(['Stopped'])
  expect(await listed('failed')).toEqual(['Floor', 'Stopped'])
  expect(await list({ state: 'updating', textFilter: ' NIGHT ' })).toEqual([['Night download', 'Night retry'], 2])
  expect(await list({ state: 'updating', PageSize: 3, PageNumber: 1 })).toEqual([['Opened'], 4])
  expect(await list({ state: 'halted', textFilter: 'floor' })).toEqual([[], 0])
})

test('[MNY-04] they are sorted by name, by how many failed and by how many are left, each with all its models', async () => {
  const { organizationId, id, manager, add, list } = await newRollout()
  await (await add('Annex', 5)).report(2, 2)
  await (await add('ward', 3)).report(0, 1)
  await (await add('Lab', 4)).report(0, 0)
  await (await add('Unit', 2)).report(2, 0)
  const locations = (await manager.call('listZones', { params: { organizationId } })).body
  const lab = locations.find(({ name }) => name === 'Lab')!.id
  await manager.call('publishCfg', {
    params: { organizationId, location: lab, device: 'A271/2' },
    body: { cfg: '<cfg></cfg>', when: 'now', rollout: id },
  })
  const sorted = async (ColumnName: string, Direction: string, more = {}) => (await list({ ColumnName, Direction, ...more }))[0]
  const both = ['Lab, A271/2', 'Lab']
  expect(await sorted('Name', 'Descending')).toEqual(['ward', 'Unit', ...both, 'Annex'])
  expect(await sorted('Name', 'Descending', { PageSize: 2, PageNumber: 1 })).toEqual([...both, 'Annex'])
  expect(await sorted('Failed', 'Descending')).toEqual(['Annex', 'ward', ...both, 'Unit'])
  expect(await sorted('Failed', 'Ascending', { PageSize: 1 })).toEqual(both)
  expect(await sorted('Left', 'Descending')).toEqual([...both, 'ward', 'Annex', 'Unit'])
  expect(await sorted('Left', 'Ascending', { state: 'updating' })).toEqual(['Annex', 'ward', ...both])
  expect(await sorted('Name', 'Descending', { state: 'updating' })).toEqual(['ward', ...both, 'Annex'])
})
