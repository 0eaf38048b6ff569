import type { Provider } from 'oidc-provider'
import type { Storage } from './storage.ts'

type Session = NonNullable<Awaited<ReturnType<Provider['Session']['findByUid']>>>

export async function endSession(storage: Storage, session: Session): Promise<void> {
  for (const { grantId } of Object.values(session.authorizations ?? {})) {
    if (grantId) await endGrant(storage, grantId)
  }
  await session.destroy()
}

export async function endGrant(storage: Storage, grantId: string): Promise<void> {
  for (const model of ['AuthorizationCode', 'AccessToken', 'RefreshToken']) await storage.deleteRecordsByGrant(model, grantId)
  await storage.deleteRecord('Grant', grantId)
}
