import { type Context, getClientAddress, readForm } from './browser.ts'
import { replacePassword } from './change-password.ts'
import type { LinkKind } from './links.ts'
import { createEmailField, type FormSettings, formatWait, normalizeEmail } from './login.ts'
import { findPasswordProblem, passwordHint } from './passwords.ts'
import { toAddressKey } from './rate-limit.ts'

const kinds: Record<string, LinkKind> = { '/verify-email': 'verify-email', '/reset-password': 'reset-password' }

/**
 * `/verify-email` and `/reset-password`. With a token, a page whose button uses the mailed link. Without one, a form that sends a link;
 * its response does not disclose whether the account exists.
 */
export function handleRecovery(settings: FormSettings) {
  return async (ctx: Context, next: () => Promise<void>) => {
    const kind = kinds[ctx.path]
    if (!kind || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next()
    const token = typeof ctx.query.token === 'string' ? ctx.query.token : ''
    if (ctx.method !== 'POST') return token ? showLink(settings, ctx, kind, token) : showRequest(settings, ctx, kind)
    const form = await readForm(ctx)
    const retry = 'This form has expired. Try again.'
    if (!settings.guard.accepts(ctx, form)) {
      ctx.status = 403
      return token ? showLink(settings, ctx, kind, token, retry, 403) : showRequest(settings, ctx, kind, { status: 403, problem: retry })
    }
    if (!token) return requestLink(settings, ctx, kind, normalizeEmail(form.get('email')))
    return kind === 'verify-email' ? verifyEmail(settings, ctx, token) : resetPassword(settings, ctx, token, form.get('password') ?? '')
  }
}

const requests = {
  'verify-email': {
    title: 'Confirm your e-mail',
    lead: 'We send you a link to confirm the address.',
    sent: 'If there is an account with this address that is not confirmed yet, we have sent it a link.',
  },
  'reset-password': {
    title: 'Reset your password',
    lead: 'We send you a link to choose a new one.',
    sent: 'If there is an account with this address, we have sent it a link.',
  },
}

function showRequest(
  { pages, guard, home, brand }: FormSettings,
  ctx: Context,
  kind: LinkKind,
  attempt?: { status: number; problem?: string; email?: string; emailProblem?: string },
): void {
  const { title, lead } = requests[kind]
  pages.form(ctx, {
    title,
    lead,
    hidden: { proof: guard.createProof(ctx) },
    ...(attempt && { status: attempt.status }),
    problem: attempt?.problem,
    fields: [{ ...createEmailField(attempt?.email ?? ''), problem: attempt?.emailProblem, autofocus: true }],
    button: 'Send the link',
    links: [{ text: `Back to ${brand.product}`, href: home }],
  })
}

async function requestLink(settings: FormSettings, ctx: Context, kind: LinkKind, email: string): Promise<void> {
  const { storage, pages, limits, links, trustProxy } = settings
  if (!email) return showRequest(settings, ctx, kind, { status: 400, emailProblem: 'Enter your e-mail.' })
  const byAddress = await limits.linkByAddress.take(toAddressKey(getClientAddress(ctx.req, trustProxy)))
  const { wait } = byAddress.wait > 0 ? byAddress : await limits.linkByAccount.take(email)
  if (wait > 0) {
    ctx.set('Retry-After', String(wait))
    return showRequest(settings, ctx, kind, { status: 429, email, problem: `Too many attempts. ${formatWait(wait)}` })
  }
  const account = await storage.findAccountByEmail(email)
  const mayGetLink = account && !account.blocked && (kind === 'reset-password' || !account.emailVerified)
  // Not awaited: the duration would disclose whether the account exists.
  if (mayGetLink) void links.send(kind, account)
  if (kind === 'reset-password') settings.events.record(ctx, 'resetRequested', { account })
  pages.message(ctx, requests[kind].title, requests[kind].sent)
}

async function showLink(
  { pages, guard, links, brand }: FormSettings,
  ctx: Context,
  kind: LinkKind,
  token: string,
  problem?: string,
  status = 200,
  passwordError?: string,
): Promise<void> {
  const link = await links.find(kind, token)
  if (!link) return showExpiredLink(pages, ctx, kind)
  const hidden = { proof: guard.createProof(ctx) }
  if (kind === 'verify-email') {
    const lead = `Is ${link.email} your address?`
    return pages.form(ctx, { title: 'Confirm your e-mail', lead, hidden, fields: [], button: 'Confirm', links: [], problem, status })
  }
  pages.form(ctx, {
    title: 'Choose a new password',
    lead: `For ${link.email} at ${brand.product}. This signs the account out everywhere.`,
    hidden,
    status,
    problem,
    fields: [
      {
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        hint: passwordHint,
        problem: passwordError,
        autofocus: true,
      },
    ],
    button: 'Save the password',
    links: [],
  })
}

async function verifyEmail({ storage, pages, links, events }: FormSettings, ctx: Context, token: string): Promise<void> {
  const link = await links.use('verify-email', token)
  const account = link && (await storage.findAccount(link.accountId))
  // The address may have changed since the link was sent.
  if (!account || account.email !== link.email) return showExpiredLink(pages, ctx, 'verify-email')
  await storage.setEmailVerified(account.id)
  events.record(ctx, 'emailConfirmed', { account })
  pages.message(ctx, 'E-mail confirmed', `${account.email} is confirmed. You can close this page.`)
}

async function resetPassword(settings: FormSettings, ctx: Context, token: string, password: string): Promise<void> {
  const { storage, pages, links } = settings
  const weak = findPasswordProblem(password, (await links.find('reset-password', token))?.email ?? '')
  if (weak) return showLink(settings, ctx, 'reset-password', token, undefined, 400, weak)
  const link = await links.use('reset-password', token)
  const account = link && (await storage.findAccount(link.accountId))
  if (!account || account.email !== link.email) return showExpiredLink(pages, ctx, 'reset-password')
  await replacePassword(settings, ctx, account, password)
  settings.events.record(ctx, 'passwordReset', { account })
  pages.message(ctx, 'Password saved', 'You can now sign in with the new password.')
}

function showExpiredLink(pages: FormSettings['pages'], ctx: Context, kind: LinkKind): void {
  const again = { text: 'Send a new link', href: `/${kind}` }
  pages.message(ctx, 'This link is no longer valid', 'It has been used, or it has expired.', again)
  ctx.status = 410
}
