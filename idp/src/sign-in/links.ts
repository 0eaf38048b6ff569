import { createHash, randomBytes } from 'node:crypto'
import type { Account, Message, Storage } from '../storage.ts'
import type { Brand } from './pages.ts'

export type LinkKind = 'verify-email' | 'reset-password'
type Link = { kind: LinkKind; accountId: string; email: string; consumed?: number; exp: number }

const model = 'Link'
// Seconds. A reset link opens an account, so it lives a short while only.
const lifetime: Record<LinkKind, number> = { 'verify-email': 3 * 24 * 3600, 'reset-password': 3600 }

type Settings = {
  storage: Storage
  publicUrl: string
  brand: Brand
  mail?: ((message: Message) => Promise<void>) | undefined
  onError: (error: unknown) => void
}

/** Links that prove an e-mail address is someone's: made, mailed, looked at, used once. Only a hash of the secret in them is stored. */
export function links({ storage, publicUrl, brand, mail, onError }: Settings) {
  async function find(kind: LinkKind, token: string): Promise<Link | undefined> {
    const link = (await storage.findRecord(model, hash(token))) as Link | undefined
    return link && link.kind === kind && !link.consumed && link.exp > Date.now() / 1000 ? link : undefined
  }

  const delivered = (sending: Promise<void>) =>
    sending.then(
      () => true,
      (error: unknown) => {
        onError(error)
        return false
      },
    )

  return {
    /** Mails a new link. Without mail, or when mailing fails, the message is kept for the operator. Never throws. */
    async send(kind: LinkKind, account: Account): Promise<void> {
      try {
        const token = randomBytes(32).toString('base64url')
        const expiresIn = lifetime[kind]
        const link: Link = { kind, accountId: account.id, email: account.email, exp: Math.floor(Date.now() / 1000) + expiresIn }
        await storage.upsertRecord(model, hash(token), link, expiresIn)
        const message = write(kind, brand, account.email, new URL(`/${kind}?token=${token}`, publicUrl).href)
        const mailed = await (mail ? delivered(mail(message)) : false)
        if (!mailed) await storage.keepMessage(message, expiresIn)
      } catch (error) {
        onError(error)
      }
    },

    /** Whose link it is, if it is one of that kind and still good. Looking does not use it up: mail programs open links by themselves. */
    find,

    /** Uses a link up. Undefined when it is not good any more; of two uses at once, one. */
    async use(kind: LinkKind, token: string): Promise<Link | undefined> {
      const link = await find(kind, token)
      return link && (await storage.consumeRecord(model, hash(token))) ? link : undefined
    },
  }
}

export type Links = ReturnType<typeof links>

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

function write(kind: LinkKind, { product, provider }: Brand, to: string, address: string): Message {
  const [subject, what, until] =
    kind === 'verify-email'
      ? [`Confirm your e-mail for ${product}`, 'Confirm that this e-mail address is yours:', 'The link is good for three days.']
      : [`Choose a new ${product} password`, 'Choose a new password here:', 'The link is good for one hour and works once.']
  const text = `${what}\n\n${address}\n\n${until} If you did not ask for it, you need not do anything.\n\n${product}, ${provider}\n`
  return { to, subject, text }
}
