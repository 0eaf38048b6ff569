import type { EndpointName } from '@lectern/contract/endpoints.ts'
import type { Answer } from '../call.ts'
import { reader } from '../makers.ts'
import type { TestServer } from '../server.ts'

type Name =
  | 'createZone'
  | 'deleteZone'
  | 'setZoneNote'
  | 'tagZones'
  | 'removeHost'
  | 'deleteDevice'
  | 'setSchedule'
  | 'setZoneSchedule'
  | 'setPublishingDefaults'

/** Each function prepares a zone and returns the function that makes the call. A zone to be deleted has a reader and a publication. */
export function zoneWrites(server: TestServer): Record<Name, () => Promise<() => Promise<Answer<EndpointName>>>> {
  return {
    createZone: async () => {
      const { organization, manager } = await server.zone()
      return () => manager.call('createZone', { params: { organizationId: organization.id, location: 'ICU' } })
    },
    deleteZone: async () => {
      const zone = await server.zone()
      const host = await server.host(zone)
      const organizationId = zone.organization.id
      const params = { organizationId, location: zone.id }
      await host.checkIn([reader('A')])
      await zone.manager.call('publishCfg', { params: { ...params, device: 'CR2700' }, body: { cfg: '<cfg>1</cfg>', when: 'now' } })
      await zone.manager.call('removeHost', { params: { organizationId, host: host.hostId } })
      return () => zone.manager.call('deleteZone', { params })
    },
    setZoneNote: async () => {
      const { id, organization, manager } = await server.zone()
      const params = { organizationId: organization.id, location: id }
      return () => manager.call('setZoneNote', { params, body: { note: 'Key at the desk' } })
    },
    tagZones: async () => {
      const { id, organization, manager } = await server.zone()
      return () => manager.call('tagZones', { params: { organizationId: organization.id }, body: { zones: [id], add: ['Bonn'] } })
    },
    setSchedule: async () => {
      const { organization } = await server.zone()
      const manager = await server.person({ organization, permissions: ['manage:people'] })
      const body = { windows: [{ days: ['sun'], from: '22:00', to: '04:00' }], blockedDays: [] }
      return () => manager.call('setSchedule', { params: { organizationId: organization.id }, body })
    },
    setPublishingDefaults: async () => {
      const { organization } = await server.zone()
      const manager = await server.person({ organization, permissions: ['manage:people'] })
      const body = { haltAbovePercent: 5, stopTime: null, phases: [{ share: 5, soakMinutes: 60, gate: 'by hand' }] }
      return () => manager.call('setPublishingDefaults', { params: { organizationId: organization.id }, body })
    },
    setZoneSchedule: async () => {
      const { id, organization } = await server.zone()
      const manager = await server.person({ organization, permissions: ['manage:people'] })
      const body = { windows: [{ days: ['sun'], from: '22:00', to: '04:00' }], blockedDays: [] }
      return () => manager.call('setZoneSchedule', { params: { organizationId: organization.id, location: id }, body })
    },
    removeHost: async () => {
      const zone = await server.zone()
      const { hostId } = await server.host(zone)
      return () => zone.manager.call('removeHost', { params: { organizationId: zone.organization.id, host: hostId } })
    },
    deleteDevice: async () => {
      const zone = await server.zone()
      const host = await server.host(zone)
      const organizationId = zone.organization.id
      await host.checkIn([reader('A')])
      const params = { organizationId, location: zone.id, device: 'CR2700' } as const
      await zone.manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>', when: 'now' } })
      const { publication } = (await host.call('getDesired')).body.configurations[0]!
      const outcome = { publication, serialNumber: 'A', outcome: 'applied', reason: null, at: new Date().toISOString() } as const
      await host.call('reportOutcomes', { body: { outcomes: [outcome] } })
      await zone.manager.call('removeHost', { params: { organizationId, host: host.hostId } })
      return () => zone.manager.call('deleteDevice', { params: { organizationId, serialNumber: 'A' } })
    },
  }
}
