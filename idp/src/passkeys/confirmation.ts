import type { Context } from '../sign-in/browser.ts'
import { checkPassword } from '../sign-in/check-password.ts'
import { type FormSettings, formatWait } from '../sign-in/login.ts'
import type { Account } from '../storage.ts'
import { confirmSession, type Session } from './recent.ts'

/** `isRequired`: by an organization; then a password confirms nothing. */
export interface Visit {
  ctx: Context
  session: Session
  account: Account
  isRequired: boolean
}

export interface Refusal {
  status: number
  problem?: string
  passwordProblem?: string
}

/** What is posted to a page that asks to confirm who is there. */
export async function confirm(settings: FormSettings, visit: Visit, form: Map<string, string>): Promise<Refusal | undefined> {
  const { ctx, account, session, isRequired } = visit
  // A page of before.
  if (form.get('action') !== 'confirm')
    return { status: 403, problem: 'You signed in more than 15 minutes ago. Confirm it is you, and try again.' }
  const response = form.get('response')
  const refusal =
    response || isRequired
      ? await checkPasskey(settings, ctx, account, response ?? '')
      : await checkOwnPassword(settings, ctx, account, form.get('password') ?? '')
  if (!refusal) await confirmSession(settings.storage, session)
  return refusal
}

async function checkPasskey({ ceremonies }: FormSettings, ctx: Context, account: Account, response: string): Promise<Refusal | undefined> {
  const owner = await ceremonies.verifyUse(ctx, response)
  return owner?.id === account.id ? undefined : { status: 400, problem: 'This passkey was not accepted. Try again.' }
}

async function checkOwnPassword(settings: FormSettings, ctx: Context, { email }: Account, password: string): Promise<Refusal | undefined> {
  if (!password) return { status: 400, passwordProblem: 'Enter your password.' }
  const outcome = await checkPassword(settings, ctx, email, password)
  if (outcome.isRight) return undefined
  if (outcome.wait === 0) return { status: 400, passwordProblem: 'This is not your password.' }
  ctx.set('Retry-After', String(outcome.wait))
  return { status: 429, problem: `Too many attempts. ${formatWait(outcome.wait)}` }
}

/** Asks for the password, or with `?passkey`, and where one is required, for a passkey. */
export async function showConfirmation(settings: FormSettings, { ctx, account, isRequired }: Visit, refusal?: Refusal): Promise<void> {
  const { pages, guard, ceremonies, storage, brand, home } = settings
  const isByPasskey = isRequired || 'passkey' in ctx.query
  const hasPasskey = (await storage.listPasskeys(account.id)).length > 0
  const other = isByPasskey ? { text: 'Use your password', href: '/passkeys' } : { text: 'Use a passkey', href: '/passkeys?passkey' }
  pages.form(ctx, {
    title: 'Confirm it is you',
    lead: `You signed in as ${account.email} more than 15 minutes ago. ${isByPasskey ? 'Use a passkey' : 'Enter your password'} to see your passkeys.`,
    hidden: { proof: guard.createProof(ctx), action: 'confirm' },
    ...(refusal && { status: refusal.status }),
    problem: refusal?.problem,
    fields: isByPasskey
      ? []
      : [
          {
            ...{ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password', autofocus: true },
            problem: refusal?.passwordProblem,
          },
        ],
    button: isByPasskey ? 'Use a passkey' : 'Confirm',
    ...(isByPasskey && { passkey: { kind: 'use', options: await ceremonies.askToUse(ctx) } }),
    links: [...(hasPasskey && !isRequired ? [other] : []), { text: `Back to ${brand.product}`, href: home }],
  })
}
