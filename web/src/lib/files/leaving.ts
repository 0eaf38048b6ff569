import { delMany, keys } from 'idb-keyval'
import { readStored, removeStored, writeStored } from '../stored-text.ts'
import { deskPrefix, fileStore } from './stored-files.ts'

const makeKey = (userId: string) => `unsent/${userId}`

/** How many records of a desk this browser keeps for an account that the server does not have yet. */
export const storeUnsent = (userId: string, count: number): void =>
  count === 0 ? removeStored(makeKey(userId)) : writeStored(makeKey(userId), String(count))

/** Whether the person signs out all the same: what is unsent is removed then. */
export function mayRemoveUnsent(userId: string): boolean {
  const count = readStored(makeKey(userId))
  if (
    count !== null &&
    !confirm(`Records of readers that were set up here and are not yet stored: ${count}. Signing out removes them. Sign out?`)
  )
    return false
  storeUnsent(userId, 0)
  return true
}

export async function deleteStoredFiles(userId: string | undefined): Promise<void> {
  const stored = (await keys(fileStore())).map(String)
  await delMany(
    stored.filter((key) => !key.startsWith(deskPrefix) || key.startsWith(`${deskPrefix}${userId}/`)),
    fileStore(),
  )
}
