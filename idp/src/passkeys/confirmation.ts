import type { Context } from '../sign-in/browser.ts'
import { checkPassword } from '../sign-in/check-password.ts'
import { type FormSettings, formatWait } from '../sign-in/login.ts'
import type { Account } from '../storage.ts'
import { type Accepts, confirmSession, type Factor, mostMinutes, type Session } from './recent.ts'

/** `isRequired`: an organization requires a passkey, so a password confirms nothing. */
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

/** What the user confirms who they are for. `page`: where the form is posted. `words`: complete "Confirm it is you to …". */
export interface Purpose {
  page: string
  words: string
  accepts: Accepts
}

/** Handles a post to a page that asks the user to confirm who they are. */
export async function confirm(
  settings: FormSettings,
  visit: Visit,
  { accepts }: Purpose,
  form: Map<string, string>,
): Promise<Refusal | undefined> {
  const { ctx, account, session } = visit
  // An older page posted the form.
  if (form.get('action') !== 'confirm')
    return { status: 403, problem: `You signed in more than ${mostMinutes} minutes ago. Confirm it is you, and try again.` }
  const response = form.get('response')
  const outcome =
    response || !accepts('password')
      ? await checkPasskey(settings, ctx, account, response ?? '')
      : await checkOwnPassword(settings, ctx, account, form.get('password') ?? '')
  if ('status' in outcome) return outcome
  if (!accepts(outcome.factor)) return { status: 400, problem: 'Use another passkey than the one that you remove.' }
  await confirmSession(settings.storage, session, outcome.factor)
  return undefined
}

type Outcome = { factor: Factor } | Refusal

async function checkPasskey({ ceremonies }: FormSettings, ctx: Context, account: Account, response: string): Promise<Outcome> {
  const used = await ceremonies.verifyUse(ctx, response)
  return used?.account.id === account.id
    ? { factor: { passkey: used.passkeyId } }
    : { status: 400, problem: 'This passkey was not accepted. Try again.' }
}

async function checkOwnPassword(settings: FormSettings, ctx: Context, { email }: Account, password: string): Promise<Outcome> {
  if (!password) return { status: 400, passwordProblem: 'Enter your password.' }
  const outcome = await checkPassword(settings, ctx, email, password)
  if (outcome.isRight) return { factor: 'password' }
  if (outcome.wait === 0) return { status: 400, passwordProblem: 'This is not your password.' }
  ctx.set('Retry-After', String(outcome.wait))
  return { status: 429, problem: `Too many attempts. ${formatWait(outcome.wait)}` }
}

/** Asks for the password; with `?passkey`, and where a password is not enough, for a passkey. */
export async function showConfirmation(
  settings: FormSettings,
  { ctx, account }: Visit,
  { page, words, accepts }: Purpose,
  refusal?: Refusal,
): Promise<void> {
  const { pages, guard, ceremonies, storage, brand, home } = settings
  const byPassword = accepts('password')
  const isByPasskey = !byPassword || 'passkey' in ctx.query
  const hasOther = (await storage.listPasskeys(account.id)).some(({ id }) => accepts({ passkey: id }))
  const other = isByPasskey
    ? { text: 'Use your password', href: page }
    : { text: 'Use a passkey', href: `${page}${page.includes('?') ? '&' : '?'}passkey` }
  pages.form(ctx, {
    title: 'Confirm it is you',
    lead: `You are signed in as ${account.email}. ${isByPasskey ? 'Use a passkey' : 'Enter your password'} to ${words}.`,
    hidden: { proof: guard.createProof(ctx), action: 'confirm' },
    ...(refusal && { status: refusal.status }),
    problem: refusal?.problem,
    fields: isByPasskey
      ? []
      : [
          {
            name: 'password',
            label: 'Your password',
            type: 'password',
            autocomplete: 'current-password',
            autofocus: true,
            problem: refusal?.passwordProblem,
          },
        ],
    button: isByPasskey ? 'Use a passkey' : 'Confirm',
    ...(isByPasskey && { passkey: { kind: 'use', options: await ceremonies.askToUse(ctx) } }),
    links: [...(byPassword && (hasOther || isByPasskey) ? [other] : []), { text: `Back to ${brand.product}`, href: home }],
  })
}
