import { IncomingMessage } from 'node:http'
import { endpoints } from './configuration.ts'
import { type Context, readBody } from './sign-in/browser.ts'

const limit = 56 * 1024

/**
 * The client posts to the token endpoint as a form or as JSON; the library reads forms. A JSON request comes back as the form it means,
 * every other one as it is; undefined when the JSON cannot be read.
 */
export async function asForm(req: IncomingMessage, accepts?: (chunk: Uint8Array) => boolean): Promise<IncomingMessage | undefined> {
  const path = req.url?.split('?')[0]
  const json = /^application\/json\b/i.test(req.headers['content-type'] ?? '')
  if (req.method !== 'POST' || !json || (path !== endpoints.token && path !== endpoints.revocation)) return req
  const fields = parseFields(await readBody(req, limit, accepts))
  if (!fields) return undefined
  const body = Buffer.from(new URLSearchParams(fields).toString())
  const form = new IncomingMessage(req.socket)
  // `complete`: a request that was not read to its end takes the connection down with it.
  Object.assign(form, { method: req.method, url: req.url, httpVersion: req.httpVersion, complete: true })
  const { 'transfer-encoding': _, ...headers } = req.headers
  form.headers = { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
  form.push(body)
  form.push(null)
  return form
}

function parseFields(body: Buffer | undefined): Record<string, string> | undefined {
  try {
    const parsed: unknown = JSON.parse(body?.toString('utf8') ?? '')
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
    const filled = Object.entries(parsed).filter(([, value]) => value !== null)
    if (filled.some(([, value]) => typeof value === 'object')) return undefined
    return Object.fromEntries(filled.map(([name, value]) => [name, String(value)]))
  } catch {
    return undefined
  }
}

/** Says "invalid refresh token" where a renewal is refused: only by that text does the client know to fall back to the frame. */
export async function sayInvalidRefreshToken(ctx: Context, next: () => Promise<void>): Promise<void> {
  await next()
  const answer = ctx.body as { error?: string; error_description?: string } | undefined
  if (ctx.path === endpoints.token && answer?.error === 'invalid_grant' && ctx.oidc.params.grant_type === 'refresh_token') {
    answer.error_description = 'Unknown or invalid refresh token.'
  }
}
