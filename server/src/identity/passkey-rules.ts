import type { PasskeyRules } from '@lectern/idp/passkeys/rules.ts'
import type { Account } from '@lectern/idp/storage.ts'
import type { Database } from '../lib/database/database.ts'
import { recoveries } from '../people/people.ts'
import { findPerson } from '../users/users.ts'

// What the organizations of an account demand of its passkeys.
export function createPasskeyRules(people: Database, stored: Database, issuer: string): PasskeyRules {
  async function findRequiring({ id }: Account) {
    const person = await findPerson(people, issuer, id)
    const requiring = (person?.organizations ?? []).filter(({ requiresPasskeys }) => requiresPasskeys)
    return { userId: person?.userId ?? '', organizationIds: requiring.map((organization) => organization.id) }
  }
  return {
    isRequired: async (account) => (await findRequiring(account)).organizationIds.length > 0,
    askRecovery: async (account, request) => recoveries.ask({ people, recoveries: stored }, await findRequiring(account), request),
    isRecoveryConfirmed: async (account, browser) => recoveries.isConfirmed(stored, await findRequiring(account), browser),
    useRecovery: async (account, browser) => recoveries.use(stored, await findRequiring(account), browser),
    cancelRecovery: async (account) => recoveries.cancel(stored, await findRequiring(account)),
  }
}
