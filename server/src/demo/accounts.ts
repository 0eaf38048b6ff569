import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { ensureAccount } from '../identity/identity.ts'
import type { Database } from '../lib/database/database.ts'

export const northfield = '0198c0de-0001-7000-8000-000000000001'
export const harborline = '0198c0de-0002-7000-8000-000000000002'
export const demoPassword = 'lectern-demo'
export const demoLicence = 'LEC-DEMO-NORTHFIELD'

interface DemoAccount {
  email: string
  firstName: string
  lastName: string
  permissions: readonly string[]
  organizationId?: string
  /** Without a profile the person has registered nothing yet. */
  isNew?: true
}

/** The accounts anybody may sign in with on a demo (architecture.md). */
export const demoAccounts: readonly DemoAccount[] = [
  {
    email: 'manager@northfield.example',
    firstName: 'Northfield',
    lastName: 'Manager',
    permissions: customerPermissions,
    organizationId: northfield,
  },
  { email: 'member@northfield.example', firstName: 'Northfield', lastName: 'Member', permissions: [], organizationId: northfield },
  {
    email: 'manager@harborline.example',
    firstName: 'Harborline',
    lastName: 'Manager',
    permissions: customerPermissions,
    organizationId: harborline,
  },
  {
    email: 'staff@quietzone.example',
    firstName: 'Vendor',
    lastName: 'Staff',
    permissions: ['global:access:organizations', 'global:access:analytics', 'access:audit_log'],
  },
  { email: 'new@newcomer.example', firstName: '', lastName: '', permissions: customerPermissions, isNew: true },
]

/** Makes sure the demo's organizations, accounts and members are there, for this issuer. Harmless when run again. */
export async function seedAccounts(db: Database, issuer: string): Promise<void> {
  await seedOrganizations(db)
  for (const account of demoAccounts) await seedMember(db, issuer, account)
}

/** The part of `seedAccounts` that is the same for every issuer. */
export async function seedOrganizations(db: Database): Promise<void> {
  await seedOrganization(db, northfield, 'Northfield Regional Health', 'northfield.example', [2, 3, 5, 6, 7, 10, 14, 21, 22, 23])
  await seedOrganization(db, harborline, 'Harborline Logistics', 'harborline.example', [6, 7, 21])
  for (const account of demoAccounts) await ensureDemoAccount(db, account)
}

const ensureDemoAccount = (db: Database, { email, firstName, lastName, permissions, isNew }: DemoAccount): Promise<string> =>
  ensureAccount(db, { email, password: demoPassword, name: isNew ? email : `${firstName} ${lastName}`, permissions })

async function seedOrganization(db: Database, id: string, name: string, domain: string, productIds: readonly number[]): Promise<void> {
  const inserted = await db
    .insertInto('organization')
    .values({ id, name, email_domain: domain })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 0n) return
  const group = await db
    .insertInto('group')
    .values({ organization_id: id, name: `${name} Products` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('group_product')
    .values(productIds.map((productId) => ({ organization_id: id, group_id: group.id, product_id: productId })))
    .execute()
}

async function seedMember(db: Database, issuer: string, account: DemoAccount): Promise<void> {
  const { email, firstName, lastName, organizationId, isNew } = account
  const subject = await ensureDemoAccount(db, account)
  if (isNew) return
  const profile = {
    issuer,
    subject,
    email,
    email_verified: true,
    first_name: firstName,
    last_name: lastName,
    phone: '+1 503 555 0100',
    country_code: 'US',
  }
  const { id } = await db
    .insertInto('user')
    .values({ id: uuidv7(), ...profile })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ email }))
    .returning('id')
    .executeTakeFirstOrThrow()
  if (organizationId === undefined) return
  const group = db.selectFrom('group').select(sql<number>`min(id)`.as('id')).where('organization_id', '=', organizationId)
  await db
    .insertInto('member')
    .values({ organization_id: organizationId, user_id: id, group_id: group.$asScalar() as never })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .execute()
}
