import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const { issuer } = server

const newDomain = () => `${randomUUID()}.example`
const newName = () => `Company ${randomUUID()}`

/** A person known only to the provider. `as` signs in with these claims in the access token. */
function newSubject() {
  const subject = randomUUID()
  const as =
    (claims: JWTPayload = {}) =>
    async (name: 'getCurrentUser' | 'listRegistrationTasks' | 'registerOrganization', companyName?: string) =>
      server.call(name, companyName === undefined ? {} : { query: { companyName } }, { token: await issuer.token(subject, claims) })
  const row = () => db.selectFrom('user').select(['email', 'email_verified']).where('subject', '=', subject).executeTakeFirstOrThrow()
  /** Lets time pass since the provider was asked for the address. */
  const age = (interval: string) =>
    sql`update "user" set email_checked_at = now() - ${interval}::interval where subject = ${subject}`.execute(db)
  const asked = () => issuer.asked.filter((one) => one === subject).length
  return { subject, as, row, age, asked }
}
const findDomain = async (name: string) =>
  (await db.selectFrom('organization').select('email_domain').where('name', '=', name).executeTakeFirstOrThrow()).email_domain

test('[REG-19] a domain becomes the organization’s once the address turns out to be verified', async () => {
  const { as } = newSubject()
  const [domain, name] = [newDomain(), newName()]
  const email = `founder@${domain}`
  await as({ email, email_verified: false })('registerOrganization', name)
  expect(await findDomain(name)).toBeNull()
  await as({ email })('getCurrentUser')
  expect(await findDomain(name)).toBeNull()
  await as({ email, email_verified: true })('getCurrentUser')
  expect(await findDomain(name)).toBe(domain)
  const colleague = newSubject().as({ email: `colleague@${domain}`, email_verified: true })
  expect((await colleague('listRegistrationTasks')).body).toContain('JoinAGroup')
})

test('[REG-19] a domain that is owned by then stays with its owner, and the late one is still let in', async () => {
  const [domain, first, second] = [newDomain(), newName(), newName()]
  const [one, two] = [newSubject(), newSubject()]
  await one.as({ email: `one@${domain}`, email_verified: false })('registerOrganization', first)
  await two.as({ email: `two@${domain}`, email_verified: false })('registerOrganization', second)
  await two.as({ email: `two@${domain}`, email_verified: true })('getCurrentUser')
  expect((await one.as({ email: `one@${domain}`, email_verified: true })('getCurrentUser')).status).toBe(200)
  expect([await findDomain(first), await findDomain(second)]).toEqual([null, domain])
})

test('[REG-19] of many whose addresses turn out to be verified at once, one organization gets the domain, and all are let in', {
  timeout: 120_000,
}, async () => {
  for (let round = 0; round < 2; round++) {
    const domain = newDomain()
    const people = Array.from({ length: 5 }, () => ({ person: newSubject(), name: newName() }))
    for (const { person, name } of people)
      await person.as({ email: `${person.subject}@${domain}`, email_verified: false })('registerOrganization', name)
    const answers = await Promise.all(
      people.map(({ person }) => person.as({ email: `${person.subject}@${domain}`, email_verified: true })('getCurrentUser')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const domains = await Promise.all(people.map(({ name }) => findDomain(name)))
    expect(domains.filter((one) => one === domain)).toHaveLength(1)
  }
})

test('[REG-19] an organization keeps its domain when its founder changes theirs', async () => {
  const { as } = newSubject()
  const [domain, name] = [newDomain(), newName()]
  await as({ email: `founder@${domain}`, email_verified: true })('registerOrganization', name)
  await as({ email: `founder@${newDomain()}`, email_verified: true })('getCurrentUser')
  expect(await findDomain(name)).toBe(domain)
})

test('a verified address of a public mail domain gives nothing to the organization', async () => {
  const { as, subject } = newSubject()
  const name = newName()
  await as({ email: `${subject}@gmail.com`, email_verified: false })('registerOrganization', name)
  await as({ email: `${subject}@gmail.com`, email_verified: true })('getCurrentUser')
  expect(await findDomain(name)).toBeNull()
})

test('[REG-19] where tokens lack the address, the provider is asked again after a minute until it is verified, then once a day', async () => {
  const { as, subject, row, age, asked } = newSubject()
  const [domain, name] = [newDomain(), newName()]
  const email = `founder@${domain}`
  const call = as()
  issuer.people.set(subject, { email })
  await call('registerOrganization', name)
  await age('55 seconds')
  issuer.people.set(subject, { email, email_verified: true })
  await call('getCurrentUser')
  expect([asked(), await row()]).toEqual([1, { email, email_verified: false }])
  await age('61 seconds')
  await call('getCurrentUser')
  expect([asked(), await row()]).toEqual([2, { email, email_verified: true }])
  expect(await findDomain(name)).toBe(domain)
  await age('23 hours')
  await call('getCurrentUser')
  expect(asked()).toBe(2)
  await age('25 hours')
  issuer.people.set(subject, { email: `new@${domain}`, email_verified: true })
  expect((await call('getCurrentUser')).body).toMatchObject({ email: `new@${domain}` })
  await call('getCurrentUser')
  expect(asked()).toBe(3)
})

test('a provider that does not respond locks out no known person, and is not asked again for a while', async () => {
  const { as, subject, age, asked } = newSubject()
  const email = `known@${newDomain()}`
  issuer.people.set(subject, { email })
  await as()('getCurrentUser')
  issuer.people.delete(subject)
  await age('2 minutes')
  for (let turn = 0; turn < 5; turn++) {
    const { status, body } = await as()('getCurrentUser')
    expect([status, body]).toMatchObject([200, { email }])
  }
  expect(asked()).toBe(2)
  await age('2 minutes')
  issuer.people.set(subject, { email, email_verified: true })
  await as()('getCurrentUser')
  expect(asked()).toBe(3)
})
