import { errors, type Provider } from 'oidc-provider'
import { passkeyAcr, passkeyAmr, passkeyRequired } from '../configuration.ts'
import { endSession } from '../end-session.ts'
import type { Ceremonies } from '../passkeys/ceremonies.ts'
import { mostMinutes } from '../passkeys/recent.ts'
import type { PasskeyRules } from '../passkeys/rules.ts'
import type { Account, Storage } from '../storage.ts'
import { type Context, type FormGuard, getClientAddress, readForm } from './browser.ts'
import { checkPassword } from './check-password.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import type { Links } from './links.ts'
import type { Notices } from './notices.ts'
import type { Brand, Pages } from './pages.ts'
import { type FormLimits, toAddressKey } from './rate-limit.ts'
import type { SecurityLog } from './security-log.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

export interface FormSettings {
  provider: Provider
  storage: Storage
  pages: Pages
  guard: FormGuard
  limits: FormLimits
  links: Links
  notices: Notices
  browsers: KnownBrowsers
  events: SecurityLog
  ceremonies: Ceremonies
  rules: PasskeyRules
  brand: Brand
  home: string
  trustProxy: number
  defaultPermissions: string[]
}

interface Attempt {
  status: number
  email: string
  problem?: string
  emailProblem?: string | undefined
  passwordProblem?: string | undefined
}

export function handleLogin(settings: FormSettings) {
  return async (ctx: Context, next: () => Promise<void>) => {
    const [, uid, signUp] = /^\/login\/([\w-]+)(\/signup)?$/.exec(ctx.path) ?? []
    if (!uid || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next()
    const interaction = await findInteraction(settings, ctx, uid)
    // The link of a new account was opened in another browser, or too late.
    if (!interaction && 'created' in ctx.query) return ctx.redirect(settings.home)
    if (!interaction) return showExpiredSignIn(settings, ctx)
    if (ctx.method !== 'POST') return (signUp ? showSignUp : showSignIn)(settings, ctx, interaction)
    return (signUp ? submitSignUp : submitSignIn)(settings, ctx, interaction)
  }
}

const toExpired = (email: string): Attempt => ({ status: 403, email, problem: 'This form has expired. Try again.' })

async function submitSignUp(settings: FormSettings, ctx: Context, interaction: Interaction): Promise<void> {
  const form = await readForm(ctx)
  const email = normalizeEmail(form.get('email'))
  const isAccepted = settings.guard.accepts(ctx, form)
  const refusal = isAccepted ? await trySignUp(settings, ctx, interaction, email) : toExpired(email)
  if (refusal) return showSignUp(settings, ctx, interaction, refusal)
  const text = `We have sent a message to ${email}. Open the link in it to go on.`
  settings.pages.message(ctx, 'Check your e-mail', text, { text: 'Back to the sign-in', href: `/login/${interaction.uid}?signin` })
}

async function submitSignIn(settings: FormSettings, ctx: Context, interaction: Interaction): Promise<void> {
  const form = await readForm(ctx)
  const email = normalizeEmail(form.get('email'))
  const isAccepted = settings.guard.accepts(ctx, form)
  const attempt = isAccepted ? await trySignIn(settings, ctx, email, form.get('password') ?? '') : toExpired(email)
  if (isAccount(attempt)) return completeSignIn(settings, ctx, interaction, attempt)
  showSignIn(settings, ctx, interaction, attempt)
}

/** The session that this browser has at the provider. */
export const getSession = ({ provider }: FormSettings, ctx: Context) =>
  provider.Session.get(ctx as Parameters<typeof provider.Session.get>[0])

export function showExpiredSignIn({ pages }: FormSettings, ctx: Context): void {
  pages.problem(ctx, 400, 'Sign-in has expired', 'This sign-in took too long, or started in another browser. Start again.')
}

export async function findInteraction({ provider }: FormSettings, ctx: Context, uid: string): Promise<Interaction | undefined> {
  try {
    const interaction = await provider.interactionDetails(ctx.req, ctx.res)
    return interaction.uid === uid ? interaction : undefined
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}

async function trySignIn(settings: FormSettings, ctx: Context, email: string, password: string): Promise<Account | Attempt> {
  const emailProblem = email ? undefined : 'Enter your e-mail.'
  const missing = password ? undefined : 'Enter your password.'
  if (emailProblem || missing) return { status: 400, email, emailProblem, passwordProblem: missing }
  const outcome = await checkPassword(settings, ctx, email, password)
  if (!outcome.isRight && outcome.wait > 0) return toTooMany(ctx, outcome.wait, email)
  if (!outcome.isRight) return { status: 400, email, problem: 'The e-mail or the password is wrong.' }
  const { account } = outcome
  if (!account.blocked) return account
  void settings.events.record(ctx, 'signInRefused', { account, reason: 'blocked' })
  return { status: 403, email, problem: formatBlocked(settings.brand) }
}

/** Responds the same whether the address has an account; only the mail shows it (S-13). Undefined where a message is sent. */
async function trySignUp(settings: FormSettings, ctx: Context, { uid }: Interaction, email: string): Promise<Attempt | undefined> {
  const { storage, limits, links, trustProxy } = settings
  if (!isEmail(email)) return { status: 400, email, emailProblem: 'Enter an e-mail address, like name@company.com.' }
  const byAddress = await limits.signUpByAddress.take(toAddressKey(getClientAddress(ctx.req, trustProxy)))
  const { wait } = byAddress.wait > 0 ? byAddress : await limits.linkByAccount.take(email)
  if (wait > 0) return toTooMany(ctx, wait, email)
  const account = await storage.findAccountByEmail(email)
  // Not awaited, as the duration would disclose whether the account exists.
  void (account ? links.sendKnown(email) : links.send('create-account', { id: null, email, login: uid }))
  return undefined
}

/** First signs out another account in this browser. */
export async function completeSignIn(
  { provider, storage, browsers, events }: FormSettings,
  ctx: Context,
  interaction: Interaction,
  account: Account,
  by: 'password' | 'passkey' = 'password',
): Promise<void> {
  await browsers.remember(ctx, account)
  await events.record(ctx, 'signIn', by === 'passkey' ? { account, reason: by } : { account })
  const previous = interaction.session
  if (previous && previous.accountId !== account.id) {
    const session = await provider.Session.findByUid(previous.uid)
    if (session) await endSession(storage, session)
    delete interaction.session
    await interaction.save(interaction.exp - Math.floor(Date.now() / 1000))
  }
  const login = by === 'passkey' ? { amr: passkeyAmr, acr: passkeyAcr } : { amr: ['pwd'] }
  const result = { login: { accountId: account.id, ...login } }
  const target = await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false })
  ctx.status = 303
  ctx.redirect(target)
}

