import { deletedDays } from '@lectern/contract/library.ts'
import { formatFileSize } from '@lectern/contract/text/file-size.ts'
import type { Database } from '../lib/database/database.ts'
import { type Caller, toCallerKey } from '../lib/http/caller.ts'
import type { Quotas } from '../lib/settings.ts'
import { over } from './quotas.ts'
import { foldStorage, hasStored, lockStorage, sumCases, sumFirmware, sumStorage } from './storage-sql.ts'

/** A deleted entry of the library is still stored for 30 days, as it can be restored. */
const advice = `Delete what is not needed. What is deleted from the library counts for ${deletedDays} days.`

/** 0: the caller has no organization. */
interface Storing {
  organizationId: number
  caller: Caller
  /** Whether a file was received that publications may name. */
  hasFile: boolean
  quotas: Quotas
}

/**
 * Checks what a transaction has stored, at its end. Its lock is the transaction's last, so that no two wait for each other, and of many at
 * once each sees those before. Where a quota is exceeded, throws a Problem 409, and nothing is stored. What was stored before stays, and
 * may shrink (FAI-05).
 */
export async function checkStorage(db: Database, { organizationId, caller, hasFile, quotas }: Storing): Promise<void> {
  if (!hasFile && !(await hasStored(db, organizationId))) return
  const account = toCallerKey(caller)
  await lockStorage(db, organizationId === 0 ? account : `organization ${organizationId}`)
  const kinds = await sumStorage(db, organizationId, account)
  const isGrowing = (kind: Kind) => kind.addedBytes > 0
  const ofKind = (name: string) => kinds.find(({ kind }) => kind === name)
  const sum = (of: (kind: Kind) => number, among = kinds) => among.reduce((total, kind) => total + of(kind), 0)
  const replies = kinds.filter(({ kind }) => kind === 'reply')
  const content = kinds.filter(({ kind }) => kind !== 'reply')
  // Where an account may publish, it stores for its organization: only its replies count for itself.
  const ofAccount = sum(({ accountBytes }) => accountBytes, isPublisher(caller) ? replies : kinds) + (await sumOwnCases(db, caller))
  if (kinds.some(isGrowing) && ofAccount > quotas.storedBytesPerAccount)
    throw over(`An account may store at most ${formatFileSize(quotas.storedBytesPerAccount)}. ${advice}`)
  if (organizationId === 0) return
  for (const [kind, most, words] of listCounts(quotas)) {
    const found = ofKind(kind)
    if (found && found.addedItems > 0 && found.items > most) throw over(`An organization may have at most ${most} ${words}.`)
  }
  // Replies of deleting calls are stored for a day too: they must not be refused, as they free place.
  if (!hasFile && !content.some(isGrowing)) return
  const beside = sum(({ bytes }) => bytes) - (ofKind('upload')?.bytes ?? 0)
  if (content.some((kind) => kind.kind !== 'upload' && isGrowing(kind)) && beside > quotas.storedBytesPerOrganization)
    throw over(`An organization may store at most ${formatFileSize(quotas.storedBytesPerOrganization)} beside firmware files. ${advice}`)
  await checkFiles(db, organizationId, beside, quotas)
}

/**
 * For an upload that is complete, or has so many bytes: throws a Problem 409 where the organization has no place for it beside what it
 * stores.
 */
export async function checkUpload(db: Database, organizationId: number, bytes: number, quotas: Quotas): Promise<void> {
  const kinds = await sumStorage(db, organizationId, '')
  const beside = kinds.reduce((sum, kind) => sum + (kind.kind === 'upload' ? 0 : kind.bytes), 0)
  await checkFiles(db, organizationId, beside + bytes, quotas)
}

async function checkFiles(db: Database, organizationId: number, beside: number, { storedBytesWithFirmware }: Quotas): Promise<void> {
  if (beside + (await sumFirmware(db, organizationId)) > storedBytesWithFirmware)
    throw over(
      `An organization may store at most ${formatFileSize(storedBytesWithFirmware)} with its firmware files. Files that no zone needs are removed within a day.`,
    )
}

type Kind = Awaited<ReturnType<typeof sumStorage>>[number]

const isPublisher = (caller: Caller): boolean =>
  caller !== null && 'userId' in caller && (caller.permissions.has('manage:cfg') || caller.permissions.has('manage:firmware'))

const sumOwnCases = async (db: Database, caller: Caller): Promise<number> =>
  caller !== null && 'userId' in caller && !isPublisher(caller) ? (await sumCases(db, caller.email)).bytes : 0

const listCounts = (quotas: Quotas): readonly [kind: string, most: number, words: string][] => [
  [
    'library entry',
    quotas.libraryEntriesPerOrganization,
    `configurations in its library, those included that were deleted in the last ${deletedDays} days`,
  ],
  ['config', quotas.configsPerOrganization, 'configs'],
  ['registered reader', quotas.registeredReadersPerOrganization, 'registered readers'],
  ['desk record', quotas.deskRecordsPerOrganization, 'records of desks, those included that were withdrawn'],
  ['group', quotas.groupsPerOrganization, 'groups'],
]

/** Folds the rows of each account and kind into one. */
export const sweepStorage = (db: Database): Promise<void> => foldStorage(db)
