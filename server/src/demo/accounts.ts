import type { BuiltInRole } from '@lectern/contract/people/roles.ts'
import { ensureAccount } from '../identity/identity.ts'
import type { Database } from '../lib/database/database.ts'
import { findOrganization } from '../organizations/organizations.ts'
import { insertGroup, insertMember, insertOrganization, upsertUser } from './sql.ts'

export const northfield = '0198c0de-0001-7000-8000-000000000001'
export const harborline = '0198c0de-0002-7000-8000-000000000002'
export const demoPassword = 'lectern-demo'
export const demoLicence = 'LEC-DEMO-NORTHFIELD'
export const harborlineLicence = 'LEC-DEMO-HARBORLINE'

interface DemoAccount {
  email: string
  firstName: string
  lastName: string
  /** Permissions in the token: provider-wide ones, and those that staff need in other organizations. */
  permissions: readonly string[]
  organizationId?: string
  role?: BuiltInRole
  isNew?: true
}

export const demoAccounts: readonly DemoAccount[] = [
  {
    email: 'manager@northfield.example',
    firstName: 'Northfield',
    lastName: 'Manager',
    permissions: [],
    organizationId: northfield,
    role: 'manager',
  },
  {
    email: 'member@northfield.example',
    firstName: 'Northfield',
    lastName: 'Member',
    permissions: [],
    organizationId: northfield,
    role: 'viewer',
  },
  {
    email: 'manager@harborline.example',
    firstName: 'Harborline',
    lastName: 'Manager',
    permissions: [],
    organizationId: harborline,
    role: 'manager',
  },
  {
    email: 'staff@quietzone.example',
    firstName: 'Vendor',
    lastName: 'Staff',
    permissions: ['global:access:organizations', 'global:access:analytics', 'access:audit_log'],
  },
  { email: 'new@newcomer.example', firstName: '', lastName: '', permissions: [], isNew: true },
]

/** @param identity the database by the login of the identity provider. For the owner's login both are the same. */
export async function seedAccounts(db: Database, issuer: string, identity = db): Promise<void> {
  await seedOrganizations(db, identity)
  for (const account of demoAccounts) await seedMember(db, identity, issuer, account)
}

export async function seedOrganizations(db: Database, identity = db): Promise<void> {
  await seedOrganization(db, northfield, 'Northfield Regional Health', 'northfield.example', [2, 3, 5, 6, 7, 10, 14, 21, 22, 23])
  await seedOrganization(db, harborline, 'Harborline Logistics', 'harborline.example', [6, 7, 21])
  for (const account of demoAccounts) await ensureDemoAccount(identity, account)
}

const ensureDemoAccount = (db: Database, { email, firstName, lastName, permissions, isNew }: DemoAccount): Promise<string> =>
  ensureAccount(db, { email, password: demoPassword, name: isNew ? email : `${firstName} ${lastName}`, permissions })

async function seedOrganization(
  db: Database,
  public_id: string,
  name: string,
  domain: string,
  productIds: readonly number[],
): Promise<void> {
  const id = await insertOrganization(db, { public_id, name, email_domain: domain })
  if (id !== undefined) await insertGroup(db, id, `${name} Products`, productIds)
}

async function seedMember(db: Database, identity: Database, issuer: string, account: DemoAccount): Promise<void> {
  const { email, firstName, lastName, organizationId, role = 'viewer', isNew } = account
  const subject = await ensureDemoAccount(identity, account)
  if (isNew) return
  const userId = await upsertUser(db, {
    issuer,
    subject,
    email,
    email_verified: true,
    first_name: firstName,
    last_name: lastName,
    phone: '+1 503 555 0100',
    country_code: 'US',
  })
  const organization = organizationId === undefined ? undefined : await findOrganization(db, organizationId)
  if (organization) await insertMember(db, organization.id, userId, role)
}
