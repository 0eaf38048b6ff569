import type { EndpointName } from '@lectern/contract/endpoints.ts'
import { uuidv7 } from 'uuidv7'
import type { Answer } from '../call.ts'
import type { TestServer } from '../server.ts'

type Name = 'publishCfg' | 'publishCodeRules' | 'publishToZones' | 'previewPublication' | 'uploadScript' | 'uploadFirmware'

const cfg = '<cfg>1</cfg>'

export function publicationWrites(server: TestServer): Record<Name, () => Promise<() => Promise<Answer<EndpointName>>>> {
  const toAllZones = (name: 'publishToZones' | 'previewPublication') => async () => {
    const zone = await server.zone()
    await server.host(zone)
    const body = {
      key: uuidv7(),
      zones: { filter: {} },
      when: { now: true },
      parts: [{ model: 'CR2700', content: { kind: 'cfg', text: cfg } }],
    }
    return () => zone.manager.call(name, { params: { organizationId: zone.organization.id }, body })
  }
  return {
    publishCfg: async () => {
      const { id, organization, manager } = await server.zone()
      const params = { organizationId: organization.id, location: id, device: 'A271/2' }
      return () => manager.call('publishCfg', { params, body: { cfg } })
    },
    publishCodeRules: async () => {
      const { id, organization, manager } = await server.zone()
      const params = { organizationId: organization.id, location: id, device: 'CR2700' }
      return () => manager.call('publishCodeRules', { params, file: new File(['rules_onDecode = (d) => d'], 'rules.js') })
    },
    publishToZones: toAllZones('publishToZones'),
    previewPublication: toAllZones('previewPublication'),
    uploadScript: async () => {
      const { organization, manager } = await server.zone()
      const file = new File(['rules_onDecode = (d) => d'], 'rules.js')
      return () => manager.call('uploadScript', { params: { organizationId: organization.id }, file })
    },
    uploadFirmware: async () => {
      const { organization, manager } = await server.zone()
      return () =>
        manager.call('uploadFirmware', { params: { organizationId: organization.id }, file: new File(['firmware'], 'ours.crbfw') })
    },
  }
}
