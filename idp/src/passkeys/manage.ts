import { type Context, readForm } from '../sign-in/browser.ts'
import { type FormSettings, getSession } from '../sign-in/login.ts'
import { maxPasskeyName } from '../sign-in/pages.ts'
import { changeProtection } from '../sign-in/protection.ts'
import type { Passkey } from '../storage.ts'
import { mostPasskeys } from './ceremonies.ts'
import { confirm, type Purpose, type Refusal, showConfirmation, type Visit } from './confirmation.ts'
import { isRecent } from './recent.ts'
import { namePasskey } from './sign-in.ts'

/** `/passkeys`, for a user who has signed in at the provider in this browser a short time ago; where a passkey is required, with one. */
export function handlePasskeys(settings: FormSettings) {
  return async (ctx: Context, next: () => Promise<void>) => {
    if (ctx.path !== '/passkeys' || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next()
    const { storage, pages, guard, rules } = settings
    const session = await getSession(settings, ctx)
    const account = session.accountId && (await storage.findAccount(session.accountId))
    if (!account || account.blocked) return pages.problem(ctx, 401, 'You are signed out', 'Sign in, and see your passkeys then.')
    const isRequired = await rules.isRequired(account)
    if (isRequired && !session.amr?.includes('pop'))
      return pages.problem(ctx, 403, 'Sign in with a passkey', 'Your organization asks for a passkey. Sign in with one, and see them then.')
    const visit = { ctx, session, account, isRequired }
    const removed = await findRemoved(settings, visit)
    const purpose = removed ? removing(visit, removed) : seeing(visit)
    const isConfirmed = await isRecent(storage, session, purpose.accepts)
    const show = (refusal?: Refusal) =>
      isConfirmed ? showPasskeys(settings, visit, refusal) : showConfirmation(settings, visit, purpose, refusal)
    if (ctx.method !== 'POST') return show()
    const form = await readForm(ctx)
    if (!guard.accepts(ctx, form)) return show({ status: 403, problem: 'This form has expired. Try again.' })
    const target = isConfirmed ? await change(settings, visit, form) : await confirm(settings, visit, purpose, form)
    const outcome = !target && !isConfirmed && removed ? await remove(settings, visit, removed.id) : target
    if (typeof outcome === 'object') return show(outcome)
    ctx.status = 303
    ctx.redirect(outcome ?? '/passkeys')
  }
}

const seeing = ({ isRequired }: Visit): Purpose => ({
  page: '/passkeys',
  words: 'see your passkeys',
  accepts: (factor) => factor !== 'password' || !isRequired,
})

/** Confirmed by a factor that remains: not the passkey itself, nor a sign-in that may have used it. */
const removing = ({ isRequired }: Visit, { id, name }: Passkey): Purpose => ({
  page: `/passkeys?removes=${encodeURIComponent(id)}`,
  words: `remove “${name}”`,
  accepts: (factor) => (typeof factor === 'object' ? factor.passkey !== id : factor === 'password' && !isRequired),
})

/** The passkey in the address; it is removed once the user has confirmed. */
async function findRemoved({ storage }: FormSettings, { ctx, account }: Visit): Promise<Passkey | undefined> {
  const { removes } = ctx.query
  return removes === undefined ? undefined : (await storage.listPasskeys(account.id)).find(({ id }) => id === removes)
}

/** Returns a page to go to, or why it is refused; undefined where it is done. */
async function change(settings: FormSettings, visit: Visit, form: Map<string, string>): Promise<Refusal | string | undefined> {
  const action = form.get('action')
  if (action === 'add') return add(settings, visit, form.get('response') ?? '')
  // The form was posted twice.
  if (action === 'confirm') return undefined
  const id = form.get('id') ?? ''
  if (action === 'remove') {
    const known = await settings.storage.listPasskeys(visit.account.id)
    const own = known.find((passkey) => passkey.id === id)
    if (!own) return undefined
    if (visit.isRequired && known.length === 1) return last
    const { accepts, page } = removing(visit, own)
    return (await isRecent(settings.storage, visit.session, accepts)) ? remove(settings, visit, id) : page
  }
  const name = (form.get('name') ?? '').trim()
  if (!name || name.length > maxPasskeyName) return { status: 400, problem: `Give it a name of up to ${maxPasskeyName} characters.` }
  await settings.storage.renamePasskey(visit.account.id, id, name)
  return undefined
}

async function add(
  { storage, ceremonies, events, notices }: FormSettings,
  { ctx, account }: Visit,
  response: string,
): Promise<Refusal | undefined> {
  const known = await storage.listPasskeys(account.id)
  if (known.length >= mostPasskeys) return { status: 409, problem: `An account has at most ${mostPasskeys} passkeys. Remove one first.` }
  const passkey = await ceremonies.verifyNew(ctx, account, response)
  if (!passkey || !(await storage.addPasskey({ ...passkey, name: namePasskey() })))
    return { status: 400, problem: 'This passkey was not accepted. Try again.' }
  await events.record(ctx, 'passkeyAdded', { account })
  notices.send(ctx, 'passkeyAdded', account)
  return undefined
}

async function remove(settings: FormSettings, { ctx, account, session, isRequired }: Visit, id: string): Promise<Refusal | undefined> {
  const change = { withoutPasskey: id, keepsLast: isRequired }
  const report = { event: 'passkeyRemoved', notice: 'passkeyRemoved', session } as const
  if (await changeProtection(settings, ctx, account, change, report)) return undefined
  const isLast = (await settings.storage.listPasskeys(account.id)).some((passkey) => passkey.id === id)
  return isLast ? last : undefined
}

const last: Refusal = { status: 409, problem: 'This is your last passkey, and your organization asks for one. Add another first.' }

async function showPasskeys(settings: FormSettings, { ctx, account, isRequired }: Visit, refusal?: Refusal): Promise<void> {
  const { pages, guard, storage, ceremonies, brand, home } = settings
  const known = await storage.listPasskeys(account.id)
  const isRemovable = !isRequired || known.length > 1
  pages.passkeys(ctx, {
    lead:
      known.length > 0
        ? `They sign ${account.email} in to ${brand.product}.`
        : `${account.email} has none. A passkey is kept by a device or a security key, and signs you in without a password.`,
    hidden: { proof: guard.createProof(ctx) },
    ...refusal,
    rows: known.map((passkey) => ({ id: passkey.id, name: passkey.name, facts: describe(passkey), isRemovable })),
    hint: isRemovable || known.length === 0 ? undefined : 'Your organization asks for a passkey, so the last one stays.',
    adding: known.length < mostPasskeys ? { kind: 'new', options: await ceremonies.askForNew(ctx, account) } : undefined,
    links: [{ text: `Back to ${brand.product}`, href: home }],
  })
}

const formatDay = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

const describe = ({ createdAt, lastUsedAt }: Passkey): string =>
  `Added on ${formatDay(createdAt)}. ${lastUsedAt === null ? 'Not used yet.' : `Last used on ${formatDay(lastUsedAt)}.`}`
