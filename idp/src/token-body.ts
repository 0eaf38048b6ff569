import { IncomingMessage } from 'node:http'
import { endpoints } from './configuration.ts'
import { type Context, readBody } from './sign-in/browser.ts'

const maxBytes = 56 * 1024

/** The library reads only forms, so a JSON request to the token endpoint becomes one. Undefined where the JSON is not valid. */
export async function toFormRequest(req: IncomingMessage, accepts?: (chunk: Uint8Array) => boolean): Promise<IncomingMessage | undefined> {
  const path = req.url?.split('?')[0]
  const json = /^application\/json\b/i.test(req.headers['content-type'] ?? '')
  if (req.method !== 'POST' || !json || (path !== endpoints.token && path !== endpoints.revocation)) return req
  const fields = parseFields(await readBody(req, maxBytes, accepts))
  if (!fields) return undefined
  const body = Buffer.from(new URLSearchParams(fields).toString())
  const form = new IncomingMessage(req.socket)
  // Without `complete`, the connection is closed after the response.
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

/** The client falls back to silent sign-in only if the text has "invalid refresh token". */
export async function describeInvalidRefreshToken(ctx: Context, next: () => Promise<void>): Promise<void> {
  await next()
  const body = ctx.body as { error?: string; error_description?: string } | undefined
  if (ctx.path === endpoints.token && body?.error === 'invalid_grant' && ctx.oidc.params.grant_type === 'refresh_token') {
    body.error_description = 'Unknown or invalid refresh token.'
  }
}
