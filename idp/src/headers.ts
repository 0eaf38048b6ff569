import type { Context } from './sign-in/browser.ts'

/** Headers of every answer. Only the web_message answer may stand in a frame, and only in one of the application's own origins. */
export function securityHeaders(applicationOrigins: ReadonlySet<string>) {
  const origins = [...applicationOrigins].join(' ')
  // A posted sign-in ends in a redirect to the application, which browsers check against form-action as well.
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    'script-src',
    `form-action 'self' ${origins}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return async (ctx: Context, next: () => Promise<void>) => {
    ctx.set('Content-Security-Policy', policy.join(';'))
    ctx.set('X-Frame-Options', 'DENY')
    ctx.set('X-Content-Type-Options', 'nosniff')
    // Not `no-referrer`: with that, browsers send forms with the origin "null".
    ctx.set('Referrer-Policy', 'same-origin')
    ctx.set('Cache-Control', 'no-store')
    await next()
    const sent = ctx.response.get('content-security-policy')
    // The library takes the frame rule off the one answer that has to stand in a frame.
    if (sent && !sent.includes('frame-ancestors')) ctx.set('Content-Security-Policy', `${sent};frame-ancestors 'self' ${origins}`)
  }
}
