import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'
import { demoAccounts, harborline, northfield, seedAccounts } from './accounts.ts'

const server = await serverForFile()
const { db } = server.app

/** Registration tasks of an account of the demo, by its address. Its tokens come from the tests' issuer. */
async function listTasks(email: string): Promise<readonly string[]> {
  const account = demoAccounts.find((one) => one.email === email)!
  const known = await db.selectFrom('user').select('subject').where('email', '=', email).executeTakeFirst()
  const token = await server.issuer.token(known?.subject ?? randomUUID(), {
    email,
    email_verified: true,
    permissions: [...account.permissions],
  })
  return (await server.call('listRegistrationTasks', {}, { token })).body
}

test('[REG-18] everyone in the demo is registered except the newcomer; a second start adds nothing', async () => {
  for (let start = 0; start < 2; start++) {
    await seedAccounts(db, server.issuer.url)
    for (const { email, isNew } of demoAccounts)
      expect(await listTasks(email), email).toEqual(isNew ? ['InitialUserRegistration', 'OrganizationSetup'] : [])
  }
  const { organizations, groups, members } = await db.selectFrom('directory_count').selectAll().executeTakeFirstOrThrow()
  expect({ organizations, groups, members }).toEqual({ organizations: 2, groups: 2, members: 3 })
  const domains = await db.selectFrom('organization').select(['public_id as id', 'email_domain']).orderBy('id').execute()
  expect(domains).toEqual([
    { id: northfield, email_domain: 'northfield.example' },
    { id: harborline, email_domain: 'harborline.example' },
  ])
})

test('[REG-18] a demo from before there were products starts, and asks its people to select theirs', async () => {
  await db.deleteFrom('group_product').execute()
  await db.updateTable('organization').set({ email_domain: null }).execute()
  await seedAccounts(db, server.issuer.url)
  expect(await listTasks('manager@northfield.example')).toEqual(['SelectProducts'])
  expect(await listTasks('member@northfield.example')).toEqual([])
  expect(await listTasks('staff@quietzone.example')).toEqual([])
})
