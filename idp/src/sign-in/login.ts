import { errors, type Provider } from 'oidc-provider'
import { endSession } from '../logout.ts'
import type { Account, Storage } from '../storage.ts'
import { type Context, clientAddress, type FormGuard, readForm } from './browser.ts'
import type { Links } from './links.ts'
import type { Brand, Pages } from './pages.ts'
import { hashPassword, passwordProblem, verifyPassword } from './passwords.ts'
import { addressKey, type FormLimits } from './rate-limit.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

export type FormSettings = {
  provider: Provider
  storage: Storage
  pages: Pages
  guard: FormGuard
  limits: FormLimits
  links: Links
  brand: Brand
  home: string
  trustProxy: boolean
  defaultPermissions: string[]
}

/** What the person typed and what is wrong with it. */
type Attempt = { status: number; email: string; problem?: string; emailProblem?: string | undefined; passwordProblem?: string | undefined }

/** `/login/:uid` and `/login/:uid/signup`: the sign-in and the sign-up form of one authorization request. */
export function login(settings: FormSettings) {
  return async (ctx: Context, next: () => Promise<void>) => {
    const [, uid, signUp] = /^\/login\/([\w-]+)(\/signup)?$/.exec(ctx.path) ?? []
    if (!uid || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next()
    const interaction = await currentInteraction(settings, ctx, uid)
    if (!interaction) {
      const text = 'This sign-in took too long, or was begun in another browser. Start again.'
      return settings.pages.problem(ctx, 400, 'Sign-in has expired', text)
    }
    const show = signUp ? showSignUp : showSignIn
    if (ctx.method !== 'POST') return show(settings, ctx, interaction)
    const form = await readForm(ctx)
    const email = normalEmail(form.get('email'))
    const password = form.get('password') ?? ''
    const attempt = settings.guard.accepts(ctx, form)
      ? await (signUp ? trySignUp : trySignIn)(settings, ctx, email, password)
      : { status: 403, email, problem: 'This form was out of date. Try again.' }
    if (isAccount(attempt)) return finish(settings, ctx, interaction, attempt)
    show(settings, ctx, interaction, attempt)
  }
}

async function currentInteraction({ provider }: FormSettings, ctx: Context, uid: string): Promise<Interaction | undefined> {
  try {
    const interaction = await provider.interactionDetails(ctx.req, ctx.res)
    return interaction.uid === uid ? interaction : undefined
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}

async function trySignIn(settings: FormSettings, ctx: Context, email: string, password: string): Promise<Account | Attempt> {
  const { storage, limits, trustProxy } = settings
  const emailProblem = email ? undefined : 'Enter your e-mail.'
  const missing = password ? undefined : 'Enter your password.'
  if (emailProblem || missing) return { status: 400, email, emailProblem, passwordProblem: missing }
  const address = addressKey(clientAddress(ctx.req, trustProxy))
  // Counted before the work and given back when it succeeds: many attempts at once do not slip through.
  const wait = limits.signInByAddress.take(address) || limits.signInByAccount.take(email)
  if (wait > 0) return tooMany(ctx, wait, email)
  const account = await storage.findAccountByEmail(email)
  const right = await verifyPassword(password, account?.passwordHash)
  if (!account || !right) return { status: 400, email, problem: 'The e-mail or the password is wrong.' }
  limits.signInByAddress.refund(address)
  limits.signInByAccount.refund(email)
  if (account.blocked) return { status: 403, email, problem: 'This account is blocked. Ask your administrator.' }
  return account
}

async function trySignUp(settings: FormSettings, ctx: Context, email: string, password: string): Promise<Account | Attempt> {
  const { storage, limits, links, trustProxy, defaultPermissions } = settings
  const emailProblem = isEmail(email) ? undefined : 'Enter an e-mail address, like name@company.com.'
  const weak = passwordProblem(password)
  if (emailProblem || weak) return { status: 400, email, emailProblem, passwordProblem: weak }
  const wait = limits.signUpByAddress.take(addressKey(clientAddress(ctx.req, trustProxy)))
  if (wait > 0) return tooMany(ctx, wait, email)
  const passwordHash = await hashPassword(password)
  const account = await storage.createAccount({ email, emailVerified: false, passwordHash, permissions: defaultPermissions })
  if (!account) return { status: 400, email, emailProblem: 'There is an account with this e-mail already. Sign in, or reset its password.' }
  // Not waited for: nobody should sit before a form because a mail server is slow.
  void links.send('verify-email', account)
  return account
}

/** Ends the interaction with a signed-in account; whoever was signed in before in this browser is signed out first. */
async function finish({ provider, storage }: FormSettings, ctx: Context, interaction: Interaction, account: Account): Promise<void> {
  const before = interaction.session
  if (before && before.accountId !== account.id) {
    const session = await provider.Session.findByUid(before.uid)
    if (session) await endSession(storage, session)
    delete interaction.session
    await interaction.save(interaction.exp - Math.floor(Date.now() / 1000))
  }
  const result = { login: { accountId: account.id, amr: ['pwd'] } }
  const target = await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false })
  ctx.status = 303
  ctx.redirect(target)
}

