import type { Provider } from 'oidc-provider'
import { endpoints } from './configuration.ts'
import { endSession } from './end-session.ts'
import { type Context, type FormGuard, readForm } from './sign-in/browser.ts'
import type { Brand, Pages } from './sign-in/pages.ts'
import type { SecurityLog } from './sign-in/security-log.ts'
import type { Storage } from './storage.ts'

interface Settings {
  provider: Provider
  storage: Storage
  clientId: string
  logoutUris: string[]
  pages: Pages
  guard: FormGuard
  brand: Brand
  events: SecurityLog
}

/**
 * `/v2/logout`, by GET or POST: the hosted service's `client_id`, `returnTo` and `federated` (spec §7), and the parameters of OpenID
 * RP-initiated logout. The default return address is the first registered one. An unregistered address is refused, and the session stays.
 * `federated` has no effect, as there is no upstream provider. Without the session's ID token as `id_token_hint` the user is asked, so that
 * no other page can sign anyone out.
 */
export function handleLogout(settings: Settings) {
  const { provider, storage, clientId, logoutUris, pages, guard } = settings
  const registered = new Set(logoutUris.map((uri) => new URL(uri).href))
  return async (ctx: Context, next: () => Promise<void>) => {
    if (ctx.path !== endpoints.logout || (ctx.method !== 'GET' && ctx.method !== 'POST')) return next()
    const form = ctx.method === 'POST' ? await readForm(ctx) : new Map<string, string>()
    const read = (name: string) => form.get(name) ?? (typeof ctx.query[name] === 'string' ? ctx.query[name] : undefined)
    const returnTo = read('post_logout_redirect_uri') ?? read('returnTo') ?? logoutUris[0]
    const target = returnTo === undefined ? null : URL.parse(returnTo)
    if ((read('client_id') ?? clientId) !== clientId) return pages.problem(ctx, 400, 'Sign-out failed', 'Unknown application.')
    if (!target || !registered.has(target.href))
      return pages.problem(ctx, 400, 'Sign-out failed', 'The return address does not belong to this application.')
    const session = await provider.Session.get(ctx as Parameters<typeof provider.Session.get>[0])
    if (session.accountId) {
      const isConfirmed = form.has('proof') && guard.accepts(ctx, form)
      if (!isConfirmed && !(await isSubject(settings, session.accountId, read('id_token_hint'))))
        return showQuestion(settings, ctx, session.accountId, form.has('proof'))
      await endSession(storage, session)
      await settings.events.record(ctx, 'signOut', { account: await storage.findAccount(session.accountId) })
      // Only here: a form of another site comes without the cookie, and must not clear it.
      ctx.cookies.set(provider.cookieName('session'), null)
    }
    const state = read('state')
    if (state !== undefined) target.searchParams.set('state', state)
    ctx.status = 303
    ctx.redirect(target.href)
  }
}

/** Whether a token is an ID token of the account; an expired one counts. */
async function isSubject({ provider, clientId }: Settings, accountId: string, idToken = ''): Promise<boolean> {
  const client = await provider.Client.find(clientId)
  const valid = client && (await provider.IdToken.validate(idToken, client).catch(() => undefined))
  return valid?.payload.sub === accountId
}

async function showQuestion({ storage, pages, guard, brand, logoutUris }: Settings, ctx: Context, accountId: string, isExpired: boolean) {
  const account = await storage.findAccount(accountId)
  pages.form(ctx, {
    title: `Sign out of ${brand.product}?`,
    lead: account ? `You are signed in as ${account.email}.` : 'You are signed in.',
    hidden: { proof: guard.createProof(ctx) },
    ...(isExpired && { status: 403, problem: 'This form has expired. Try again.' }),
    fields: [],
    button: 'Sign out',
    links: [{ text: `Back to ${brand.product}`, href: logoutUris[0] ?? '/' }],
  })
}
