import type { Account } from '../storage.ts'
import { type Context, getClientAddress, readForm } from './browser.ts'
import { replacePassword } from './change-password.ts'
import type { LinkKind } from './links.ts'
import { createEmailField, type FormSettings, formatWait, normalizeEmail } from './login.ts'
import { findPasswordProblem, hashPassword, passwordHint } from './passwords.ts'
import { changeProtection } from './protection.ts'
import { toAddressKey } from './rate-limit.ts'

const kinds: Record<string, LinkKind> = {
  '/verify-email': 'verify-email',
  '/reset-password': 'reset-password',
  '/create-account': 'create-account',
}

/**
 * `/verify-email`, `/reset-password` and `/create-account`. With a token: a page with a button that uses the mailed link. Without one: a
 * form that sends a link; its response does not disclose whether the account exists. Accounts are made at the sign-in page only.
 */
export function handleRecovery(settings: FormSettings) {
  return async (ctx: Context, next: () => Promise<void>) => {
    const kind = kinds[ctx.path]
    if (!kind || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next()
    const token = typeof ctx.query.token === 'string' ? ctx.query.token : ''
    if (kind === 'create-account' && !token) return showExpiredLink(settings.pages, ctx, kind)
    if (ctx.method !== 'POST') return token ? showLink(settings, ctx, kind, token) : showRequest(settings, ctx, kind)
    const form = await readForm(ctx)
    const retry = 'This form has expired. Try again.'
    if (!settings.guard.accepts(ctx, form)) {
      ctx.status = 403
      return token ? showLink(settings, ctx, kind, token, retry, 403) : showRequest(settings, ctx, kind, { status: 403, problem: retry })
    }
    if (!token) return requestLink(settings, ctx, kind, normalizeEmail(form.get('email')))
    if (kind === 'verify-email') return verifyEmail(settings, ctx, token)
    return choosePassword(settings, ctx, kind, token, form.get('password') ?? '')
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
  'create-account': { title: 'Create an account', lead: '', sent: '' },
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
  // A blocked user chooses a new password before the block ends.
  const mayGetLink = account && (kind === 'reset-password' || (!account.blocked && !account.emailVerified))
  // Not awaited, as the duration would disclose whether the account exists.
  if (mayGetLink) void links.send(kind, account)
  if (kind === 'reset-password') void settings.events.record(ctx, 'resetRequested', { account })
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
    title: kind === 'create-account' ? 'Choose a password' : 'Choose a new password',
    lead: `For ${link.email} at ${brand.product}.${kind === 'create-account' ? '' : ' This signs the account out everywhere.'}`,
    hidden,
    status,
    problem,
    fields: [
      {
        name: 'password',
        label: kind === 'create-account' ? 'Password' : 'New password',
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
  const account = link?.accountId && (await storage.findAccount(link.accountId))
  // The address may have changed since the link was sent.
  if (!account || account.email !== link.email) return showExpiredLink(pages, ctx, 'verify-email')
  await storage.setEmailVerified(account.id)
  await events.record(ctx, 'emailConfirmed', { account })
  pages.message(ctx, 'E-mail confirmed', `${account.email} is confirmed. You can close this page.`)
}

async function choosePassword(settings: FormSettings, ctx: Context, kind: LinkKind, token: string, password: string): Promise<void> {
  const { storage, pages, links } = settings
  const weak = findPasswordProblem(password, (await links.find(kind, token))?.email ?? '')
  if (weak) return showLink(settings, ctx, kind, token, undefined, 400, weak)
  const link = await links.use(kind, token)
  if (link && kind === 'create-account') return createAccount(settings, ctx, link, password)
  const account = link?.accountId && (await storage.findAccount(link.accountId))
  if (!account || account.email !== link.email) return showExpiredLink(pages, ctx, 'reset-password')
  await replacePassword(settings, ctx, account, password, 'passwordReset')
  const lost = (await endPasskeys(settings, ctx, account)) ? ' Its passkeys are removed: add yours again.' : ''
  pages.message(ctx, 'Password saved', `You can now sign in with the new password.${lost}`)
}

/**
 * Whoever knew the old password may have added a passkey. Where passkeys are required, the password alone adds none, and must not end any.
 */
async function endPasskeys(settings: FormSettings, ctx: Context, account: Account): Promise<boolean> {
  if (await settings.rules.isRequired(account)) return false
  return changeProtection(settings, ctx, account, { onlyPasskey: null }, { event: 'passkeyRemoved', notice: 'passkeyRemoved' })
}

async function createAccount(
  { storage, pages, browsers, events, defaultPermissions, home }: FormSettings,
  ctx: Context,
  { email, login }: { email: string; login?: string | undefined },
  password: string,
): Promise<void> {
  const passwordHash = await hashPassword(password)
  const account = await storage.createAccount({ email, emailVerified: true, passwordHash, permissions: defaultPermissions })
  if (!account) return showExpiredLink(pages, ctx, 'reset-password')
  await browsers.remember(ctx, account)
  await events.record(ctx, 'signUp', { account })
  const href = login ? `/login/${login}?created` : home
  pages.message(ctx, 'Account created', `Sign in as ${email}.`, { text: 'Sign in', href })
}

function showExpiredLink(pages: FormSettings['pages'], ctx: Context, kind: LinkKind): void {
  const text = 'It has been used, or it has expired.'
  if (kind === 'create-account') pages.message(ctx, 'This link is no longer valid', text)
  else pages.message(ctx, 'This link is no longer valid', text, { text: 'Send a new link', href: `/${kind}` })
  ctx.status = 410
}
