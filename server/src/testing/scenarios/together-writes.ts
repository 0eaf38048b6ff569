import type { EndpointName } from '@lectern/contract/endpoints.ts'
import { uuidv7 } from 'uuidv7'
import type { Answer } from '../call.ts'
import type { TestServer } from '../server.ts'

type Name = 'publishToZones' | 'previewPublication' | 'uploadScript' | 'uploadFirmware'

/** What publishes to many zones. */
export function togetherWrites(server: TestServer): Record<Name, () => Promise<() => Promise<Answer<EndpointName>>>> {
  const writeTo = (name: 'publishToZones' | 'previewPublication') => async () => {
    const zone = await server.zone()
    await server.host(zone)
    const body = {
      ...{ key: uuidv7(), zones: { filter: {} }, when: { now: true } },
      parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>' } }],
    }
    return () => zone.manager.call(name, { params: { organizationId: zone.organization.id }, body })
  }
  const upload = (name: 'uploadScript' | 'uploadFirmware', text: string, fileName: string) => async () => {
    const { organization, manager } = await server.zone()
    return () => manager.call(name, { params: { organizationId: organization.id }, file: new File([text], fileName) })
  }
  return {
    publishToZones: writeTo('publishToZones'),
    previewPublication: writeTo('previewPublication'),
    uploadScript: upload('uploadScript', 'rules_onDecode = (d) => d', 'rules.js'),
    uploadFirmware: upload('uploadFirmware', 'firmware', 'ours.crbfw'),
  }
}
