import { discoveryPaths, endpoints } from './configuration.ts'
import type { Context } from './sign-in/browser.ts'

const readable = new Set<string>([endpoints.token, endpoints.revocation, endpoints.userinfo, endpoints.jwks, ...discoveryPaths])

/** Only the application's origins may read the responses. By itself, the library permits keys and discovery to every origin. */
export function restrictOrigins(origins: ReadonlySet<string>) {
  return async (ctx: Context, next: () => Promise<void>) => {
    await next()
    if (!readable.has(ctx.path)) return
    const sender = ctx.get('origin')
    ctx.vary('Origin')
    if (origins.has(sender)) ctx.set('Access-Control-Allow-Origin', sender)
    else ctx.remove('Access-Control-Allow-Origin')
  }
}