function showSignIn({ pages, guard, brand }: FormSettings, ctx: Context, { uid, params }: Interaction, attempt?: Attempt): void {
  if (!attempt && params.screen_hint === 'signup' && !('signin' in ctx.query)) {
    ctx.redirect(`/login/${uid}/signup`)
    return
  }
  const email = attempt?.email ?? normalEmail(params.login_hint)
  const atEmail = !email || Boolean(attempt?.emailProblem)
  pages.form(ctx, {
    title: 'Sign in',
    lead: `Use your ${brand.product} account.`,
    hidden: { proof: guard.proof(ctx) },
    ...(attempt && { status: attempt.status }),
    problem: attempt?.problem,
    fields: [
      { ...emailField(email), problem: attempt?.emailProblem, autofocus: atEmail },
      { ...passwordField, autocomplete: 'current-password', problem: attempt?.passwordProblem, autofocus: !atEmail },
    ],
    button: 'Sign in',
    links: [
      { text: 'Create an account', href: `/login/${uid}/signup` },
      { text: 'Forgot your password?', href: '/reset-password' },
    ],
  })
}

function showSignUp({ pages, guard, brand }: FormSettings, ctx: Context, { uid, params }: Interaction, attempt?: Attempt): void {
  const email = attempt?.email ?? normalEmail(params.login_hint)
  const atEmail = !email || Boolean(attempt?.emailProblem)
  pages.form(ctx, {
    title: 'Create an account',
    lead: `One account opens everything in ${brand.product}.`,
    hidden: { proof: guard.proof(ctx) },
    ...(attempt && { status: attempt.status }),
    problem: attempt?.problem,
    fields: [
      { ...emailField(email), problem: attempt?.emailProblem, autofocus: atEmail },
      {
        ...passwordField,
        autocomplete: 'new-password',
        hint: 'At least 8 characters.',
        problem: attempt?.passwordProblem,
        autofocus: !atEmail,
      },
    ],
    button: 'Create account',
    links: [{ text: 'Sign in to an existing account', href: `/login/${uid}?signin` }],
  })
}

const passwordField = { name: 'password', label: 'Password', type: 'password' } as const

/** The field for an e-mail address. */
export function emailField(value: string) {
  return { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', value } as const
}

/** An address as it is compared and stored. */
export function normalEmail(value: unknown): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : ''
}

function isEmail(value: string): boolean {
  return value.length <= 254 && /^[^\s@<>"(),:;\\\p{Cc}]+@[^\s@<>"(),:;\\\p{Cc}]+\.[^\s@<>"(),:;\\\p{Cc}]+$/u.test(value)
}

function tooMany(ctx: Context, seconds: number, email: string): Attempt {
  ctx.set('Retry-After', String(seconds))
  return { status: 429, email, problem: `Too many attempts. ${waitText(seconds)}` }
}

/** When to try again, in words. */
export function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
}

function isAccount(value: Account | Attempt): value is Account {
  return 'id' in value
}
