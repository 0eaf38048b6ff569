import type { RolloutDetail, RolloutPart } from '@lectern/contract/rollouts/rollouts.ts'
import { uuidv7 } from 'uuidv7'
import type { TestPerson } from './makers.ts'
import { reader } from './makers.ts'
import type { TestServer } from './server.ts'

/** Reads what the rollout's page shows: the rollout, and its first hundred zones. */
export async function readRollout(
  { call }: Pick<TestPerson, 'call'>,
  params: { organizationId: string; id: string },
): Promise<RolloutDetail & { parts: RolloutPart[] }> {
  const { partList } = (await call('listRolloutParts', { params, query: { PageSize: 100 } })).body
  return { ...(await call('getRollout', { params })).body, parts: partList }
}

/** A zone whose host has readers, with functions for its rollouts. */
export async function rolloutZone(server: TestServer, serials: readonly string[] = ['A', 'B', 'C', 'D']) {
  const zone = await server.zone('ICU 3 North')
  const organizationId = zone.organization.id
  const host = await server.host(zone)
  await host.checkIn(serials.map((serial) => reader(serial)))
  const { manager } = zone
  const publish = async (cfg: string, parts: object = {}, device = 'CR2700') => {
    const rollout = uuidv7()
    const params = { organizationId, location: zone.id, device }
    const body = { cfg: `<cfg>${cfg}</cfg>`, ...('updateTime' in parts ? {} : { when: 'now' }), rollout, ...parts }
    const answer = await manager.call('publishCfg', { params, body })
    return { id: rollout, answer }
  }
  const desired = async () => (await host.call('getDesired', { query: { knowsReturns: true } })).body
  const publication = async () => (await desired()).configurations[0]!.publication
  const report = async (...outcomes: [serialNumber: string, outcome: 'applied' | 'failed', of?: string][]) => {
    const current = await publication()
    const body = outcomes.map(([serialNumber, outcome, of = current]) => ({
      publication: of,
      serialNumber,
      outcome,
      at: new Date().toISOString(),
      reason: outcome === 'failed' ? 'Battery at 14%.' : null,
    }))
    return host.call('reportOutcomes', { body: { outcomes: body } })
  }
  const detail = (id: string) => readRollout(manager, { organizationId, id })
  const change = (name: 'haltRollout' | 'resumeRollout' | 'retryRollout', id: string) =>
    manager.call(name, { params: { organizationId, id } })
  const rollBack = (id: string, updateTime: string | null = null) =>
    manager.call('rollBackRollout', { params: { organizationId, id }, body: { updateTime } })
  const readers = async (id: string, query: Record<string, unknown> = {}) =>
    (await manager.call('listRolloutReaders', { params: { organizationId, id }, query })).body
  return { zone, organizationId, host, manager, publish, desired, publication, report, detail, change, rollBack, readers }
}

/** Counts with no reader in any state. */
export const noReaders = { applied: 0, downloading: 0, waiting: 0, silent: 0, failed: 0, replaced: 0 }
