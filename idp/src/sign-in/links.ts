import { createHash, randomBytes } from 'node:crypto'
import type { Message, Storage } from '../storage.ts'
import type { Delivery } from './delivery.ts'
import type { Brand } from './pages.ts'

export type LinkKind = 'verify-email' | 'reset-password' | 'create-account'
// `accountId`: null where the link makes the account. `login`: the sign-in that the link continues.
type Link = { kind: LinkKind; accountId: string | null; email: string; login?: string | undefined; consumed?: number; exp: number }

const model = 'Link'
// Seconds. Short for a reset link, as it gives access to an account.
const lifetimes: Record<LinkKind, number> = { 'verify-email': 3 * 24 * 3600, 'reset-password': 3600, 'create-account': 24 * 3600 }

interface Recipient {
  id: string | null
  email: string
  login?: string
}

interface Settings {
  home: string
  storage: Storage
  publicUrl: string
  brand: Brand
  deliver: Delivery
  onError: (error: unknown) => void
}

/** Mailed links that work once. Only a hash of their token is stored. */
export function createLinks({ storage, publicUrl, home, brand, deliver, onError }: Settings) {
  async function find(kind: LinkKind, token: string): Promise<Link | undefined> {
    const link = (await storage.findRecord(model, hash(token))) as Link | undefined
    return link && link.kind === kind && !link.consumed && link.exp > Date.now() / 1000 ? link : undefined
  }

  async function sendLink(kind: LinkKind, { id, email, login }: Recipient): Promise<void> {
    const token = randomBytes(32).toString('base64url')
    const expiresIn = lifetimes[kind]
    const link: Link = { kind, accountId: id, email, login, exp: Math.floor(Date.now() / 1000) + expiresIn }
    await storage.upsertRecord(model, hash(token), link, expiresIn)
    await deliver(toMessage(kind, brand, email, new URL(`/${kind}?token=${token}`, publicUrl).href), expiresIn)
  }

  return {
    /** Never throws. */
    send: (kind: LinkKind, recipient: Recipient): Promise<void> => sendLink(kind, recipient).catch(onError),

    /** For a person who asked for a second account with an address. Never throws. */
    sendKnown: (email: string): Promise<void> =>
      deliver(toKnownMessage(brand, email, home, new URL('/reset-password', publicUrl).href), lifetimes['create-account']),

    /** Returns undefined where the link is expired or used. Does not use it up, as mail programs open links. */
    find,

    async use(kind: LinkKind, token: string): Promise<Link | undefined> {
      const link = await find(kind, token)
      return link && (await storage.consumeRecord(model, hash(token))) ? link : undefined
    },
  }
}

export type Links = ReturnType<typeof createLinks>

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

function toMessage(kind: LinkKind, { product, provider }: Brand, to: string, address: string): Message {
  const texts: Record<LinkKind, [subject: string, what: string, until: string]> = {
    'verify-email': [
      `Confirm your e-mail for ${product}`,
      'Confirm that this e-mail address is yours:',
      'The link is valid for three days.',
    ],
    'reset-password': [`Choose a new ${product} password`, 'Choose a new password here:', 'The link is valid for one hour and works once.'],
    'create-account': [
      `Create your ${product} account`,
      'Choose a password for your new account here:',
      'The link is valid for one day and works once.',
    ],
  }
  const [subject, what, until] = texts[kind]
  const text = `${what}\n\n${address}\n\n${until} If you did not request it, ignore this message.\n\n${product}, ${provider}\n`
  return { to, subject, text }
}

function toKnownMessage({ product, provider }: Brand, to: string, home: string, reset: string): Message {
  const text = `A new account was requested for this e-mail address, which has one already. Sign in here:\n\n${home}\n\nIf you forgot the password, choose a new one here:\n\n${reset}\n\nIf you did not request it, ignore this message.\n\n${product}, ${provider}\n`
  return { to, subject: `You have a ${product} account`, text }
}
