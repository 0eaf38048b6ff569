import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { organizationKey } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

const newDomain = () => `${randomUUID()}.example`
const newName = () => `Company ${randomUUID()}`
const at = (domain: string) => `${randomUUID().slice(0, 8)}@${domain}`
const newcomer = (domain = newDomain(), isVerified = true) => server.person({ email: at(domain), isVerified })
type Person = Awaited<ReturnType<typeof newcomer>>

const found = ({ call }: Person, companyName: string, key?: string) =>
  call('registerOrganization', { query: { companyName } }, key === undefined ? {} : { 'idempotency-key': key })
const listOrganizationIds = async ({ call }: Person) => (await call('getCurrentUser')).body.organizationId
const registeredBy = ({ userId }: Person) =>
  db.selectFrom('organization').select(['id', 'name', 'email_domain']).where('registered_by', '=', userId).execute()
const listTasks = async ({ call }: Person) => (await call('listRegistrationTasks')).body

test('[REG-22 API-REG-03] setting up an organization makes its first group, named after the company, with its creator as member', async () => {
  const domain = newDomain()
  const person = await newcomer(domain)
  const companyName = newName()
  expect((await found(person, companyName)).status).toBe(200)
  const { organizationId, group } = (await person.call('getCurrentUser')).body
  expect(organizationId).toHaveLength(1)
  expect(group).toEqual({ gid: expect.any(Number), name: `${companyName} Products`, products: [] })
  const { body } = await person.call('getOrganization', { params: { organizationId: organizationId[0] } })
  expect(body).toEqual({
    id: organizationId[0],
    name: companyName,
    hasEpicData: false,
    groups: [
      { gid: group!.gid, name: `${companyName} Products`, products: [], users: [{ firstName: '', lastName: '', email: person.email }] },
    ],
  })
  expect(await registeredBy(person)).toMatchObject([{ email_domain: domain }])
  const entries = db.selectFrom('audit_entry').select(['change_type', 'new_value', 'initiator_email'])
  expect(await entries.where('organization_id', '=', organizationKey(organizationId[0]!)).execute()).toEqual([
    { change_type: 'registerOrganization', new_value: companyName, initiator_email: person.email },
  ])
})

test('[REG-22] the name is stored trimmed, with single blanks', async () => {
  const person = await newcomer()
  const id = randomUUID()
  await found(person, `  Two  \u00a0 words ${id}  `)
  expect(await registeredBy(person)).toMatchObject([{ name: `Two words ${id}` }])
})

test.for([
  ['nothing', ''],
  ['blanks', '   '],
  ['a wide blank', '\u00a0'],
  ['201 characters', 'x'.repeat(201)],
  ['two lines', 'A\nB'],
  ['NUL', 'A\0B'],
] as const)('refuses %s as a company name', async ([, companyName]) => {
  const { status, problem } = await found(await newcomer(), companyName)
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ field: 'companyName' }])
})

test('refuses a request without a company name', async () => {
  expect((await (await newcomer()).call('registerOrganization')).status).toBe(400)
})

test('a name that is taken is refused, in any case and spacing, with the advice to join', async () => {
  const companyName = `Größe ${randomUUID()}`
  await found(await newcomer(), companyName)
  for (const name of [companyName, companyName.toUpperCase().replace('SS', 'ß'), `  ${companyName.replace(' ', '   ')} `]) {
    const other = await newcomer()
    const { problem } = await found(other, name)
    const written = name.trim().replace(/ +/g, ' ')
    expect(problem).toMatchObject({
      status: 409,
      detail: `${written} is already registered. Whoever manages people there can invite you at ${other.email}.`,
    })
    expect(await listOrganizationIds(other)).toEqual([])
    expect(await listTasks(other)).toContain('OrganizationSetup')
  }
})

test('[REG-19] a domain that is owned is refused, and who has a verified address of it is told whom to ask', async () => {
  const domain = newDomain()
  const companyName = newName()
  const founder = await newcomer(domain)
  await found(founder, companyName)
  for (const isVerified of [true, false]) {
    const colleague = await newcomer(domain, isVerified)
    const { problem } = await found(colleague, newName())
    expect(problem).toMatchObject({
      status: 409,
      detail: `${companyName} has registered your mail domain. ${isVerified ? `Ask ${founder.email} for an invitation.` : `Whoever manages people there can invite you at ${colleague.email}.`}`,
    })
    expect(await listOrganizationIds(colleague)).toEqual([])
  }
})

test("a member cannot register a second organization, and the vendor's staff cannot register one", async () => {
  const person = await newcomer()
  await found(person, newName())
  expect((await found(person, newName())).problem).toMatchObject({ status: 409, detail: 'You already belong to an organization.' })
  expect(await registeredBy(person)).toHaveLength(1)
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  const { problem } = await found(staff, newName())
  expect(problem).toMatchObject({ status: 409, detail: "The vendor's staff belong to no customer's organization." })
})

test('[API-REG-03] the same key returns the first reply and registers once', async () => {
  const person = await newcomer()
  const companyName = newName()
  const key = randomUUID()
  const answers = [await found(person, companyName, key), await found(person, companyName, key)]
  expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(2).fill([200, answers[0]!.text]))
  expect(await listOrganizationIds(person)).toHaveLength(1)
})

test('ten submits at once without a key, each of another name: one organization', async () => {
  for (const isVerified of [true, false]) {
    const person = await newcomer(newDomain(), isVerified)
    const answers = await Promise.all(Array.from({ length: 10 }, () => found(person, newName())))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    for (const { status, problem } of answers) if (status === 409) expect(problem.detail).toBe('You already belong to an organization.')
    expect(await listOrganizationIds(person)).toHaveLength(1)
    expect(await registeredBy(person)).toHaveLength(1)
  }
})

test('of ten people who register one name at once, one succeeds', async () => {
  const companyName = newName()
  const people = await Promise.all(Array.from({ length: 10 }, () => newcomer()))
  const answers = await Promise.all(
    people.map((person, number) => found(person, number % 2 === 0 ? companyName : companyName.toUpperCase())),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  for (const { status, problem } of answers) if (status === 409) expect(problem.detail).toContain('is already registered')
  expect((await Promise.all(people.map(listOrganizationIds))).flat()).toHaveLength(1)
})

test('[REG-19] of ten colleagues who register at once, each under another name, one succeeds, and the others get the reason', async () => {
  const domain = newDomain()
  const people = await Promise.all(Array.from({ length: 10 }, () => newcomer(domain)))
  const answers = await Promise.all(people.map((person) => found(person, newName())))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  for (const { status, problem } of answers) if (status === 409) expect(problem.detail).toContain('has registered your mail domain')
  expect((await Promise.all(people.map(listOrganizationIds))).flat()).toHaveLength(1)
})
