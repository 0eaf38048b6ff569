import { removeAccount } from '../identity/identity.ts'
import type { Database } from '../lib/database/database.ts'
import { demoAccounts } from './accounts.ts'
import { deleteLicenceOwners, selectAccounts, selectDemoLicences } from './sql.ts'

const emails = demoAccounts.map(({ email }) => email)

const listCredentials = async (db: Database, identity: Database): Promise<string[]> => [
  ...(await selectAccounts(identity, emails)),
  ...(await selectDemoLicences(db)),
]

// Throws an Error where the database has an account or a licence of the demo: their credentials are published (SES-04).
export async function refuseDemoCredentials(db: Database, identity: Database): Promise<void> {
  const found = await listCredentials(db, identity)
  if (found.length > 0)
    throw new Error(
      `The database has accounts or licences of the demo, which everyone knows: ${found.join(', ')}.\nRemove them with: npm run accounts -- --remove-demo`,
    )
}

// Removes the demo's accounts. Its organizations and licences stay, but the licences enroll no further host PC.
export async function removeDemoCredentials(db: Database, identity: Database): Promise<string[]> {
  const removed = await listCredentials(db, identity)
  for (const email of emails) await removeAccount(identity, email)
  await deleteLicenceOwners(db)
  return removed
}
