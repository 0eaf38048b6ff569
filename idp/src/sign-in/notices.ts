import type { Account } from '../storage.ts'
import { type Context, getClientAddress } from './browser.ts'
import type { Delivery } from './delivery.ts'
import type { Brand } from './pages.ts'
import { describeBrowser } from './user-agent.ts'

/** Mails to the owner of an account. `passkeyReplaced`: by a recovery. */
export type NoticeKind = 'passkeyAdded' | 'passkeyRemoved' | 'passkeyReplaced' | 'passwordChanged' | 'recoveryRequested'

interface Settings {
  publicUrl: string
  brand: Brand
  trustProxy: number
  deliver: Delivery
}

// Seconds.
const kept = 7 * 24 * 3600

/** "27 November 2026 at 02:40 UTC". */
export function formatMoment(moment: Date): string {
  const day = moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return `${day} at ${moment.toISOString().slice(11, 16)} UTC`
}

const texts: Record<NoticeKind, [subject: (product: string) => string, what: string]> = {
  passkeyAdded: [(product) => `A passkey was added to your ${product} account`, 'A passkey was added to your account'],
  passkeyRemoved: [(product) => `A passkey was removed from your ${product} account`, 'A passkey was removed from your account'],
  passkeyReplaced: [
    (product) => `A new passkey replaced those of your ${product} account`,
    'After a recovery, a new passkey replaced those of your account',
  ],
  recoveryRequested: [
    (product) => `A recovery of your ${product} account was asked for`,
    'With your password, a recovery of the lost passkeys of your account was asked for',
  ],
  passwordChanged: [(product) => `Your ${product} password was changed`, 'The password of your account was changed'],
}

/** Mails the owner after what protects the account has changed. Not awaited, as a mail server may be slow. */
export function createNotices({ publicUrl, brand, trustProxy, deliver }: Settings) {
  const reset = new URL('/reset-password', publicUrl).href
  return {
    send(ctx: Pick<Context, 'req'>, kind: NoticeKind, { email }: Pick<Account, 'email'>): void {
      const [toSubject, what] = texts[kind]
      const agent = kind === 'recoveryRequested' ? ` with ${describeBrowser(ctx.req.headers['user-agent'])}` : ''
      const text = `${what} on ${formatMoment(new Date())}, from the address ${getClientAddress(ctx.req, trustProxy)}${agent}.

If it was you, there is nothing to do. If not, choose a new password now, which signs the account out everywhere, and then look at your passkeys under User Profile:

${reset}

${brand.product}, ${brand.provider}
`
      void deliver({ to: email, subject: toSubject(brand.product), text }, kept)
    },
  }
}

export type Notices = ReturnType<typeof createNotices>
