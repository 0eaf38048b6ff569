import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Provider } from 'oidc-provider'

/** One request to the provider and its answer. */
export type Context = Parameters<Parameters<Provider['use']>[0]>[0]

const formLimit = 16 * 1024
const formCookie = 'idp_form'

/** Reads a request's body; undefined when it is larger than `limit` bytes, or `accepts` refuses a piece of it. */
export async function readBody(
  req: IncomingMessage,
  limit: number,
  accepts: (chunk: Uint8Array) => boolean = () => true,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  // Left open when it is refused, so that the refusal can still be sent.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > limit || !accepts(chunk)) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The fields of a posted form, each once and without NUL characters; too large a form counts as an empty one. */
export async function readForm(ctx: Context): Promise<Map<string, string>> {
  const body = ctx.is('application/x-www-form-urlencoded') ? await readBody(ctx.req, formLimit) : undefined
  return new Map([...new URLSearchParams(body?.toString('utf8'))].map(([name, value]) => [name, value.replaceAll('\0', '')]))
}

/** A form carries proof that this browser was given it: no other site can make a person send one. */
export function formGuard(secret: string, origin: string) {
  const signCookie = (cookie: string) => createHmac('sha256', secret).update(cookie).digest('base64url')
  return {
    /** The proof to put into a form; sets the cookie it belongs to. */
    proof(ctx: Context): string {
      let cookie = ctx.cookies.get(formCookie, { signed: false })
      if (!cookie) {
        cookie = randomBytes(24).toString('base64url')
        ctx.cookies.set(formCookie, cookie, { signed: false, httpOnly: true, sameSite: 'lax', path: '/' })
      }
      return signCookie(cookie)
    },
    /** Whether a posted form comes from a page of ours in this same browser. */
    accepts(ctx: Context, form: Map<string, string>): boolean {
      const cookie = ctx.cookies.get(formCookie, { signed: false })
      const sender = ctx.get('origin')
      if (!cookie || (sender && sender !== origin)) return false
      const [given, expected] = [Buffer.from(form.get('proof') ?? ''), Buffer.from(signCookie(cookie))]
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

export type FormGuard = ReturnType<typeof formGuard>

/** The address of the person behind a request: the connection's, or what the one trusted proxy in front appended last. */
export function clientAddress(req: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy
    ? String(req.headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : undefined
  return forwarded || req.socket.remoteAddress || 'unknown'
}
