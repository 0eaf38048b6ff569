import type { ScannerAppUser } from '@lectern/contract/scanner-app-users.ts'
import { findOwnLog, recordChange } from '../audit/audit.ts'
import { cleanAddress } from '../lib/address.ts'
import type { Database } from '../lib/database/database.ts'
import { isStaff, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { selectScannerAppUser, upsertScannerAppUser } from './sql.ts'

export const scannerAppUserRoutes = {
  getScannerAppUser: ({ db, caller, query }) => {
    const address = normalizeAddress(query.email)
    // Others must not learn who uses the app.
    if (!isStaff(caller) && address !== normalizeAddress(caller.email)) throw notFound('scanner-app user')
    checkVerified(caller)
    return getUser(db, address)
  },
  saveScannerAppUser: async ({ db, caller, actor, body }) => {
    const address = normalizeAddress(body.email ?? caller.email)
    if (!isStaff(caller) && address !== normalizeAddress(caller.email)) {
      const message = 'You can save only your own entry. Give your own e-mail address, or none.'
      throw new Problem(403, message, { errors: [{ field: 'email', message }] })
    }
    checkVerified(caller)
    await upsertScannerAppUser(db, {
      address,
      user_id: body.userId,
      user_type: body.userType,
      name: body.name,
      email: body.email,
      phone: body.phone,
      app_updates: body.doOptInForAppUpdates,
      enterprise_updates: body.doOptInForEnterpriseUpdates,
      company_name: body.companyName,
      company_size: body.companySize,
      role: body.role,
      industry: body.industry,
    })
    await recordChange(db, actor, { organization_id: findOwnLog(caller), change_type: 'saveScannerAppUser', target: address })
    return getUser(db, address)
  },
} satisfies Partial<Handlers>

const normalizeAddress = (email: string): string => cleanAddress(email).toLowerCase()

// An unverified address may belong to another person (decision 16).
function checkVerified(caller: Person): void {
  if (!isStaff(caller) && !caller.emailVerified) throw new Problem(403, 'Verify your e-mail address first.')
}

async function getUser(db: Database, address: string): Promise<ScannerAppUser> {
  const row = await selectScannerAppUser(db, address)
  if (!row) throw notFound('scanner-app user')
  return {
    userId: row.user_id,
    userType: row.user_type,
    name: row.name,
    email: row.email,
    phone: row.phone,
    doOptInForAppUpdates: row.app_updates,
    doOptInForEnterpriseUpdates: row.enterprise_updates,
    companyName: row.company_name,
    companySize: row.company_size,
    role: row.role,
    industry: row.industry,
  }
}
