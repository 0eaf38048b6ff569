import type { Account } from '../storage.ts'
import { type Context, getClientAddress, readForm } from './browser.ts'
import { type FormSettings, formatWait } from './login.ts'
import { findPasswordProblem, hashPassword, passwordHint, verifyPassword } from './passwords.ts'
import { toAddressKey } from './rate-limit.ts'

interface Attempt {
  status: number
  problem?: string
  currentProblem?: string | undefined
  newProblem?: string | undefined
}

/** `/change-password`, for whoever is signed in at the provider in this browser. */
export function handlePasswordChange(settings: FormSettings) {
  return async (ctx: Context, next: () => Promise<void>) => {
    if (ctx.path !== '/change-password' || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next()
    const { provider, storage, pages, guard } = settings
    const session = await provider.Session.get(ctx as Parameters<typeof provider.Session.get>[0])
    const account = session.accountId && (await storage.findAccount(session.accountId))
    if (!account || account.blocked) return pages.problem(ctx, 401, 'You are signed out', 'Sign in, and change the password then.')
    if (ctx.method !== 'POST') return show(settings, ctx, account)
    const form = await readForm(ctx)
    if (!guard.accepts(ctx, form)) return show(settings, ctx, account, { status: 403, problem: 'This form has expired. Try again.' })
    const problem = await change(settings, ctx, account, form.get('current') ?? '', form.get('password') ?? '')
    if (problem) return show(settings, ctx, account, problem)
    pages.message(ctx, 'Password saved', 'The account is signed out everywhere. Sign in with the new password.')
  }
}

async function change(
  { storage, limits, trustProxy }: FormSettings,
  ctx: Context,
  { id, email, passwordHash }: Account,
  current: string,
  password: string,
): Promise<Attempt | undefined> {
  if (!current) return { status: 400, currentProblem: 'Enter your password.' }
  const weak = findPasswordProblem(password, email)
  if (weak) return { status: 400, newProblem: weak }
  const address = toAddressKey(getClientAddress(ctx.req, trustProxy))
  const wait = limits.signInByAddress.take(address) || limits.signInByAccount.take(email)
  if (wait > 0) {
    ctx.set('Retry-After', String(wait))
    return { status: 429, problem: `Too many attempts. ${formatWait(wait)}` }
  }
  if (!(await verifyPassword(current, passwordHash))) return { status: 400, currentProblem: 'This is not your password.' }
  limits.signInByAddress.refund(address)
  limits.signInByAccount.refund(email)
  await storage.setPassword(id, await hashPassword(password))
  // Signs out everyone who knew the old password.
  await storage.deleteRecordsByAccount(id)
  return undefined
}

function show({ pages, guard, home, brand }: FormSettings, ctx: Context, { email }: Account, attempt?: Attempt): void {
  pages.form(ctx, {
    title: 'Change your password',
    lead: `For ${email} at ${brand.product}. This signs the account out everywhere.`,
    hidden: { proof: guard.createProof(ctx) },
    ...(attempt && { status: attempt.status }),
    problem: attempt?.problem,
    fields: [
      {
        ...{ name: 'current', label: 'Your password', type: 'password', autocomplete: 'current-password' },
        problem: attempt?.currentProblem,
        autofocus: !attempt?.newProblem,
      },
      {
        ...{ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: passwordHint },
        problem: attempt?.newProblem,
        autofocus: Boolean(attempt?.newProblem),
      },
    ],
    button: 'Save the password',
    links: [{ text: `Back to ${brand.product}`, href: home }],
  })
}
