import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Provider } from 'oidc-provider'

export type Context = Parameters<Parameters<Provider['use']>[0]>[0]

const maxFormBytes = 16 * 1024

/** Over https, neither another host nor a page over http can set a cookie with this name. */
export const toCookieName = ({ secure }: { secure: boolean }, name: string): string => (secure ? `__Host-${name}` : name)

/** Returns undefined where the body is larger than `limit` bytes, or `accepts` refuses a piece of it. */
export async function readBody(
  req: IncomingMessage,
  limit: number,
  accepts: (chunk: Uint8Array) => boolean = () => true,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  // The request stays open where it is too large, so that the refusal can still be sent.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > limit || !accepts(chunk)) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function readForm(ctx: Context): Promise<Map<string, string>> {
  const body = ctx.is('application/x-www-form-urlencoded') ? await readBody(ctx.req, maxFormBytes) : undefined
  return new Map([...new URLSearchParams(body?.toString('utf8'))].map(([name, value]) => [name, value.replaceAll('\0', '')]))
}

/** @param secrets the first one signs; forms signed by the others are accepted */
export function createFormGuard(secrets: [string, ...string[]], origin: string) {
  const signCookie = (cookie: string, secret = secrets[0]) => createHmac('sha256', secret).update(cookie).digest('base64url')
  const isEqual = (given: Buffer, expected: Buffer) => given.length === expected.length && timingSafeEqual(given, expected)
  // Proofs made for requests without a cookie.
  const made = new WeakMap<IncomingMessage, string>()
  const isForeign = (ctx: Context): boolean => !['', origin].includes(ctx.get('origin'))
  return {
    /** Makes a new proof only in a page of the provider's own: the form of another site comes without the cookie, and gets none. */
    createProof(ctx: Context): string {
      const name = toCookieName(ctx, 'idp_form')
      let cookie = ctx.cookies.get(name, { signed: false }) ?? made.get(ctx.req)
      if (!cookie) {
        cookie = randomBytes(24).toString('base64url')
        made.set(ctx.req, cookie)
        if (!isForeign(ctx)) ctx.cookies.set(name, cookie, { signed: false, httpOnly: true, sameSite: 'lax', path: '/' })
      }
      return signCookie(cookie)
    },
    accepts(ctx: Context, form: Map<string, string>): boolean {
      const cookie = ctx.cookies.get(toCookieName(ctx, 'idp_form'), { signed: false })
      if (!cookie || isForeign(ctx)) return false
      const given = Buffer.from(form.get('proof') ?? '')
      return secrets.some((secret) => isEqual(given, Buffer.from(signCookie(cookie, secret))))
    },
  }
}

export type FormGuard = ReturnType<typeof createFormGuard>

/** @param proxies how many are in front; each appends its caller to X-Forwarded-For. Callers themselves can write earlier entries. */
export function getClientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const callers = [...forwarded, socket.remoteAddress ?? 'unknown']
  return callers.at(-1 - proxies) ?? callers[0]!
}
