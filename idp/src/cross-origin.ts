import { discoveryPaths, endpoints } from './configuration.ts'
import type { Context } from './sign-in/browser.ts'

const readable = new Set<string>([endpoints.token, endpoints.revocation, endpoints.userinfo, endpoints.jwks, ...discoveryPaths])

/** Lets only the application's origins read the responses. By default the library lets every origin read keys and discovery. */
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
