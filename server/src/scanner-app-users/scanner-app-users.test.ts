import type { ScannerAppUser } from '@lectern/contract/scanner-app-users.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const staff = await server.person({ permissions: ['global:access:organizations'] })
type Person = Awaited<ReturnType<typeof server.person>>
const get = (person: Person, email = person.email) => person.call('getScannerAppUser', { query: { email } })
const save = (person: Person, body: object) => person.call('saveScannerAppUser', { body })

const nobody: ScannerAppUser = {
  userId: null,
  userType: null,
  name: null,
  email: null,
  phone: null,
  doOptInForAppUpdates: null,
  doOptInForEnterpriseUpdates: null,
  companyName: null,
  companySize: null,
  role: null,
  industry: null,
}

test('[SCN-01 API-SCN-01 API-SCN-02 ENT-06] whatever a user saves, or leaves out, is read back unchanged', async () => {
  const person = await server.person()
  const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 30 }).filter((value) => !value.includes('\0')))
  const choice = fc.option(fc.boolean())
  const user = fc.record({
    userId: text,
    userType: text,
    name: text,
    email: fc.constantFrom(null, person.email, person.email.toUpperCase()),
    phone: text,
    doOptInForAppUpdates: choice,
    doOptInForEnterpriseUpdates: choice,
    companyName: text,
    companySize: text,
    role: text,
    industry: text,
  })
  await fc.assert(
    fc.asyncProperty(user, async (said) => {
      const { status, body } = await save(person, said)
      expect([status, body]).toEqual([200, said])
      expect((await get(person)).body).toEqual(said)
    }),
    { numRuns: 40 },
  )
})

test('[SCN-01] an empty user is saved too', async () => {
  const person = await server.person()
  for (const body of [nobody, {}]) {
    expect((await save(person, body)).body).toEqual(nobody)
    expect((await get(person)).body).toEqual(nobody)
  }
})

test('what is saved replaces what was there', async () => {
  const person = await server.person()
  await save(person, { name: 'Ada', doOptInForAppUpdates: true })
  expect((await save(person, { name: null, doOptInForAppUpdates: false })).body).toEqual({ ...nobody, doOptInForAppUpdates: false })
})

test('one finds oneself, however the address is capitalized, and before one has saved anything nothing', async () => {
  const person = await server.person()
  expect((await get(person)).problem).toMatchObject({ status: 404, detail: 'There is no such scanner-app user.' })
  await save(person, { name: 'Ada' })
  expect((await get(person, ` ${person.email.toUpperCase()} `)).body.name).toBe('Ada')
})

test('a user cannot read or write another user, or learn whether they use the app', async () => {
  const organization = await server.organization()
  const [one, other] = [await server.person({ organization }), await server.person({ organization })]
  await save(one, { name: 'Ada' })
  for (const email of [one.email, 'nobody@people.example', '', '%'])
    expect((await get(other, email)).problem).toMatchObject({ status: 404, detail: 'There is no such scanner-app user.' })
  // Nor does who has still to verify their address.
  expect((await get(await server.person({ isVerified: false }), one.email)).status).toBe(404)
  const { status, problem } = await save(other, { email: one.email, name: 'Mallory' })
  expect([status, problem.errors?.[0]?.field]).toEqual([403, 'email'])
  expect((await get(one)).body.name).toBe('Ada')
})

test('an address that is not verified gives no access', async () => {
  const email = 'unverified@people.example'
  await save(staff, { email, name: 'Ada' })
  const claimed = await server.person({ email, isVerified: false })
  for (const { status, problem } of [await get(claimed), await save(claimed, {})])
    expect([status, problem.detail]).toEqual([403, 'Verify your e-mail address first.'])
  expect((await get(await server.person({ email }))).body.name).toBe('Ada')
})

test("the vendor's staff read and write every user", async () => {
  const person = await server.person()
  const user = { ...nobody, email: person.email, industry: 'Healthcare' }
  expect((await save(staff, user)).body).toEqual(user)
  expect((await get(staff, person.email)).body).toEqual(user)
  expect((await get(person)).body).toEqual(user)
})

test.for<[string, object]>([
  ['name', { name: 7 }],
  ['name', { name: 'x'.repeat(201) }],
  ['name', { name: 'A\0' }],
  ['role', { role: '\ud800' }],
  ['doOptInForAppUpdates', { doOptInForAppUpdates: 'yes' }],
  ['doOptInForEnterpriseUpdates', { doOptInForEnterpriseUpdates: 1 }],
  ['email', { email: 'x'.repeat(255) }],
])('refuses at %s %j', async ([field, body]) => {
  const { status, problem } = await save(await server.person(), body)
  expect([status, problem.errors?.[0]?.field]).toEqual([400, field])
})

test('without an address it asks for one', async () => {
  expect((await (await server.person()).call('getScannerAppUser')).status).toBe(400)
})
