import type { EndpointName } from '@lectern/contract/endpoints.ts'
import type { ReportedDevice } from '@lectern/contract/hosts.ts'
import type { Answer } from '../call.ts'
import { reader } from '../makers.ts'
import type { TestServer } from '../server.ts'

type Name = 'reapplyConfiguration' | 'reapplyFirmware'

/**
 * Each function prepares a drifted reader and returns the function that makes the call.
 * @param newRelease returns a firmware version for the V1300
 */
export function reapplyWrites(
  server: TestServer,
  newRelease: () => Promise<string>,
): Record<Name, () => Promise<() => Promise<Answer<EndpointName>>>> {
  async function withReader() {
    const zone = await server.zone()
    const host = await server.host(zone)
    const organizationId = zone.organization.id
    return {
      manager: zone.manager,
      place: { organizationId, location: zone.id, device: 'V1300' },
      params: { organizationId, serialNumber: 'A' },
      desired: async () => (await host.call('getDesired')).body,
      checkIn: (parts: Partial<ReportedDevice>) => host.checkIn([reader('A', { deviceType: 'V1300', firmware: '0.1', ...parts })]),
    }
  }
  return {
    reapplyConfiguration: async () => {
      const { manager, place, params, desired, checkIn } = await withReader()
      await manager.call('publishCfg', { params: place, body: { cfg: '<cfg>1</cfg>', when: 'now' } })
      await checkIn({ publication: (await desired()).configurations[0]!.publication })
      return () => manager.call('reapplyConfiguration', { params })
    },
    reapplyFirmware: async () => {
      const { manager, place, params, desired, checkIn } = await withReader()
      await manager.call('publishFirmwareVersion', { params: place, body: { firmwareVersion: await newRelease(), when: 'now' } })
      await checkIn({ firmwarePublication: (await desired()).firmware[0]!.publication })
      return () => manager.call('reapplyFirmware', { params })
    },
  }
}
