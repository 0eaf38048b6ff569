import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })

/** A member of an organization with a name of their own. */
async function member(organization: Awaited<ReturnType<typeof server.organization>>, firstName: string, lastName: string) {
  const person = await server.person({ organization, permissions: ['manage:people'] })
  await person.call('updateCurrentUser', { body: { firstName, lastName, phone: '12345', countryCode: 'DE' } })
  return person
}
const get = (organizationId: string, { call } = staff) => call('getOrganization', { params: { organizationId } })
const mark = (organization: string, hasEpicData: unknown) =>
  staff.call('markOrganization', { params: { organization }, body: { hasEpicData } })
const noSuchOrganization = { status: 404, detail: 'There is no such organization.' }

test('[API-ORG-02 ENT-03 ENT-04 ENT-05] an organization with its groups, their products and members; of members their name and address only', async () => {
  const organization = await server.organization()
  const ada = await member(organization, 'Ada', 'Example')
  await db
    .insertInto('group_product')
    .values([7, 2].map((id) => ({ organization_id: organization.key, group_id: organization.groupId, product_id: id })))
    .execute()
  const { body: second } = await ada.call('createGroup', { body: { name: 'Second' } })
  const bea = await member(organization, 'Bea', 'Example')
  const { status, body } = await get(organization.id, ada)
  expect(status).toBe(200)
  const users = [
    { firstName: 'Ada', lastName: 'Example', email: ada.email },
    { firstName: 'Bea', lastName: 'Example', email: bea.email },
  ]
  expect(body).toEqual({
    id: organization.id,
    name: organization.name,
    hasEpicData: false,
    groups: [
      { gid: organization.groupId, name: `${organization.name} Products`, products: [2, 7], users },
      { gid: second.gid, name: 'Second', products: [], users: [] },
    ],
  })
  expect((await get(organization.id)).body).toEqual(body)
})

test('[ENT-03] the name is null or empty until registration is complete', async () => {
  const organization = await server.organization()
  for (const name of [null, '']) {
    await db.updateTable('organization').set({ name }).where('id', '=', organization.key).execute()
    expect((await get(organization.id)).body.name).toBe(name)
  }
})

test('a summary has the name, and how many zones, reported readers and models there are, of no other organization', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  await server.zone('Second', zone.organization)
  const ask = async () => (await zone.manager.call('getOrganizationSummary', { params: { organizationId: zone.organization.id } })).body
  expect(await ask()).toEqual({ name: zone.organization.name, zones: 2, readers: 0, models: 0 })
  await host.checkIn([reader('27P0000001'), reader('27P0000002'), reader('11P0000003', { deviceType: 'CR1100' })])
  expect(await ask()).toEqual({ name: zone.organization.name, zones: 2, readers: 3, models: 2 })
  expect(await staff.call('getOrganizationSummary', { params: { organizationId: 'nobody' } })).toMatchObject({ status: 404 })
})

test('[API-ORG-03 ENT-05] the users of an organization by name, and no others', async () => {
  const [organization, other] = [await server.organization(), await server.organization()]
  await member(other, 'Not', 'Here')
  const people = []
  for (const [first, last] of [
    ['Bea', 'muster'],
    ['Ada', 'Muster'],
    ['Cid', 'Example'],
  ] as const)
    people.push(await member(organization, first, last))
  const nameless = await server.person({ organization })
  const list = await people[0]!.call('listOrganizationUsers', { params: { organizationId: organization.id } })
  expect([list.status, list.body]).toEqual([
    200,
    [
      { firstName: 'Cid', lastName: 'Example', email: people[2]!.email },
      { firstName: 'Ada', lastName: 'Muster', email: people[1]!.email },
      { firstName: 'Bea', lastName: 'muster', email: people[0]!.email },
      { firstName: '', lastName: '', email: nameless.email },
    ],
  ])
  const empty = await server.organization()
  expect((await staff.call('listOrganizationUsers', { params: { organizationId: empty.id } })).body).toEqual([])
})

test('[ENT-03] staff mark an organization, and take the mark away', async () => {
  const organization = await server.organization()
  const ada = await member(organization, 'Ada', 'Example')
  for (const hasEpicData of [true, true, false]) {
    const { status, body } = await mark(organization.id, hasEpicData)
    expect([status, body]).toMatchObject([200, { id: organization.id, hasEpicData, groups: [{ users: [{ email: ada.email }] }] }])
    expect((await get(organization.id, ada)).body).toEqual(body)
  }
  const entries = db.selectFrom('audit_entry').select(['change_type', 'new_value', 'initiator_email'])
  const marks = entries.where('organization_id', '=', organization.key).where('change_type', '=', 'markOrganization')
  expect(await marks.orderBy('id').execute()).toMatchObject([
    { change_type: 'markOrganization', new_value: 'true', initiator_email: staff.email },
    { new_value: 'true' },
    { new_value: 'false' },
  ])
})

test('marks no organization that does not exist, and with nothing else than yes or no', async () => {
  const organization = await server.organization()
  for (const unknown of [uuidv7(), 'x', '\0', '%', 'x'.repeat(5_000)])
    expect((await mark(unknown, true)).problem).toMatchObject(noSuchOrganization)
  for (const value of ['true', 1, null, undefined]) expect((await mark(organization.id, value)).status).toBe(400)
  expect((await get(organization.id)).body.hasEpicData).toBe(false)
})
