import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import type { Quotas } from '../lib/settings.ts'
import { addSpending, countHosts, countReaders, countZones, lockOrganization } from './sql.ts'

const over = (sentence: string, retryAfter?: number) =>
  new Problem(retryAfter === undefined ? 409 : 429, sentence, { isQuota: true, ...(retryAfter !== undefined && { retryAfter }) })

// After they were added, in the same transaction. Throws a Problem 409 or 429.
export async function checkNewReaders(db: Database, host: Host, added: number, quotas: Quotas): Promise<void> {
  const { readersPerHost, newReadersPerHour } = quotas
  if ((await countReaders(db, host)) > readersPerHost)
    throw over(`A host PC may have at most ${readersPerHost} readers, those included that it no longer reports. Remove some of those.`)
  const { amount, left } = await addSpending(db, host, 'newReaders', added, 3_600)
  if (amount > newReadersPerHour) throw over(`A host PC may report at most ${newReadersPerHour} new readers an hour.`, left)
}

// Before they are added, as they stay whatever becomes of the check-in. As many as readers, each of which may have its own. Throws a Problem 429.
export async function checkNewNames(db: Database, host: Host, added: number, { newReadersPerHour }: Quotas): Promise<void> {
  const { amount, left } = await addSpending(db, host, 'newNames', added, 3_600)
  if (amount > newReadersPerHour)
    throw over(`A host PC may report at most ${newReadersPerHour} new firmware versions and configurations an hour.`, left)
}

// Throws a Problem 429.
export async function checkOutcomes(db: Database, host: Host, reported: number, { outcomesPerMinute }: Quotas): Promise<void> {
  const { amount, left } = await addSpending(db, host, 'outcomes', reported, 60)
  if (amount > outcomesPerMinute) throw over(`A host PC may report at most ${outcomesPerMinute} outcomes a minute.`, left)
}

// After one was added, in the same transaction. Throws a Problem 409.
export async function checkHosts(db: Database, organizationId: number, { hostsPerOrganization }: Quotas): Promise<void> {
  await lockOrganization(db, organizationId)
  if ((await countHosts(db, organizationId)) > hostsPerOrganization)
    throw over(`An organization may have at most ${hostsPerOrganization} host PCs.`)
}

// After one was added, in the same transaction. Throws a Problem 409.
export async function checkZones(db: Database, organizationId: number, { zonesPerOrganization }: Quotas): Promise<void> {
  await lockOrganization(db, organizationId)
  if ((await countZones(db, organizationId)) > zonesPerOrganization)
    throw over(`An organization may have at most ${zonesPerOrganization} zones.`)
}
