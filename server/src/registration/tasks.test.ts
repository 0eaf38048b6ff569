import { randomUUID } from 'node:crypto'
import type { Permission } from '@lectern/contract/http/permissions.ts'
import { RegistrationTask } from '@lectern/contract/registration.ts'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

type Person = Awaited<ReturnType<typeof server.person>>

const listTasks = async ({ call }: Person) => (await call('listRegistrationTasks')).body
const profile = { firstName: 'Ada', lastName: 'Example', workPhoneNumber: '+1 503 555 0188', countryCode: 'US' }
const register = ({ call, email }: Person, changes: Record<string, unknown> = {}) =>
  call('registerUser', { body: { ...profile, workEmail: email, ...changes } })
/** A new mail domain. */
const newDomain = () => `${randomUUID()}.example`
const at = (domain: string) => `${randomUUID().slice(0, 8)}@${domain}`

/** An organization that owns a mail domain, with products in its group. */
async function owner() {
  const organization = await server.organization()
  const domain = newDomain()
  await db.updateTable('organization').set({ email_domain: domain }).where('id', '=', organization.key).execute()
  await db
    .insertInto('group_product')
    .values({ organization_id: organization.key, group_id: organization.groupId, product_id: 2 })
    .execute()
  return { organization, domain }
}

test('[REG-18 API-REG-02] a new person must register a profile and an organization; a finished task leaves the list', async () => {
  const person = await server.person({ email: at(newDomain()) })
  expect(await listTasks(person)).toEqual(['InitialUserRegistration', 'OrganizationSetup'])
  const registered = await register(person)
  expect([registered.status, registered.body]).toEqual([200, ['OrganizationSetup']])
  expect(await listTasks(person)).toEqual(['OrganizationSetup'])
  const founded = await person.call('registerOrganization', { query: { companyName: `Company ${randomUUID()}` } })
  expect([founded.status, founded.body]).toEqual([200, ['SelectProducts']])
  expect(await listTasks(person)).toEqual(['SelectProducts'])
  const { gid } = (await person.call('getCurrentUser')).body.group!
  await person.call('setGroupProducts', { params: { id: gid }, body: { productIds: [2] } })
  expect(await listTasks(person)).toEqual([])
})

test('[REG-18] an organization may come before the profile', async () => {
  const person = await server.person({ email: at(newDomain()) })
  const { body } = await person.call('registerOrganization', { query: { companyName: `Company ${randomUUID()}` } })
  expect(body).toEqual(['InitialUserRegistration', 'SelectProducts'])
})

test('[REG-18] products are those of the own group, not of another in the organization', async () => {
  const { organization } = await owner()
  const person = await server.person({ organization, permissions: ['manage:people'] })
  expect(await listTasks(person)).toEqual(['InitialUserRegistration'])
  const { body: other } = await person.call('createGroup', { body: { name: 'Without products' } })
  await person.call('joinGroup', { params: { id: other.gid } })
  expect(await listTasks(person)).toEqual(['InitialUserRegistration', 'SelectProducts'])
})

test('[MAY-01] only whoever may choose products is asked to', async () => {
  const ask = async (...permissions: Permission[]) => {
    const person = await server.person({ organization: await server.organization(), permissions })
    return (await listTasks(person)).includes('SelectProducts')
  }
  expect(await Promise.all([ask('manage:cfg'), ask('manage:firmware'), ask('manage:people')])).toEqual([true, true, true])
  expect(await Promise.all([ask(), ask('access:audit_log', 'access:analytics', 'manage:cfg-lib', 'manage:licences')])).toEqual([
    false,
    false,
  ])
})

test('[REG-19] a person whose mail domain an organization owns must join a group there, in any case of the address', async () => {
  const { domain } = await owner()
  for (const email of [at(domain), at(domain).toUpperCase()])
    expect(await listTasks(await server.person({ email }))).toEqual(['InitialUserRegistration', 'JoinAGroup'])
  expect(await listTasks(await server.person({ email: at(`sub.${domain}`) }))).toContain('OrganizationSetup')
  expect(await listTasks(await server.person({ email: at(`x${domain}`) }))).toContain('OrganizationSetup')
})

test('[REG-19] an unverified address must join as well, and owns no domain', async () => {
  const { domain } = await owner()
  expect(await listTasks(await server.person({ email: at(domain), isVerified: false }))).toContain('JoinAGroup')
  const free = newDomain()
  const founder = await server.person({ email: at(free), isVerified: false })
  await founder.call('registerOrganization', { query: { companyName: `Company ${randomUUID()}` } })
  expect(await listTasks(await server.person({ email: at(free) }))).toContain('OrganizationSetup')
})

