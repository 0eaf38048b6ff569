import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { organizationKey } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

/** An organization with a person in its first group. */
async function organizationWithManager() {
  const organization = await server.organization()
  const member = await server.person({ organization, permissions: ['manage:people'] })
  return { organization, member, id: organization.groupId }
}
const staffMember = () => server.person({ permissions: ['global:access:organizations'] })
type Person = Awaited<ReturnType<typeof server.person>>

const create = ({ call }: Person, name: unknown) => call('createGroup', { body: { name } })
const get = ({ call }: Person, id: unknown) => call('getGroup', { params: { id } })
const rename = ({ call }: Person, id: unknown, name: unknown) => call('renameGroup', { params: { id }, body: { name } })
const setProducts = ({ call }: Person, id: unknown, productIds: unknown) =>
  call('setGroupProducts', { params: { id }, body: { productIds } })
const join = ({ call }: Person, id: unknown) => call('joinGroup', { params: { id } })
const listAudit = (organizationId: string) =>
  db
    .selectFrom('audit_entry')
    .select(['change_type', 'target', 'new_value', 'initiator_email'])
    .where('organization_id', '=', organizationKey(organizationId))
    .orderBy('in_effect_since')
    .orderBy('id')
    .execute()
const unknownId = 2_147_483_647
const noSuchGroup = { status: 404, detail: 'There is no such group.' }
const apart = (body: unknown) => ({ ...(body as object), instance: 'the request' })

/** Products 50 to 54, which the catalogue does not have by itself. */
const products = [50, 51, 52, 53, 54]
await db
  .insertInto('product')
  .values(products.map((id) => ({ id, title: `P${id}`, short: '', description: '', product_type: 'Hardware', faq: '[]', documents: '[]' })))
  .execute()

test('[API-GRP-01 ENT-04 ENT-05] lists only the groups of the own organization, with products and members', async () => {
  const { organization, member, id } = await organizationWithManager()
  await organizationWithManager()
  await member.call('updateCurrentUser', { body: { firstName: 'Ada', lastName: 'Example', phone: '12345', countryCode: 'DE' } })
  await setProducts(member, id, [52, 50])
  const { body: second } = await create(member, 'Second')
  const { status, body } = await member.call('listGroups')
  expect(status).toBe(200)
  const ada = { firstName: 'Ada', lastName: 'Example', email: member.email }
  expect(body).toEqual([
    { gid: id, name: `${organization.name} Products`, products: [50, 52], users: [ada] },
    { gid: second.gid, name: 'Second', products: [], users: [] },
  ])
  expect((await (await server.person()).call('listGroups')).body).toEqual([])
})

test('where members are only counted, nothing of them is sent', async () => {
  const { organization, member, id } = await organizationWithManager()
  await server.person({ organization })
  await setProducts(member, id, [51])
  const { body: second } = await create(member, 'Second')
  expect((await member.call('listGroups', { query: { members: 'counted' } })).body).toEqual([
    { gid: id, name: `${organization.name} Products`, products: [51], users: [], memberCount: 2 },
    { gid: second.gid, name: 'Second', products: [], users: [], memberCount: 0 },
  ])
  expect((await (await server.person()).call('listGroups', { query: { members: 'counted' } })).body).toEqual([])
})

test('[API-GRP-02 ENT-04] creates a group in the own organization, trimmed, empty, and in the audit log', async () => {
  const { organization, member } = await organizationWithManager()
  const { status, body } = await create(member, '  Ward 7  ')
  expect([status, body]).toEqual([200, { gid: expect.any(Number), name: 'Ward 7', products: [], users: [] }])
  expect((await get(member, body.gid)).body).toEqual(body)
  expect(await listAudit(organization.id)).toEqual([
    { change_type: 'createGroup', target: String(body.gid), new_value: 'Ward 7', initiator_email: member.email },
  ])
  expect((await create(await server.person(), 'Nowhere')).status).toBe(403)
  const staff = await server.person({ permissions: ['global:access:organizations', 'manage:people'] })
  expect((await create(staff, 'Nowhere')).problem).toMatchObject({
    status: 409,
    detail: 'You belong to no organization yet. Set up yours first.',
  })
})

test.for([
  ['nothing', '', 'name must not be empty'],
  ['blanks', '   ', 'name must not be empty'],
  ['210 characters', 'x'.repeat(210), 'name must have at most 209 characters'],
  ['NUL', 'a\0b', 'name must not have control characters'],
  ['half of a character', 'a\ud800', 'name must not have control characters'],
  ['no name', undefined, 'name invalid input: expected string, received undefined'],
  ['a number', 7, 'name invalid input: expected string, received number'],
] as const)('[VAL-01] refuses %s as the name of a group', async ([, name, detail]) => {
  const { member, id } = await organizationWithManager()
  for (const answer of [await create(member, name), await rename(member, id, name)])
    expect(answer.problem).toMatchObject({ status: 400, detail, errors: [{ field: 'name' }] })
  expect((await create(member, 'x'.repeat(200))).status).toBe(200)
  expect((await create(member, 'x')).status).toBe(200)
})

test('[API-GRP-03] returns a group of the own organization; to others it does not exist', async () => {
  const { member, id } = await organizationWithManager()
  const { member: stranger } = await organizationWithManager()
  expect((await get(member, id)).body).toMatchObject({ gid: id, users: [{ email: member.email }] })
  const calls = [
    get,
    (person: Person, at: unknown) => rename(person, at, 'Mine'),
    (person: Person, at: unknown) => setProducts(person, at, [50]),
    join,
  ]
  const nobody = await server.person()
  for (const call of calls)
    for (const person of [stranger, nobody]) {
      const [foreign, unknown] = [await call(person, id), await call(person, unknownId)]
      if (person === stranger || call === get || call === join) expect(foreign.problem).toMatchObject(noSuchGroup)
      else expect(foreign.status).toBe(403)
      expect(apart(foreign.problem)).toEqual(apart(unknown.problem))
    }
  const staff = await staffMember()
  expect((await get(staff, id)).body.gid).toBe(id)
  expect((await get(staff, unknownId)).problem).toMatchObject(noSuchGroup)
  expect((await get(member, id)).body).toMatchObject({ products: [], users: [{ email: member.email }] })
})

