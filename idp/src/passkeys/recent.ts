import type { Provider } from 'oidc-provider'
import type { Storage } from '../storage.ts'

export type Session = Awaited<ReturnType<Provider['Session']['get']>>

/** Minutes. Changing what protects an account needs a sign-in or a confirmation that is no older (MAY-02, ASVS 7.5.1). */
export const mostMinutes = 5
const mostAge = mostMinutes * 60
const model = 'Confirmation'

/** How a person showed who they are: by the password, or by a passkey, with its id. */
export type Factor = 'password' | { passkey: string }

/** Whether a factor is enough: the confirming factor must be one that remains. */
export type Accepts = (factor: Factor | 'some passkey') => boolean

export const anyFactor: Accepts = () => true

export async function isRecent(storage: Storage, session: Session, accepts: Accepts = anyFactor): Promise<boolean> {
  // A session does not show which passkey signed in.
  if (!session.past(mostAge) && accepts(session.amr?.includes('pop') ? 'some passkey' : 'password')) return true
  const record = session.uid ? await storage.findRecord(model, session.uid) : undefined
  const isOwn = record?.accountId === session.accountId && Number(record?.exp) > Date.now() / 1000
  return isOwn && accepts(record?.factor as Factor)
}

/** Stored beside the sign-in, whose age ends it and must not begin anew. */
export const confirmSession = (storage: Storage, { uid, accountId }: Session, factor: Factor): Promise<void> =>
  storage.upsertRecord(model, uid, { accountId, factor, exp: Math.floor(Date.now() / 1000) + mostAge }, mostAge)
