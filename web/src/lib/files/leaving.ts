import { delMany, keys } from 'idb-keyval'
import { listStored, readStored, removeStored, writeStored } from '../stored-text.ts'
import { deskPrefix, fileStore } from './stored-files.ts'

const prefix = (userId: string) => `unsent/${userId}/`

/** Stores how many records of a desk this browser keeps that the server does not have yet. */
export function storeUnsent(userId: string, organizationId: string, count: number): void {
  const key = `${prefix(userId)}${organizationId}`
  if (count === 0) removeStored(key)
  else writeStored(key, String(count))
}

/** Asks where records of any organization are unsent, as signing out removes them. */
export function mayRemoveUnsent(userId: string): boolean {
  const kept = listStored(prefix(userId))
  const count = kept.reduce((sum, key) => sum + Number(readStored(key)), 0)
  const question = `Records of readers that were set up here and are not yet stored: ${count}. Signing out removes them. Sign out?`
  if (count > 0 && !confirm(question)) return false
  for (const key of kept) removeStored(key)
  return true
}

const channelName = 'leaving'

/** Calls back when the account is signed out, in any tab. Returns what ends that. */
export function onLeaving(userId: string, leave: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => {
    if (data === userId) leave()
  }
  return () => channel.close()
}

/** Leaves what other accounts keep of their desks. */
export async function deleteStoredFiles(userId: string | undefined): Promise<void> {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(userId)
  channel.close()
  const stored = (await keys(fileStore())).map(String)
  await delMany(
    stored.filter((key) => !key.startsWith(deskPrefix) || key.startsWith(`${deskPrefix}${userId}/`)),
    fileStore(),
  )
}