test.for(['x', '0', '-1', '1.5', '2147483648', '%00'])('refuses the group id %s in words', async (id) => {
  const { member } = await organizationWithManager()
  const answer = await server.fetch(`/api/lectern/group/${id}`, { headers: { authorization: `Bearer ${member.token}` } })
  expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ field: 'id' }] }])
})

test('[API-GRP-07] who joins a group is its member, and of no other', async () => {
  const { organization, id } = await organizationWithManager()
  const member = await server.person({ organization, permissions: ['manage:people'] })
  const { body: second } = await create(member, 'Second')
  expect((await join(member, second.gid)).body).toMatchObject({ gid: second.gid, users: [{ email: member.email }] })
  expect((await get(member, id)).body.users).not.toContainEqual(expect.objectContaining({ email: member.email }))
  expect((await member.call('getCurrentUser')).body.group).toMatchObject({ gid: second.gid, name: 'Second' })
  const [joined] = (await listAudit(organization.id)).filter(({ change_type }) => change_type === 'joinGroup')
  expect(joined).toMatchObject({ target: 'Second', initiator_email: member.email })
})

test('[PPL-05] without an invitation nobody joins a group of another organization, whatever they may do in their own', async () => {
  const member = await server.person({ organization: await server.organization(), permissions: ['manage:people'] })
  const { organization, id } = await organizationWithManager()
  expect((await join(member, id)).problem).toMatchObject(noSuchGroup)
  expect((await listAudit(organization.id)).map(({ change_type }) => change_type)).not.toContain('joinGroup')
})

test('[API-GRP-05 PER-14 MAY-01] any group is renamed by who manages people, and by staff, not by its members alone', async () => {
  const { organization, member, id } = await organizationWithManager()
  const renamed = await rename(member, id, ' Renamed ')
  expect([renamed.status, renamed.body]).toMatchObject([200, { gid: id, name: 'Renamed', users: [{ email: member.email }] }])
  const { body: second } = await create(member, 'Second')
  const looking = await server.person({ organization })
  expect((await rename(looking, id, 'Not mine')).problem).toMatchObject({
    status: 403,
    detail: 'This needs the permission “Manage people”.',
  })
  expect((await rename(member, second.gid, 'Third')).body.name).toBe('Third')
  const staff = await staffMember()
  expect((await rename(staff, second.gid, 'By staff')).body.name).toBe('By staff')
  expect((await get(member, second.gid)).body.name).toBe('By staff')
  expect((await rename(staff, unknownId, 'Nothing')).problem).toMatchObject(noSuchGroup)
  expect((await listAudit(organization.id)).filter(({ change_type }) => change_type === 'renameGroup')).toEqual([
    { change_type: 'renameGroup', target: `${organization.name} Products`, new_value: 'Renamed', initiator_email: member.email },
    { change_type: 'renameGroup', target: 'Second', new_value: 'Third', initiator_email: member.email },
    { change_type: 'renameGroup', target: 'Third', new_value: 'By staff', initiator_email: staff.email },
  ])
})

test('[API-GRP-06] replaces the products of the group, each once', async () => {
  const { organization, member, id } = await organizationWithManager()
  expect((await setProducts(member, id, [52, 50, 52])).body).toMatchObject({ gid: id, products: [50, 52] })
  expect((await setProducts(member, id, [51, 52])).body.products).toEqual([51, 52])
  expect((await get(member, id)).body.products).toEqual([51, 52])
  expect((await member.call('getCurrentUser')).body.group).toEqual({ gid: id, name: `${organization.name} Products`, products: [51, 52] })
  const { body: second } = await create(member, 'Second')
  expect((await setProducts(member, second.gid, [54])).status).toBe(200)
  expect((await setProducts(await staffMember(), id, [53])).body.products).toEqual([53])
  expect((await get(member, second.gid)).body.products).toEqual([54])
})

test.for([
  [[], 'No products selected'],
  [[51, 4000, 4001, 4000], 'There is no product 4000, 4001.'],
  [[51, 3_000_000_000], 'productIds.1 must be a product id'],
  [[0], 'productIds.0 must be a product id'],
  [[1.5], 'productIds.0 must be a product id'],
  [['51'], 'productIds.0 must be a product id'],
  [undefined, 'productIds invalid input: expected array, received undefined'],
] as const)('refuses the products %j, and changes nothing', async ([productIds, detail]) => {
  const { member, id } = await organizationWithManager()
  await setProducts(member, id, [50])
  expect((await setProducts(member, id, productIds)).problem).toMatchObject({ status: 400, detail })
  expect((await get(member, id)).body.products).toEqual([50])
})

test('of selections that are saved at once, one holds as a whole', async () => {
  const { member, id } = await organizationWithManager()
  const selections = [[50, 51], [52], [53, 54], [50, 54]]
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(selections.map((selection) => setProducts(member, id, selection)))
    expect(answers.map(({ status }) => status)).toEqual(selections.map(() => 200))
    expect(selections).toContainEqual((await get(member, id)).body.products)
  }
})

test('an organization is not the address of a group', async () => {
  const { organization, member } = await organizationWithManager()
  expect((await get(member, organization.id)).status).toBe(400)
  expect((await get(member, uuidv7())).status).toBe(400)
})