test.for(['gmail.com', 'outlook.com', 'yahoo.co.uk', 'gmx.de', 'qq.com', 'fastmail.com', 'GMail.com'])(
  '[REG-19] %s has no owner',
  async (domain) => {
    const founder = await server.person({ email: at(domain) })
    const companyName = `Company ${randomUUID()}`
    expect((await founder.call('registerOrganization', { query: { companyName } })).status).toBe(200)
    expect(await listTasks(await server.person({ email: at(domain) }))).toContain('OrganizationSetup')
    const { email_domain } = await db
      .selectFrom('organization')
      .select('email_domain')
      .where('name', '=', companyName)
      .executeTakeFirstOrThrow()
    expect(email_domain).toBeNull()
  },
)

test("[REG-18] the vendor's staff have nothing to register", async () => {
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  expect(await listTasks(staff)).toEqual([])
})

test('[API-REG-02] every task is one of four', async () => {
  expect(RegistrationTask.options).toEqual(['InitialUserRegistration', 'JoinAGroup', 'OrganizationSetup', 'SelectProducts'])
})

test('[API-REG-01 ENT-12] a registration is stored as the profile, trimmed, and may be sent again', async () => {
  const person = await server.person({ email: at(newDomain()) })
  const sent = { firstName: '  Ada ', lastName: 'Example', workPhoneNumber: ' +1 503 555 0188', countryCode: 'DE' }
  for (let turn = 0; turn < 2; turn++) expect((await register(person, sent)).body).toEqual(['OrganizationSetup'])
  const { firstName, lastName, phone, countryCode, email } = (await person.call('getCurrentUser')).body
  expect({ firstName, lastName, phone, countryCode, email }).toEqual({
    firstName: 'Ada',
    lastName: 'Example',
    phone: '+1 503 555 0188',
    countryCode: 'DE',
    email: person.email,
  })
  expect((await register(person, { workEmail: person.email.toUpperCase() })).status).toBe(200)
})

test.for([
  ['[VAL-03] firstName', { firstName: '' }, 'firstName must not be empty'],
  ['[VAL-03] firstName', { firstName: '   ' }, 'firstName must not be empty'],
  ['[VAL-03] lastName', { lastName: '' }, 'lastName must not be empty'],
  ['[VAL-03] lastName', { lastName: '\u00a0' }, 'lastName must not be empty'],
  ['[VAL-03] workEmail', { workEmail: '' }, 'workEmail must be an e-mail address'],
  ['[VAL-03] workPhoneNumber', { workPhoneNumber: '' }, 'workPhoneNumber must be a phone number, such as +1 503 555 0188'],
  ['[VAL-04] workEmail', { workEmail: 'ada' }, 'workEmail must be an e-mail address'],
  ['[VAL-04] workPhoneNumber', { workPhoneNumber: 'call me' }, 'workPhoneNumber must be a phone number, such as +1 503 555 0188'],
  ['[VAL-05] countryCode', { countryCode: 'USA' }, 'countryCode must have exactly 2 characters'],
  ['[VAL-05] countryCode', { countryCode: 'U' }, 'countryCode must have exactly 2 characters'],
  ['countryCode', { countryCode: 'us' }, 'countryCode must be a country code'],
  ['countryCode', { countryCode: 'ZZ' }, 'countryCode must be the code of a country'],
  ['workEmail', { workEmail: 'somebody@else.example' }, 'workEmail must be the address you are signed in with'],
  ['firstName', { firstName: 'A\nB' }, 'firstName must not have control characters'],
  ['firstName', { firstName: 'x'.repeat(101) }, 'firstName must have at most 100 characters'],
  ['firstName', { firstName: undefined }, 'firstName invalid input: expected string, received undefined'],
] as const)('%s: refuses %j, and keeps nothing', async ([label, changes, detail]) => {
  const person = await server.person({ email: at(newDomain()) })
  const { status, problem } = await register(person, changes)
  expect({ status, detail: problem.detail }).toEqual({ status: 400, detail })
  expect(problem.errors).toMatchObject([{ field: label.split(' ').at(-1) }])
  expect((await person.call('getCurrentUser')).body.firstName).toBeNull()
})

test('an address with signs that forms often refuse can be registered', async () => {
  const person = await server.person({ email: `müller&söhne!#/${randomUUID().slice(0, 8)}@${newDomain()}` })
  expect((await register(person)).status).toBe(200)
})

test('[API-REG-01] the same key gives the first answer again', async () => {
  const person = await server.person({ email: at(newDomain()) })
  const once = () =>
    person.call(
      'registerUser',
      { body: { ...profile, workEmail: person.email } },
      { 'idempotency-key': `key ${person.userId}`.replace(' ', '-') },
    )
  await register(person)
  await person.call('registerOrganization', { query: { companyName: `Company ${randomUUID()}` } })
  const first = await once()
  const { gid } = (await person.call('getCurrentUser')).body.group!
  await person.call('setGroupProducts', { params: { id: gid }, body: { productIds: [2] } })
  expect(await listTasks(person)).toEqual([])
  expect((await once()).text).toBe(first.text)
  expect(first.body).toEqual(['SelectProducts'])
})
