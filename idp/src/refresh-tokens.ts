import { createHash, createHmac } from 'node:crypto'
import { type Adapter, errors, Provider } from 'oidc-provider'
import { endGrant } from './end-session.ts'
import { getClientAddress } from './sign-in/browser.ts'
import { toAddressKey } from './sign-in/rate-limit.ts'
import type { SecurityLog } from './sign-in/security-log.ts'
import type { Storage, StoredRecord } from './storage.ts'

/** Seconds for which a client whose response was lost may ask again (SES-10, decision 0050). */
const repeatSeconds = 30
const model = 'RefreshToken'

interface Settings {
  storage: Storage
  secret: string
  trustProxy: number
  events: SecurityLog
}

/**
 * The same client may use a used refresh token again as long as its successor is unused, and gets the same successor. Any other use ends
 * its family: everything that was granted with it.
 */
export function createRefreshTokens({ storage, secret, trustProxy, events }: Settings) {
  const toSuccessor = (id: string) => createHmac('sha256', secret).update(id).digest('base64url')
  const isRepeat = ({ consumed, consumedBy }: StoredRecord) =>
    Date.now() / 1000 - Number(consumed) <= repeatSeconds && consumedBy === identifyClient(trustProxy)

  const recordReuse = ({ accountId }: StoredRecord) => {
    const ctx = Provider.ctx
    if (ctx)
      void storage.findAccount(String(accountId)).then(
        (account) => events.record(ctx, 'refreshTokenReused', { account }),
        () => {},
      )
  }

  return {
    adapt(adapter: Adapter): Adapter {
      return {
        ...adapter,
        async find(id) {
          const record = await adapter.find(id)
          if (!record?.consumed) return record
          if (!isRepeat(record) || (await adapter.find(toSuccessor(id)))?.consumed) {
            recordReuse(record)
            return record
          }
          const { consumed: _, ...unused } = record
          return unused
        },
        async consume(id) {
          // The library checks before it consumes, so two concurrent requests both pass its check.
          if (await storage.consumeRecord(model, id, identifyClient(trustProxy))) return
          const record = await storage.findRecord(model, id)
          if (record && isRepeat(record)) return
          if (record) recordReuse(record)
          if (typeof record?.grantId === 'string') await endGrant(storage, record.grantId)
          throw new errors.InvalidGrant('refresh token already used')
        },
      }
    },

    /** Derives a refresh token's id from the one that it replaces, so that a repetition at any server gets the same one. */
    nameSuccessors(provider: Provider): void {
      const { generateTokenId } = provider.RefreshToken.prototype as unknown as { generateTokenId(): string }
      Object.assign(provider.RefreshToken.prototype, {
        generateTokenId(this: unknown) {
          const replaced = Provider.ctx?.oidc.entities.RotatedRefreshToken
          return replaced ? toSuccessor(replaced.jti) : generateTokenId.call(this)
        },
      })
    },
  }
}

/** A public client has no secret, so it is recognized by its address and its program. */
function identifyClient(trustProxy: number): string {
  const req = Provider.ctx?.req
  if (!req) return ''
  const address = toAddressKey(getClientAddress(req, trustProxy))
  return createHash('sha256')
    .update(`${address}\n${req.headers['user-agent'] ?? ''}`)
    .digest('base64url')
}
