import type { Session } from '../passkeys/recent.ts'
import type { Account, KeptSession, ProtectionChange } from '../storage.ts'
import type { Context } from './browser.ts'
import type { FormSettings } from './login.ts'
import type { NoticeKind } from './notices.ts'
import type { SecurityEventKind } from './security-log.ts'

interface Report {
  event: SecurityEventKind
  notice: NoticeKind
  /** The session of this browser, where it stays. */
  session?: Session
}

/**
 * Removes or replaces a factor: ends every other session of the account, records it, and notifies the owner (MAY-02). The account still
 * knows this browser. Returns false where there was nothing to change.
 */
export async function changeProtection(
  { storage, browsers, events, notices }: FormSettings,
  ctx: Context,
  account: Account,
  change: ProtectionChange,
  { event, notice, session }: Report,
): Promise<boolean> {
  if (!(await storage.changeProtection(account.id, change, session && toKept(session)))) return false
  await browsers.remember(ctx, account)
  await events.record(ctx, event, { account })
  notices.send(ctx, notice, account)
  return true
}

function toKept({ uid = '', authorizations = {} }: Session): KeptSession {
  return { uid, grants: Object.values(authorizations).flatMap(({ grantId }) => grantId ?? []) }
}
