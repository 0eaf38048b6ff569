import { uuidv7 } from 'uuidv7'
import { deskRecord } from '../makers.ts'
import type { TestServer } from '../server.ts'

/** Each function prepares its call and returns the function that makes it. */
export function registryScenarios(server: TestServer) {
  async function member() {
    const organization = await server.organization()
    return { organizationId: organization.id, person: await server.person({ organization, permissions: ['manage:firmware'] }) }
  }
  async function licensee() {
    const organization = await server.organization()
    const person = await server.person({ organization, permissions: ['manage:licences', 'manage:firmware'] })
    return { organization, organizationId: organization.id, person }
  }
  async function withReader() {
    const { organizationId, person } = await member()
    const { body } = await person.call('createReader', { params: { customerid: organizationId }, body: { sn: 'A' } })
    return { person, params: { id: body.readerId } }
  }

  async function withDesk() {
    const organization = await server.organization()
    return { params: { organizationId: organization.id }, person: await server.person({ organization, permissions: ['manage:cfg'] }) }
  }

  return {
    createLicence: async () => {
      const { organizationId, person } = await licensee()
      return () => person.call('createLicence', { params: { organizationId }, body: { serialNumbers: ['A'] } })
    },
    generateLicence: async () => {
      const { organizationId, person } = await licensee()
      return () => person.call('generateLicence', { params: { organizationId }, body: { serialNumbers: ['A'] } })
    },
    revokeLicence: async () => {
      const { organization, organizationId, person } = await licensee()
      const { body } = await person.call('createLicence', { params: { organizationId }, body: { serialNumbers: ['A'] } })
      await server.host(await server.zone('ICU', organization), 'HOST-01', body.licenseNumber)
      return () => person.call('revokeLicence', { params: { organizationId, id: body.id }, body: { removeHosts: true } })
    },
    createReader: async () => {
      const { organizationId, person } = await member()
      return () => person.call('createReader', { params: { customerid: organizationId }, body: { sn: 'A' } })
    },
    updateReader: async () => {
      const { person, params } = await withReader()
      return () => person.call('updateReader', { params, body: { sn: 'A', isLost: true } })
    },
    deleteReader: async () => {
      const { person, params } = await withReader()
      return () => person.call('deleteReader', { params })
    },
    createDeskRecord: async () => {
      const { params, person } = await withDesk()
      return () => person.call('createDeskRecord', { params, body: deskRecord() })
    },
    withdrawDeskRecord: async () => {
      const { params, person } = await withDesk()
      const id = uuidv7()
      await person.call('createDeskRecord', { params, body: deskRecord({ id }) })
      return () => person.call('withdrawDeskRecord', { params: { ...params, id }, body: { reason: 'Another reader' } })
    },
    saveScannerAppUser: async () => {
      const { person } = await member()
      return () => person.call('saveScannerAppUser', { body: { name: 'Ada' } })
    },
  }
}
