import type { Provider } from 'oidc-provider'
import type { Storage } from '../storage.ts'

export type Session = Awaited<ReturnType<Provider['Session']['get']>>

/** Seconds. What protects an account is changed by a sign-in or a confirmation that is no older (ASVS 7.5.1). */
const mostAge = 15 * 60
const model = 'Confirmation'

export async function isRecent(storage: Storage, session: Session): Promise<boolean> {
  if (!session.past(mostAge)) return true
  const record = session.uid ? await storage.findRecord(model, session.uid) : undefined
  return record?.accountId === session.accountId && Number(record?.exp) > Date.now() / 1000
}

/** Beside the sign-in, whose age ends it and must not begin anew. */
export const confirmSession = (storage: Storage, { uid, accountId }: Session): Promise<void> =>
  storage.upsertRecord(model, uid, { accountId, exp: Math.floor(Date.now() / 1000) + mostAge }, mostAge)
