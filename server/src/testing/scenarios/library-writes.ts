import type { TestServer } from '../server.ts'

const content = (command: string) => ({ kind: 'commands', commands: [command] })

export function libraryWrites(server: TestServer) {
  async function librarian() {
    const organization = await server.organization()
    const { call } = await server.person({ organization })
    return { call, params: { organizationId: organization.id } }
  }

  async function entry() {
    const { call, params } = await librarian()
    const body = { name: 'Wristband', device: 'CR2700', content: content('SYAZTCSEN1') }
    const { id } = (await call('createLibraryEntry', { params, body })).body
    return { call, params: { ...params, id } }
  }

  return {
    saveConfiguration: async () => {
      const { call, params } = await librarian()
      return () => call('saveConfiguration', { params: { ...params, deviceName: 'CR2700', name: 'Wristband' }, body: ['SYAZTCSEN1'] })
    },
    deleteSavedConfiguration: async () => {
      const { call, params } = await entry()
      return () => call('deleteSavedConfiguration', { params: { ...params, device: 'CR2700', name: 'Wristband' } })
    },
    createLibraryEntry: async () => {
      const { call, params } = await librarian()
      return () => call('createLibraryEntry', { params, body: { name: 'Ward 3', device: 'CR2700', content: content('SYAZTCSEN1') } })
    },
    updateLibraryEntry: async () => {
      const { call, params } = await entry()
      return () => call('updateLibraryEntry', { params, body: { name: 'Ward 3' } })
    },
    addLibraryVersion: async () => {
      const { call, params } = await entry()
      return () => call('addLibraryVersion', { params, body: { content: content('SYAZTCSEN0') } })
    },
    publishLibraryVersion: async () => {
      const { organization, manager, id: location } = await server.zone()
      const params = { organizationId: organization.id }
      const body = { name: 'Wristband', device: 'CR2700', content: content('SYAZTCSEN1') }
      const { id } = (await manager.call('createLibraryEntry', { params, body })).body
      const place = { ...params, location, device: 'CR2700' }
      return () => manager.call('publishLibraryVersion', { params: place, body: { configurationId: id, version: 1 } })
    },
    deleteLibraryEntry: async () => {
      const { call, params } = await entry()
      return () => call('deleteLibraryEntry', { params })
    },
    restoreLibraryEntry: async () => {
      const { call, params } = await entry()
      await call('deleteLibraryEntry', { params })
      return () => call('restoreLibraryEntry', { params })
    },
  }
}
