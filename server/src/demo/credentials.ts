import { removeAccount } from '../identity/identity.ts'
import type { Database } from '../lib/database/database.ts'
import { demoAccounts } from './accounts.ts'
import { deleteLicenceOwners, selectDemoCredentials } from './sql.ts'

const emails = demoAccounts.map(({ email }) => email)

// Throws an Error where the database has an account or a licence of the demo, which anyone can read up (SES-04).
export async function refuseDemoCredentials(db: Database): Promise<void> {
  const found = await selectDemoCredentials(db, emails)
  if (found.length > 0)
    throw new Error(
      `The database has accounts or licences of the demo, which everyone knows: ${found.join(', ')}.\nRemove them with: npm run accounts -- --remove-demo`,
    )
}

// The demo's organizations stay, and so do the licences in their lists; but they enroll no host PC any more.
export async function removeDemoCredentials(db: Database): Promise<string[]> {
  const removed = await selectDemoCredentials(db, emails)
  for (const email of emails) await removeAccount(db, email)
  await deleteLicenceOwners(db)
  return removed
}
