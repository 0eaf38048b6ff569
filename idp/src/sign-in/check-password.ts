import type { Account, Storage } from '../storage.ts'
import { type Context, getClientAddress } from './browser.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import { verifyPassword } from './passwords.ts'
import { type FormLimits, type RateLimit, toAddressKey } from './rate-limit.ts'
import type { SecurityLog } from './security-log.ts'

interface Settings {
  storage: Storage
  limits: FormLimits
  browsers: KnownBrowsers
  events: SecurityLog
  trustProxy: number
}

/** `wait`: seconds until the next attempt. */
type Outcome = { isRight: true; account: Account } | { isRight: false; wait: number }

/**
 * Counts an attempt before it is made, so that concurrent ones count; one that succeeds is taken off. A browser in which the account has
 * signed in has attempts of its own (SES-03). Takes as long for an unknown e-mail address.
 */
export async function checkPassword(settings: Settings, ctx: Context, email: string, password: string): Promise<Outcome> {
  const { storage, limits, browsers, events, trustProxy } = settings
  const account = await storage.findAccountByEmail(email)
  const browser = account && (await browsers.find(ctx, account))
  const taken: [RateLimit, string][] = []
  const take = async (limit: RateLimit, key: string) => {
    const attempt = await limit.take(key)
    if (attempt.wait === 0) taken.push([limit, key])
    return attempt
  }
  let attempt = browser ? await take(limits.signInByBrowser, browser) : undefined
  if (attempt?.wait !== 0) {
    attempt = await take(limits.signInByAddress, toAddressKey(getClientAddress(ctx.req, trustProxy)))
    if (attempt.wait === 0) attempt = await take(limits.signInByAccount, email)
  }
  if (attempt.wait > 0) {
    void events.record(ctx, 'signInRefused', { account, reason: 'locked' })
    return { isRight: false, wait: attempt.wait }
  }
  if (account && (await verifyPassword(password, account.passwordHash))) {
    for (const [limit, key] of taken) await limit.refund(key)
    return { isRight: true, account }
  }
  if (!account) await verifyPassword(password, undefined)
  // Not awaited, as the duration would disclose whether the account exists.
  void events.record(ctx, 'signInRefused', { account, reason: account ? 'password' : 'account' })
  // This was the last allowed attempt.
  if (attempt.left === 0) void events.record(ctx, 'lockOut', { account })
  return { isRight: false, wait: 0 }
}
