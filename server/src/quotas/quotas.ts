import { createHash } from 'node:crypto'
import { formatFileSize } from '@lectern/contract/text/file-size.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import type { Quotas } from '../lib/settings.ts'
import { addSpending, countHosts, countReaders, countZones, lockOrganization, selectWait, upsertAttempt } from './sql.ts'
import { lockStorage, sumCases } from './storage-sql.ts'

/** @param retryAfter seconds; absent for quotas of what exists, which time does not free */
export const over = (sentence: string, retryAfter?: number) =>
  new Problem(retryAfter === undefined ? 409 : 429, sentence, { isQuota: true, ...(retryAfter !== undefined && { retryAfter }) })

// Called after readers were added, in the same transaction. Throws a Problem 409 or 429.
export async function checkNewReaders(db: Database, host: Host, added: number, quotas: Quotas): Promise<void> {
  const { readersPerHost, newReadersPerHour } = quotas
  if ((await countReaders(db, host)) > readersPerHost)
    throw over(`A host PC may have at most ${readersPerHost} readers, those included that it no longer reports. Remove some of those.`)
  const { amount, left } = await addSpending(db, host, 'newReaders', added, 3_600)
  if (amount > newReadersPerHour) throw over(`A host PC may report at most ${newReadersPerHour} new readers an hour.`, left)
}

// Called before names are added, as these stay whatever becomes of the check-in. The bound is that of readers, each of which may have its
// own name. Throws a Problem 429.
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

// Called after a host PC was added, in the same transaction. Throws a Problem 409.
export async function checkHosts(db: Database, organizationId: number, { hostsPerOrganization }: Quotas): Promise<void> {
  await lockOrganization(db, organizationId)
  if ((await countHosts(db, organizationId)) > hostsPerOrganization)
    throw over(`An organization may have at most ${hostsPerOrganization} host PCs.`)
}

// Called after a zone was added, in the same transaction. Throws a Problem 409.
export async function checkZones(db: Database, organizationId: number, { zonesPerOrganization }: Quotas): Promise<void> {
  await lockOrganization(db, organizationId)
  if ((await countZones(db, organizationId)) > zonesPerOrganization)
    throw over(`An organization may have at most ${zonesPerOrganization} zones.`)
}

/** Called after a case of the address was stored, in the same transaction. Throws a Problem 409. */
export async function checkCases(db: Database, address: string, quotas: Quotas): Promise<void> {
  await lockStorage(db, `cases of ${address}`)
  const { bytes, items } = await sumCases(db, address)
  if (items > quotas.casesPerAccount) throw over(`An account may have at most ${quotas.casesPerAccount} support cases.`)
  if (bytes > quotas.storedBytesPerAccount)
    throw over(`An account may store at most ${formatFileSize(quotas.storedBytesPerAccount)}. Shorten what is not needed.`)
}

// Counts an attempt in a window that begins with the first one. `wait`: 0 where it is allowed, else the seconds until the next may be made.
// `left`: how many more are allowed.
export async function takeAttempt(
  db: Database,
  key: string,
  limit: number,
  windowSeconds: number,
): Promise<{ wait: number; left: number }> {
  const amount = await upsertAttempt(db, key, limit, windowSeconds)
  return amount === undefined ? { wait: await selectWait(db, key), left: 0 } : { wait: 0, left: limit - amount }
}

const hour = 3_600
const invitationsPerAddress = 3
const invitationsPerOrganization = 200

// Called in the transaction that sends an invitation, so that only sent ones count. An address counts over all organizations. Throws a
// Problem 429.
export async function checkInvitation(db: Database, organizationId: number, email: string): Promise<void> {
  const toKey = (counts: string) => createHash('sha256').update(`invitation ${counts}`).digest('base64url')
  const address = await takeAttempt(db, toKey(`to ${email.toLowerCase()}`), invitationsPerAddress, hour)
  if (address.wait > 0)
    throw over(`An address is sent at most ${invitationsPerAddress} invitations an hour. ${formatWait(address.wait)}`, address.wait)
  const organization = await takeAttempt(db, toKey(`of ${organizationId}`), invitationsPerOrganization, 24 * hour)
  if (organization.wait > 0)
    throw over(
      `An organization sends at most ${invitationsPerOrganization} invitations a day. ${formatWait(organization.wait)}`,
      organization.wait,
    )
}

function formatWait(seconds: number): string {
  const wait = seconds < 2 * hour ? counted(Math.ceil(seconds / 60), 'minute') : counted(Math.ceil(seconds / hour), 'hour')
  return `Try again in ${wait}.`
}