/**
 * Whether only a stronger sign-in is missing. A session that must end for another reason too, such as its age, does not show who is there.
 */
export const isStepUp = ({ prompt }: Interaction): boolean => prompt.reasons.every((reason) => reason === passkeyRequired)

function showSignIn({ pages, guard, brand }: FormSettings, ctx: Context, interaction: Interaction, attempt?: Attempt): void {
  const { uid, params, session } = interaction
  // A user who is signed in with a password continues from there.
  if (!attempt && session && isStepUp(interaction) && !('signin' in ctx.query)) {
    ctx.redirect(`/login/${uid}/passkey`)
    return
  }
  if (!attempt && params.screen_hint === 'signup' && !('signin' in ctx.query) && !('created' in ctx.query)) {
    ctx.redirect(`/login/${uid}/signup`)
    return
  }
  const email = attempt?.email ?? normalizeEmail(params.login_hint)
  const atEmail = !email || Boolean(attempt?.emailProblem)
  pages.form(ctx, {
    title: 'Sign in',
    lead:
      ctx.query.signin === 'again'
        ? `You signed in more than ${mostMinutes} minutes ago. Sign in again, and add a passkey then.`
        : `Use your ${brand.product} account.`,
    hidden: { proof: guard.createProof(ctx) },
    ...(attempt && { status: attempt.status }),
    problem: attempt?.problem,
    fields: [
      { ...createEmailField(email), problem: attempt?.emailProblem, autofocus: atEmail },
      { ...passwordField, autocomplete: 'current-password', problem: attempt?.passwordProblem, autofocus: !atEmail },
    ],
    button: 'Sign in',
    links: [
      { text: 'Sign in with a passkey', href: `/login/${uid}/passkey` },
      { text: 'Create an account', href: `/login/${uid}/signup` },
      { text: 'Forgot your password?', href: '/reset-password' },
    ],
  })
}

function showSignUp({ pages, guard, brand }: FormSettings, ctx: Context, { uid, params }: Interaction, attempt?: Attempt): void {
  const email = attempt?.email ?? normalizeEmail(params.login_hint)
  pages.form(ctx, {
    title: 'Create an account',
    lead: `One account for all of ${brand.product}. We send you a link to choose a password.`,
    hidden: { proof: guard.createProof(ctx) },
    ...(attempt && { status: attempt.status }),
    problem: attempt?.problem,
    fields: [{ ...createEmailField(email), problem: attempt?.emailProblem, autofocus: true }],
    button: 'Create account',
    links: [{ text: 'Sign in to an existing account', href: `/login/${uid}?signin` }],
  })
}

const passwordField = { name: 'password', label: 'Password', type: 'password' } as const

export function createEmailField(value: string) {
  return { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', value } as const
}

export function normalizeEmail(value: unknown): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : ''
}

function isEmail(value: string): boolean {
  return value.length <= 254 && /^[^\s@<>"(),:;\\\p{Cc}]+@[^\s@<>"(),:;\\\p{Cc}]+\.[^\s@<>"(),:;\\\p{Cc}]+$/u.test(value)
}

function toTooMany(ctx: Context, seconds: number, email: string): Attempt {
  ctx.set('Retry-After', String(seconds))
  return { status: 429, email, problem: `Too many attempts. ${formatWait(seconds)}` }
}

/** Only the operator can end a block, who set it with `npm run accounts`. */
export const formatBlocked = ({ provider }: Brand): string => `This account is blocked. Ask ${provider} to unblock it.`

export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
}

function isAccount(value: Account | Attempt): value is Account {
  return 'id' in value
}
