import type { Provider } from 'oidc-provider'
import { endpoints } from './configuration.ts'
import type { Context } from './sign-in/browser.ts'
import type { Pages } from './sign-in/pages.ts'
import type { Storage } from './storage.ts'

type Session = NonNullable<Awaited<ReturnType<Provider['Session']['findByUid']>>>

export async function endSession(storage: Storage, session: Session): Promise<void> {
  for (const { grantId } of Object.values(session.authorizations ?? {})) {
    if (!grantId) continue
    for (const model of ['AuthorizationCode', 'AccessToken', 'RefreshToken']) await storage.deleteRecordsByGrant(model, grantId)
    await storage.deleteRecord('Grant', grantId)
  }
  await session.destroy()
}

interface Settings {
  provider: Provider
  storage: Storage
  clientId: string
  logoutUris: string[]
  pages: Pages
}

/**
 * GET /v2/logout?client_id&returnTo&federated (spec §7). `returnTo` defaults to the first registered address; an unregistered one is
 * refused and the session stays. `federated` has no effect, since there is no upstream provider.
 */
export function handleLogout({ provider, storage, clientId, logoutUris, pages }: Settings) {
  const registered = new Set(logoutUris.map((uri) => new URL(uri).href))
  return async (ctx: Context, next: () => Promise<void>) => {
    if (ctx.path !== endpoints.logout || ctx.method !== 'GET') return next()
    const { client_id: client = clientId, returnTo = logoutUris[0] } = ctx.query
    const target = typeof returnTo === 'string' ? URL.parse(returnTo)?.href : undefined
    if (client !== clientId) return pages.problem(ctx, 400, 'Sign-out failed', 'Unknown application.')
    if (!target || !registered.has(target)) {
      return pages.problem(ctx, 400, 'Sign-out failed', 'The return address does not belong to this application.')
    }
    const session = await provider.Session.get(ctx as Parameters<typeof provider.Session.get>[0])
    if (session.accountId) await endSession(storage, session)
    ctx.cookies.set(provider.cookieName('session'), null)
    ctx.status = 303
    ctx.redirect(target)
  }
}
