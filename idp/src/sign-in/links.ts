import { createHash, randomBytes } from 'node:crypto'
import type { Account, Message, Storage } from '../storage.ts'
import type { Brand } from './pages.ts'

export type LinkKind = 'verify-email' | 'reset-password'
type Link = { kind: LinkKind; accountId: string; email: string; consumed?: number; exp: number }

const model = 'Link'
// Seconds. Short for a reset link, since it gives access to an account.
const lifetimes: Record<LinkKind, number> = { 'verify-email': 3 * 24 * 3600, 'reset-password': 3600 }

interface Settings {
  storage: Storage
  publicUrl: string
  brand: Brand
  mail?: ((message: Message) => Promise<void>) | undefined
  onError: (error: unknown) => void
}

/** Mailed links that work once. Only a hash of their token is stored. */
export function createLinks({ storage, publicUrl, brand, mail, onError }: Settings) {
  async function find(kind: LinkKind, token: string): Promise<Link | undefined> {
    const link = (await storage.findRecord(model, hash(token))) as Link | undefined
    return link && link.kind === kind && !link.consumed && link.exp > Date.now() / 1000 ? link : undefined
  }

  const isDelivered = (sending: Promise<void>) =>
    sending.then(
      () => true,
      (error: unknown) => {
        onError(error)
        return false
      },
    )

  return {
    /** Without mail, or when it fails, the message is saved for the operator. Never throws. */
    async send(kind: LinkKind, account: Account): Promise<void> {
      try {
        const token = randomBytes(32).toString('base64url')
        const expiresIn = lifetimes[kind]
        const link: Link = { kind, accountId: account.id, email: account.email, exp: Math.floor(Date.now() / 1000) + expiresIn }
        await storage.upsertRecord(model, hash(token), link, expiresIn)
        const message = toMessage(kind, brand, account.email, new URL(`/${kind}?token=${token}`, publicUrl).href)
        const mailed = await (mail ? isDelivered(mail(message)) : false)
        if (!mailed) await storage.saveMessage(message, expiresIn)
      } catch (error) {
        onError(error)
      }
    },

    /** Undefined where it is expired or used. Does not use it, since mail programs open links. */
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
  const [subject, what, until] =
    kind === 'verify-email'
      ? [`Confirm your e-mail for ${product}`, 'Confirm that this e-mail address is yours:', 'The link is valid for three days.']
      : [`Choose a new ${product} password`, 'Choose a new password here:', 'The link is valid for one hour and works once.']
  const text = `${what}\n\n${address}\n\n${until} If you did not request it, ignore this message.\n\n${product}, ${provider}\n`
  return { to, subject, text }
}
