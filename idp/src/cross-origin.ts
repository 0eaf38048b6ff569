import { discoveryPaths, endpoints } from './configuration.ts'
import type { Context } from './sign-in/browser.ts'

/** What an application reads by script. Everything else is for a browser to go to. */
const readable = new Set<string>([endpoints.token, endpoints.revocation, endpoints.userinfo, endpoints.jwks, ...discoveryPaths])

/**
 * Lets scripts read the answers at exactly the application's origins, refusals included. The library by itself answers anybody's
 * preflights, opens keys and discovery to everybody, and knows nothing of the answers it does not give.
 */
export function crossOrigin(origins: ReadonlySet<string>) {
  return async (ctx: Context, next: () => Promise<void>) => {
    await next()
    if (!readable.has(ctx.path)) return
    const sender = ctx.get('origin')
    ctx.vary('Origin')
    if (origins.has(sender)) ctx.set('Access-Control-Allow-Origin', sender)
    else ctx.remove('Access-Control-Allow-Origin')
  }
}
