import { describe, expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const commands = ['CFR', 'SYAZTCSEN1', 'CDOPSPX"/01Y"', 'CDOPSFO1']

/** A member of an organization of its own, with the calls of its library. */
async function librarian() {
  const organization = await server.organization()
  const { call } = await server.person({ organization })
  const place = (name: string, device: string) => ({ params: { organizationId: organization.id, deviceName: device, device, name } })
  return {
    organization,
    save: (name: string, body: unknown = commands, device = 'CR2700') => call('saveConfiguration', { ...place(name, device), body }),
    remove: (name: string, device = 'CR2700') => call('deleteSavedConfiguration', place(name, device)),
    list: async () => (await call('listSavedConfigurations', { params: { organizationId: organization.id } })).body,
  }
}

describe('the library', () => {
  test('[API-CNF-01 API-CNF-02 ENT-23 ENT-24] lists what was saved, the newest first', async () => {
    const { save, list } = await librarian()
    expect(await list()).toEqual([])
    const { status, body } = await save('Ward 3')
    expect([status, body]).toEqual([200, { name: 'Ward 3', device: 'CR2700', commands, creationDate: expect.stringMatching(/^2.*Z$/) }])
    const { body: second } = await save('Ward 4', ['SYAZTCSEN0'], 'CR950')
    expect(await list()).toEqual([second, body])
  })

  test('[API-CNF-03] deletes a configuration, once', async () => {
    const { save, remove, list } = await librarian()
    await save('Ward 3')
    expect((await remove('Ward 3', 'CR950')).status).toBe(404)
    expect((await remove('Ward 3')).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await remove('Ward 3')).status).toBe(404)
    expect((await remove('\0')).status).toBe(404)
  })

  test('has a name for a device once, however it is written', async () => {
    const { save } = await librarian()
    await save('Ward 3')
    const again = await save('  ward 3 ')
    expect([again.status, again.problem.detail]).toEqual([409, 'There is already a configuration named "ward 3" for the CR2700.'])
    expect((await save('Ward 3', commands, 'CR950')).status).toBe(200)
  })

  test('is its organization’s own', async () => {
    const [one, other] = [await librarian(), await librarian()]
    await one.save('Ward 3')
    expect(await other.list()).toEqual([])
    expect((await other.remove('Ward 3')).status).toBe(404)
    expect(await one.list()).toHaveLength(1)
  })

  test('keeps a hostile name as text', async () => {
    const { save, remove, list } = await librarian()
    const name = `<b>A/2 "?#%2F\\' – ✓`
    expect((await save(name)).body.name).toBe(name)
    expect((await list())[0]?.name).toBe(name)
    expect((await remove(name)).status).toBe(204)
  })

  test('the audit log has what was saved and deleted', async () => {
    const { organization, save, remove } = await librarian()
    await save('Ward 3')
    await remove('Ward 3')
    const { db } = server.app
    const entries = db
      .selectFrom('audit_entry')
      .select(['change_type', 'config_name', 'target'])
      .where('organization_id', '=', organization.key)
    expect(await entries.orderBy('id').execute()).toEqual([
      { change_type: 'AdvancedConfigCreated', config_name: 'Ward 3', target: 'CR2700' },
      { change_type: 'AdvancedConfigDeleted', config_name: 'Ward 3', target: 'CR2700' },
    ])
  })
})

describe('refused with the reason is', () => {
  test.for<[string, unknown, string, RegExp]>([
    ['   ', commands, 'CR2700', /^Enter a name for the configuration\.$/],
    ['a\nb', commands, 'CR2700', /cannot be shown/],
    ['x'.repeat(201), commands, 'CR2700', /at most 200 characters/],
    ['Name', commands, 'CR9999', /^Unsupported device: CR9999$/],
    ['Name', commands, 'V4500', /^Unsupported device: V4500$/],
    ['Name', [], 'CR2700', /There is no command to send/],
    ['Name', ['hello world'], 'CR2700', /"hello world" cannot be sent/],
    ['Name', ['SYAZTCSEN1\u0003CFR'], 'CR2700', /cannot be sent/],
    ['Name', ['SYAZTCSEN1', 'CFR'], 'CR2700', /CFR undoes every command before it/],
    ['Name', Array(2_001).fill('SYAZTCSEN1'), 'CR2700', /at most 2000 commands/],
    ['Name', [`CDOPSPX"${'a'.repeat(60_001)}"`], 'CR2700', /at most 60000 characters/],
    ['Name', 'SYAZTCSEN1', 'CR2700', /expected array/],
    ['Name', [1], 'CR2700', /expected string/],
  ])('the name %j with %j for %s', async ([name, body, device, reason]) => {
    const { save, list } = await librarian()
    const { status, problem } = await save(name, body, device)
    expect([status, problem.detail]).toEqual([400, expect.stringMatching(reason)])
    expect(await list()).toEqual([])
  })
})
