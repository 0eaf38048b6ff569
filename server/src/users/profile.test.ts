import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

type Person = Awaited<ReturnType<typeof server.person>>
const get = async ({ call }: Person) => (await call('getCurrentUser')).body
const update = ({ call }: Person, body: unknown) => call('updateCurrentUser', { body })

test('[API-USR-01 ENT-16] returns the signed-in user: the first organization is the active one, the group is theirs in it', async () => {
  const organization = await server.organization()
  const person = await server.person({ organization, permissions: ['manage:cfg', 'access:audit_log'] })
  expect(await get(person)).toEqual({
    userId: person.email,
    organizationId: [organization.id],
    organizations: [
      { id: organization.id, name: organization.name, role: { roleId: expect.any(String), name: 'manage:cfg, access:audit_log' } },
    ],
    permissions: ['manage:cfg', 'access:audit_log'],
    group: { gid: organization.groupId, name: `${organization.name} Products`, products: [] },
    email: person.email,
    phone: null,
    countryCode: null,
    firstName: null,
    lastName: null,
  })
  expect(await get(await server.person())).toMatchObject({ organizationId: [], permissions: [], group: null })
})

test('[API-USR-02 ENT-17] changes what is given, and leaves the rest', async () => {
  const person = await server.person()
  const all = { firstName: 'Ada', lastName: 'Example', phone: '+49 30 1234567', countryCode: 'DE' }
  const first = await update(person, all)
  expect([first.status, first.body]).toMatchObject([200, all])
  expect(await get(person)).toEqual(first.body)
  const changes = [{}, { firstName: 'Bea' }, { lastName: 'Muster' }, { phone: '12345' }, { countryCode: 'AT' }]
  let expected = all
  for (const change of changes) {
    expected = { ...expected, ...change }
    expect((await update(person, change)).body).toMatchObject(expected)
    expect(await get(person)).toMatchObject(expected)
  }
})

test('[ENT-17] the phone may be spelled phoneNumber, is free text, and can be taken away', async () => {
  const person = await server.person()
  expect((await update(person, { phoneNumber: '+1 503' })).body.phone).toBe('+1 503')
  expect((await update(person, { phone: 'ask Bea' })).body.phone).toBe('ask Bea')
  expect((await update(person, { phone: 'this', phoneNumber: 'that' })).body.phone).toBe('this')
  expect((await update(person, { phone: '' })).body.phone).toBe('')
})

test('the last name may be anything, the first may not be blank; neither keeps blanks around it', async () => {
  const person = await server.person()
  expect((await update(person, { firstName: '  Ada ', lastName: ' ' })).body).toMatchObject({ firstName: 'Ada', lastName: '' })
  expect((await update(person, { lastName: ' de la Cruz ' })).body.lastName).toBe('de la Cruz')
})

test.for([
  ['firstName', '', 'firstName must not be empty'],
  ['firstName', '   ', 'firstName must not be empty'],
  ['firstName', null, 'firstName invalid input: expected string, received null'],
  ['firstName', 'A\0', 'firstName must not have control characters'],
  ['lastName', '\ud800', 'lastName must not have control characters'],
  ['lastName', 'x'.repeat(101), 'lastName must have at most 100 characters'],
  ['phone', '1'.repeat(41), 'phone must have at most 40 characters'],
  ['phoneNumber', 1, 'phoneNumber invalid input: expected string, received number'],
  ['countryCode', 'ZZ', 'countryCode must be the code of a country'],
  ['countryCode', '', 'countryCode must have exactly 2 characters'],
  ['countryCode', 'DEU', 'countryCode must have exactly 2 characters'],
] as const)('refuses %s %j, and changes nothing', async ([field, value, detail]) => {
  const person = await server.person()
  await update(person, { firstName: 'Ada', lastName: 'Example', countryCode: 'DE', phone: '12345' })
  const before = await get(person)
  const { problem } = await update(person, { firstName: 'Bea', lastName: 'Other', phone: '54321', [field]: value })
  expect(problem).toMatchObject({ status: 400, detail, errors: [{ field }] })
  expect(await get(person)).toEqual(before)
})

test("a user cannot change another's profile, address, permissions or organizations", async () => {
  const organization = await server.organization()
  const [one, two] = [await server.person({ organization }), await server.person({ organization })]
  await update(two, { firstName: 'Bea', lastName: 'Example' })
  const before = await get(two)
  const more = { userId: two.email, id: two.userId, email: two.email, permissions: ['manage:cfg'], organizationId: [randomUUID()] }
  const { status, body } = await update(one, { firstName: 'Eve', lastName: 'Intruder', ...more })
  expect([status, body]).toMatchObject([200, { userId: one.email, email: one.email, permissions: [], organizationId: [organization.id] }])
  expect(await get(two)).toEqual(before)
})
