import { describe, expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const query = (collection: string, id?: number) => ({ query: { collection, ...(id === undefined ? {} : { id }) } })
const content = { configName: 'Counter 4', configString: 'line one\nline "two" \\ ünï' }

/** A member of an organization of its own that has one config, in the collection `shop`. */
async function keeper() {
  const organization = await server.organization()
  const person = await server.person({ organization, permissions: ['manage:cfg'] })
  const { body: config } = await person.call('createConfig', { ...query('shop'), body: content })
  return { organization, person, config }
}

describe('a config', () => {
  test('[API-LEG-02 API-LEG-04 API-LEG-05 ENT-01] is created, listed and read', async () => {
    const { person, config } = await keeper()
    expect(config).toEqual({ id: expect.any(Number), companyId: expect.any(Number), ...content })
    expect((await person.call('listConfigs')).body).toEqual([config])
    expect((await person.call('getConfig', { params: { id: config.id } })).body).toEqual(config)
  })

  test('[API-LEG-03] is listed by its company’s number', async () => {
    const { person, config } = await keeper()
    expect((await person.call('listCompanyConfigs', { params: { cid: config.companyId } })).body).toEqual([config])
    expect((await person.call('listCompanyConfigs', { params: { cid: config.companyId + 1 } })).body).toEqual([])
  })

  test('[API-LEG-06] is changed in its collection, and what is absent stays', async () => {
    const { person, config } = await keeper()
    const { body } = await person.call('editConfig', { ...query('shop', config.id), body: { configName: 'Counter 5' } })
    expect(body).toEqual({ ...config, configName: 'Counter 5' })
    expect((await person.call('editConfig', { ...query('other', config.id), body: {} })).status).toBe(404)
    expect((await person.call('getConfig', { params: { id: config.id } })).body).toEqual(body)
  })

  test('[API-LEG-07] is deleted from its collection, once', async () => {
    const { person, config } = await keeper()
    const { body: another } = await person.call('createConfig', { ...query('shop'), body: content })
    expect((await person.call('deleteConfig', query('other', config.id))).status).toBe(404)
    expect((await person.call('deleteConfig', query('shop', config.id))).status).toBe(204)
    expect((await person.call('deleteConfig', query('shop', config.id))).status).toBe(404)
    expect((await person.call('listConfigs')).body).toEqual([another])
  })

  test('is made once by a call that is repeated with its key', async () => {
    const { person } = await keeper()
    const key = { 'idempotency-key': 'again' }
    const first = await person.call('createConfig', { ...query('shop'), body: content }, key)
    expect((await person.call('createConfig', { ...query('shop'), body: content }, key)).body).toEqual(first.body)
    expect((await person.call('listConfigs')).body).toHaveLength(2)
  })
})

describe('another organization', () => {
  test('neither sees, changes nor deletes it', async () => {
    const { config } = await keeper()
    const { person: stranger } = await keeper()
    const missing = config.id + 1_000
    for (const id of [config.id, missing]) {
      const answers = [
        await stranger.call('getConfig', { params: { id } }),
        await stranger.call('editConfig', { ...query('shop', id), body: { configName: 'Mine' } }),
        await stranger.call('deleteConfig', query('shop', id)),
      ]
      expect(answers.map(({ status, problem }) => [status, problem.detail])).toEqual(Array(3).fill([404, 'There is no such config.']))
    }
    expect((await stranger.call('listCompanyConfigs', { params: { cid: config.companyId } })).body).toEqual([])
  })

  test("is the vendor's staff's to read", async () => {
    const { config } = await keeper()
    const staff = await server.person({ permissions: ['global:access:organizations'] })
    expect((await staff.call('getConfig', { params: { id: config.id } })).body).toEqual(config)
    expect((await staff.call('listConfigs')).body).toContainEqual(config)
    const editing = await server.person({ permissions: ['global:access:organizations', 'manage:cfg'] })
    expect((await editing.call('createConfig', { ...query('shop'), body: content })).status).toBe(409)
  })
})

describe('a collection', () => {
  test.each(['', 'a b', 'ä', '../x', 'x'.repeat(65)])('[LEG-01] is refused as "%s"', async (collection) => {
    const { person } = await keeper()
    const { status, problem } = await person.call('createConfig', { ...query(collection), body: content })
    expect([status, problem.errors?.[0]?.field]).toEqual([400, 'collection'])
  })

  test.each(['x', 'X_1-y', '9'.repeat(64)])('[LEG-01] may be "%s"', async (collection) => {
    const { person } = await keeper()
    expect((await person.call('createConfig', { ...query(collection), body: content })).status).toBe(200)
  })
})
