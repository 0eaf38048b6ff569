import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type Context, getClientAddress, readForm, toCookieName } from '../sign-in/browser.ts'
import {
  completeSignIn,
  type FormSettings,
  findInteraction,
  formatBlocked,
  getSession,
  type Interaction,
  isStepUp,
  showExpiredSignIn,
} from '../sign-in/login.ts'
import { formatMoment } from '../sign-in/notices.ts'
import { changeProtection } from '../sign-in/protection.ts'
import { describeBrowser } from '../sign-in/user-agent.ts'
import type { Account } from '../storage.ts'
import { isRecent } from './recent.ts'

const expired = 'This form has expired. Try again.'
// Seconds.
const recoveryKept = 3 * 24 * 3600

interface Visit {
  ctx: Context
  interaction: Interaction
  /** The account that has signed in with a password where a passkey is required. */
  account: Account | undefined
}

/**
 * `/login/…/passkey` signs in with a passkey. `/login/…/new-passkey` adds an account's first one where it needs one, or one after a
 * recovery. `/login/…/lost-passkey` asks for a recovery.
 */
export function handlePasskeySignIn(settings: FormSettings) {
  const pages = { passkey: usePasskey, 'new-passkey': addPasskey, 'lost-passkey': askRecovery }
  return async (ctx: Context, next: () => Promise<void>) => {
    const [, uid, page] = /^\/login\/([\w-]+)\/(passkey|new-passkey|lost-passkey)$/.exec(ctx.path) ?? []
    if (!uid || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next()
    const interaction = await findInteraction(settings, ctx, uid)
    if (!interaction) return showExpiredSignIn(settings, ctx)
    const found =
      isStepUp(interaction) && interaction.session ? await settings.storage.findAccount(interaction.session.accountId) : undefined
    const account = found?.blocked ? undefined : found
    return pages[page as keyof typeof pages](settings, { ctx, interaction, account })
  }
}

async function usePasskey(settings: FormSettings, visit: Visit): Promise<void> {
  const { ctx, interaction, account } = visit
  const { guard, ceremonies, rules, events } = settings
  if (ctx.method !== 'POST')
    return account && (await mayAdd(settings, visit, account))
      ? ctx.redirect(`/login/${interaction.uid}/new-passkey`)
      : showPasskey(settings, visit)
  const form = await readForm(ctx)
  if (!guard.accepts(ctx, form)) return showPasskey(settings, visit, expired, 403)
  const used = await ceremonies.verifyUse(ctx, form.get('response') ?? '')
  if (!used) return showPasskey(settings, visit, 'This passkey was not accepted. Try again.', 400)
  const owner = used.account
  if (owner.blocked) {
    await events.record(ctx, 'signInRefused', { account: owner, reason: 'blocked' })
    return showPasskey(settings, visit, formatBlocked(settings.brand), 403)
  }
  await rules.cancelRecovery(owner)
  await completeSignIn(settings, ctx, interaction, owner, 'passkey')
}

async function showPasskey(settings: FormSettings, { ctx, interaction, account }: Visit, problem?: string, status = 200): Promise<void> {
  const { pages, guard, ceremonies, brand } = settings
  const { uid } = interaction
  pages.form(ctx, {
    title: account ? 'Confirm it is you' : 'Sign in with a passkey',
    lead: account
      ? `Your organization asks for a passkey. You are signed in as ${account.email}.`
      : `Use the passkey of your ${brand.product} account.`,
    hidden: { proof: guard.createProof(ctx) },
    problem,
    status,
    fields: [],
    button: 'Use a passkey',
    passkey: { kind: 'use', options: await ceremonies.askToUse(ctx) },
    links: [
      { text: account ? 'Use another account' : 'Sign in with a password', href: `/login/${uid}?signin` },
      ...(account ? [{ text: 'I lost my passkey', href: `/login/${uid}/lost-passkey` }] : []),
    ],
  })
}

/** Without another passkey, only the first one may be added, or one after a recovery: a password alone must not lead past a passkey. */
const mayAdd = async (settings: FormSettings, { ctx }: Visit, account: Account): Promise<boolean> =>
  (await settings.storage.listPasskeys(account.id)).length === 0 ||
  (await settings.rules.isRecoveryConfirmed(account, hash(readRecovery(ctx))))

async function addPasskey(settings: FormSettings, visit: Visit): Promise<void> {
  const { ctx, interaction, account } = visit
  const { guard, ceremonies, rules, storage, events, notices } = settings
  const session = await getSession(settings, ctx)
  if (!account || !(await mayAdd(settings, visit, account))) return ctx.redirect(`/login/${interaction.uid}/passkey`)
  // After the password the user comes back here.
  if (!(await isRecent(storage, session))) return ctx.redirect(`/login/${interaction.uid}?signin=again`)
  if (ctx.method !== 'POST') return showNew(settings, visit, account)
  const form = await readForm(ctx)
  if (!guard.accepts(ctx, form)) return showNew(settings, visit, account, expired, 403)
  const passkey = await ceremonies.verifyNew(ctx, account, form.get('response') ?? '')
  if (!passkey) return showNew(settings, visit, account, 'This passkey was not accepted. Try again.', 400)
  const isRecovery = (await storage.listPasskeys(account.id)).length > 0
  if (isRecovery && !(await rules.useRecovery(account, hash(readRecovery(ctx))))) return ctx.redirect(`/login/${interaction.uid}/passkey`)
  if (!(await storage.addPasskey({ ...passkey, name: namePasskey() })))
    return showNew(settings, visit, account, 'This passkey was not accepted. Try again.', 400)
  // Only now: with no passkey left, a password would be enough to add one.
  if (isRecovery)
    await changeProtection(
      settings,
      ctx,
      account,
      { onlyPasskey: passkey.id },
      { event: 'recoveryUsed', notice: 'passkeyReplaced', session },
    )
  await events.record(ctx, 'passkeyAdded', { account })
  if (!isRecovery) notices.send(ctx, 'passkeyAdded', account)
  await completeSignIn(settings, ctx, interaction, account, 'passkey')
}

async function showNew(settings: FormSettings, { ctx }: Visit, account: Account, problem?: string, status = 200): Promise<void> {
  const { pages, guard, ceremonies, storage } = settings
  const isRecovery = (await storage.listPasskeys(account.id)).length > 0
  pages.form(ctx, {
    title: 'Add a passkey',
    lead: isRecovery
      ? `Your recovery is confirmed. This passkey replaces the previous ones of ${account.email}.`
      : `Your organization asks for a passkey. It is kept by this device or your security key, and signs ${account.email} in.`,
    hidden: { proof: guard.createProof(ctx) },
    problem,
    status,
    fields: [],
    button: 'Add a passkey',
    passkey: { kind: 'new', options: await ceremonies.askForNew(ctx, account) },
    links: [],
  })
}

async function askRecovery(settings: FormSettings, { ctx, interaction, account }: Visit): Promise<void> {
  const { pages, guard, rules, events, notices, brand } = settings
  const back = { text: 'Back to the sign-in', href: `/login/${interaction.uid}/passkey` }
  if (!account) return ctx.redirect(back.href)
  const form = ctx.method === 'POST' ? await readForm(ctx) : new Map<string, string>()
  const isAccepted = ctx.method === 'POST' && guard.accepts(ctx, form)
  if (!isAccepted)
    return pages.form(ctx, {
      title: 'Ask for a recovery',
      lead: 'You get a code, which you tell a manager of your organization. They confirm that it is you. Then this browser can add a new passkey, and the previous ones end.',
      hidden: { proof: guard.createProof(ctx) },
      ...(ctx.method === 'POST' && { status: 403, problem: expired }),
      fields: [],
      button: 'Ask for a recovery',
      links: [back],
    })
  const secret = randomBytes(24).toString('base64url')
  const code = randomInt(1_000_000).toString().padStart(6, '0')
  const [address, agent] = [getClientAddress(ctx.req, settings.trustProxy), describeBrowser(ctx.get('user-agent'))]
  const asked = await rules.askRecovery(account, { browser: hash(secret), code, address, agent })
  if ('refused' in asked)
    return asked.refused === 'too many'
      ? pages.problem(
          ctx,
          409,
          'Too many are open',
          `${asked.open} recoveries of this account are open already. A manager can refuse those that are not yours; each ends after a day.`,
        )
      : pages.problem(ctx, 409, 'It cannot be confirmed', `Your organization has no other manager. Ask ${brand.provider}.`)
  ctx.cookies.set(recoveryCookie(ctx), secret, { signed: true, httpOnly: true, sameSite: 'lax', path: '/', maxAge: recoveryKept * 1000 })
  await events.record(ctx, 'recoveryRequested', { account })
  notices.send(ctx, 'recoveryRequested', account)
  const text = `Your code is ${code}. Tell it to ${asked.managers}, so that they hear that it is you. They see when and from where you asked: on ${formatMoment(new Date())}, from the address ${address} with ${agent}. Once it is confirmed, sign in again in this browser within a day.`
  pages.message(ctx, 'A recovery was asked for', text, back)
}

const recoveryCookie = (ctx: Context): string => toCookieName(ctx, 'idp_recovery')
const readRecovery = (ctx: Context): string => ctx.cookies.get(recoveryCookie(ctx), { signed: true }) ?? ''
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

export const namePasskey = (): string =>
  `Passkey of ${new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })}`
