import { confirm, type Purpose, showConfirmation, type Visit } from '../passkeys/confirmation.ts'
import { isRecent } from '../passkeys/recent.ts'
import type { Account } from '../storage.ts'
import { type Context, readForm } from './browser.ts'
import { checkPassword } from './check-password.ts'
import { type FormSettings, formatWait, getSession } from './login.ts'
import { findPasswordProblem, hashPassword, passwordHint } from './passwords.ts'
import { changeProtection } from './protection.ts'

interface Attempt {
  status: number
  problem?: string
  currentProblem?: string | undefined
  newProblem?: string | undefined
}

/** `/change-password`, for a user who has signed in at the provider in this browser. */
export function handlePasswordChange(settings: FormSettings) {
  return async (ctx: Context, next: () => Promise<void>) => {
    if (ctx.path !== '/change-password' || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next()
    const { storage, pages, guard, rules } = settings
    const session = await getSession(settings, ctx)
    const account = session.accountId && (await storage.findAccount(session.accountId))
    if (!account || account.blocked) return pages.problem(ctx, 401, 'You are signed out', 'Sign in, and change the password then.')
    const visit = { ctx, session, account, isRequired: await rules.isRequired(account) }
    const hasPasskey = (await storage.listPasskeys(account.id)).length > 0
    if (hasPasskey && !(await isRecent(storage, session, byPasskey.accepts))) return confirmFirst(settings, visit)
    if (ctx.method !== 'POST') return show(settings, ctx, account)
    const form = await readForm(ctx)
    if (!guard.accepts(ctx, form)) return show(settings, ctx, account, { status: 403, problem: 'This form has expired. Try again.' })
    const problem = await change(settings, ctx, account, form.get('current') ?? '', form.get('password') ?? '')
    if (problem) return show(settings, ctx, account, problem)
    pages.message(ctx, 'Password saved', 'The account is signed out everywhere. Sign in with the new password.')
  }
}

async function change(
  settings: FormSettings,
  ctx: Context,
  account: Account,
  current: string,
  password: string,
): Promise<Attempt | undefined> {
  if (!current) return { status: 400, currentProblem: 'Enter your password.' }
  const weak = findPasswordProblem(password, account.email)
  if (weak) return { status: 400, newProblem: weak }
  const outcome = await checkPassword(settings, ctx, account.email, current)
  if (!outcome.isRight && outcome.wait > 0) {
    ctx.set('Retry-After', String(outcome.wait))
    return { status: 429, problem: `Too many attempts. ${formatWait(outcome.wait)}` }
  }
  if (!outcome.isRight) return { status: 400, currentProblem: 'This is not your password.' }
  await replacePassword(settings, ctx, account, password, 'passwordChanged')
  return undefined
}

/**
 * The password is what is replaced. So a passkey confirms it, where the account has one; else the present password does, in the form
 * itself.
 */
const byPasskey: Purpose = { page: '/change-password', words: 'change your password', accepts: (factor) => factor !== 'password' }

async function confirmFirst(settings: FormSettings, visit: Visit): Promise<void> {
  const { ctx } = visit
  if (ctx.method !== 'POST') return showConfirmation(settings, visit, byPasskey)
  const form = await readForm(ctx)
  const refusal = settings.guard.accepts(ctx, form)
    ? await confirm(settings, visit, byPasskey, form)
    : { status: 403, problem: 'This form has expired. Try again.' }
  if (refusal) return showConfirmation(settings, visit, byPasskey, refusal)
  ctx.status = 303
  ctx.redirect(byPasskey.page)
}

/** Signs out everyone who knew the old password, this browser included. */
export async function replacePassword(
  settings: FormSettings,
  ctx: Context,
  account: Account,
  password: string,
  event: 'passwordChanged' | 'passwordReset',
): Promise<void> {
  await changeProtection(settings, ctx, account, { passwordHash: await hashPassword(password) }, { event, notice: 'passwordChanged' })
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
        name: 'current',
        label: 'Your password',
        type: 'password',
        autocomplete: 'current-password',
        problem: attempt?.currentProblem,
        autofocus: !attempt?.newProblem,
      },
      {
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        hint: passwordHint,
        problem: attempt?.newProblem,
        autofocus: Boolean(attempt?.newProblem),
      },
    ],
    button: 'Save the password',
    links: [{ text: `Back to ${brand.product}`, href: home }],
  })
}
