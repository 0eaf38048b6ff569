import type { EndpointName } from '@lectern/contract/endpoints.ts'
import { uuidv7 } from 'uuidv7'
import type { Answer } from '../call.ts'
import { reader } from '../makers.ts'
import type { TestServer } from '../server.ts'

type Name =
  | 'beginPhase'
  | 'haltRollout'
  | 'resumeRollout'
  | 'retryRollout'
  | 'rollBackRollout'
  | 'nameRollout'
  | 'setSafetyLimit'
  | 'startRollout'
  | 'moveRollout'

/** Each function prepares a rollout with a failed reader and a previous publication, and returns the function that makes the call. */
export function rolloutWrites(server: TestServer): Record<Name, () => Promise<() => Promise<Answer<EndpointName>>>> {
  async function withRollout() {
    const zone = await server.zone()
    const host = await server.host(zone)
    await host.checkIn([reader('A')])
    const place = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
    const id = uuidv7()
    const report = async (became: { outcome: 'applied' | 'failed'; reason: string | null }) => {
      const publication = (await host.call('getDesired')).body.configurations[0]!.publication
      const outcome = { publication, serialNumber: 'A', ...became, at: new Date().toISOString() }
      await host.call('reportOutcomes', { body: { outcomes: [outcome] } })
    }
    await zone.manager.call('publishCfg', { params: place, body: { cfg: '<cfg>1</cfg>', when: 'now' } })
    await report({ outcome: 'applied', reason: null })
    await zone.manager.call('publishCfg', { params: place, body: { cfg: '<cfg>2</cfg>', when: 'now', rollout: id } })
    await report({ outcome: 'failed', reason: 'Locked.' })
    return (name: Name, body?: object) => zone.manager.call(name, { params: { organizationId: zone.organization.id, id }, body })
  }
  async function withWaiting() {
    const zone = await server.zone()
    const host = await server.host(zone)
    await host.checkIn([reader('A')])
    const params = { organizationId: zone.organization.id, id: uuidv7() }
    const updateTime = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(11, 16)
    const place = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
    await zone.manager.call('publishCfg', { params: place, body: { cfg: '<cfg>1</cfg>', updateTime, rollout: params.id } })
    return (name: Name, body: object) => zone.manager.call(name, { params, body })
  }
  return {
    beginPhase: async () => {
      const { manager, id, organization } = await server.zone()
      const params = { organizationId: organization.id, id: uuidv7() }
      const phases = [{ share: 5, soakMinutes: 0, gate: 'by hand' }]
      await manager.call('publishCfg', {
        params: { organizationId: organization.id, location: id, device: 'CR2700' },
        body: { cfg: '<cfg>1</cfg>', when: 'now', rollout: params.id, phases },
      })
      return () => manager.call('beginPhase', { params: { ...params, phase: 2 } })
    },
    haltRollout: async () => {
      const change = await withRollout()
      return () => change('haltRollout')
    },
    resumeRollout: async () => {
      const change = await withRollout()
      await change('haltRollout')
      return () => change('resumeRollout')
    },
    retryRollout: async () => {
      const change = await withRollout()
      return () => change('retryRollout')
    },
    rollBackRollout: async () => {
      const change = await withRollout()
      return () => change('rollBackRollout', { updateTime: null })
    },
    startRollout: async () => {
      const change = await withWaiting()
      return () => change('startRollout', {})
    },
    moveRollout: async () => {
      const change = await withWaiting()
      const date = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
      return () => change('moveRollout', { date, updateTime: '03:00' })
    },
    nameRollout: async () => {
      const change = await withRollout()
      return () => change('nameRollout', { name: 'Go-live' })
    },
    setSafetyLimit: async () => {
      const change = await withRollout()
      return () => change('setSafetyLimit', { haltAbovePercent: 100, stopTime: null, forLater: true })
    },
  }
}
