import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { statementsDuring } from '../testing/database/statements.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const gate = { maxFailedPercent: 20, maxOfflinePercent: 50 }

/** A rollout in phases to a zone with so many readers. */
async function phasedRollout(phases: object[], readers = 20) {
  const zone = await server.zone()
  const host = await server.host(zone)
  const serials = Array.from({ length: readers }, (_, index) => `R${index}`)
  const checkIn = (which: readonly string[]) =>
    host.checkIn(
      which.map((serial) => reader(serial)),
      { knowsPhases: true },
    )
  await checkIn(serials)
  const params = { organizationId: zone.organization.id, id: uuidv7() }
  await zone.manager.call('publishCfg', {
    params: { organizationId: params.organizationId, location: zone.id, device: 'CR2700' },
    body: { cfg: '<cfg>1</cfg>', when: 'now', rollout: params.id, phases },
  })
  const { publication } = (await host.call('getDesired', { query: { knowsPhases: true } })).body.configurations[0]!
  const report = (which: readonly string[], outcome: 'applied' | 'failed' = 'applied') => {
    const common = { publication, outcome, reason: outcome === 'failed' ? 'Locked.' : null, at: new Date().toISOString() }
    return host.call('reportOutcomes', { body: { outcomes: which.map((serialNumber) => ({ ...common, serialNumber })) } })
  }
  const listPhases = async (as: Pick<typeof zone.manager, 'call'> = zone.manager) => (await as.call('getRollout', { params })).body.phases
  const [inFirst, others] = [
    serials.filter((serial) => readerPosition(params.id, serial) < 4000),
    serials.filter((serial) => readerPosition(params.id, serial) >= 4000),
  ]
  return { zone, params, checkIn, report, listPhases, inFirst, others }
}

/** Statements during `ask` that read every reader of a rollout. */
const countsDuring = async (ask: () => Promise<unknown>): Promise<number> =>
  (await statementsDuring(ask)).filter(({ sql }) => sql.includes('phase_of(')).length

const first = { share: 40, soakMinutes: 0, gate }

test('[PHA-01 SCL-10] reports after all readers are done do not count the readers of the rollout again', async () => {
  const { report, listPhases, inFirst, others } = await phasedRollout([first])
  expect(await countsDuring(() => report(inFirst))).toBe(1)
  await report(others.slice(1))
  await report(others.slice(0, 1), 'failed')
  expect(await listPhases()).toMatchObject([{ state: 'passed' }, { state: 'done', failed: 1 }])
  expect(await countsDuring(() => report(others.slice(0, 1)))).toBe(0)
  expect(await listPhases()).toMatchObject([{ state: 'passed' }, { state: 'done', failed: 0 }])
})
