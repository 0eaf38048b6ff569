import { createHash } from 'node:crypto'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Context, FormGuard } from '../sign-in/browser.ts'
import type { SecurityLog } from '../sign-in/security-log.ts'
import type { Account, Storage } from '../storage.ts'

const model = 'Challenge'
// Seconds.
const challengeLifetime = 600
export const mostPasskeys = 20

interface Settings {
  storage: Storage
  guard: FormGuard
  events: SecurityLog
  origin: string
  product: string
}

type Purpose = 'new' | 'use'

/** Parses the browser's response; undefined where it is no such object. */
function parseResponse<Response extends { id: string }>(text: string): Response | undefined {
  try {
    const value = JSON.parse(text) as Response | null
    return typeof value?.id === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

function createChallenges(storage: Storage, guard: FormGuard) {
  async function keepChallenge(ctx: Context, challenge: string, purpose: Purpose, account?: Account): Promise<void> {
    const record = {
      purpose,
      browser: hash(guard.createProof(ctx)),
      account: account?.id,
      exp: Math.floor(Date.now() / 1000) + challengeLifetime,
    }
    await storage.upsertRecord(model, hash(challenge), record, challengeLifetime)
  }

  const takeChallenge = (ctx: Context, purpose: Purpose, account?: Account) => async (challenge: string) => {
    const record = await storage.findRecord(model, hash(challenge))
    const isOurs =
      record?.purpose === purpose && record.browser === hash(guard.createProof(ctx)) && (record.account ?? undefined) === account?.id
    return isOurs && Number(record.exp) > Date.now() / 1000 && (await storage.consumeRecord(model, hash(challenge)))
  }

  return { keepChallenge, takeChallenge }
}

const createRefusal =
  (events: SecurityLog) =>
  async (ctx: Context, account: Account, error: Error): Promise<undefined> => {
    await events.record(ctx, 'passkeyRefused', { account, reason: error.message.slice(0, 300) })
  }

/**
 * WebAuthn for the provider's own address. A challenge is for one use in one browser, and for a new passkey for one account. The person is
 * always verified, as there is no password in addition.
 */
export function createCeremonies({ storage, guard, events, origin, product }: Settings) {
  const rpID = new URL(origin).hostname

  const { keepChallenge, takeChallenge } = createChallenges(storage, guard)
  const refuse = createRefusal(events)
  const common = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true }

  return {
    async askForNew(ctx: Context, account: Account): Promise<object> {
      const known = await storage.listPasskeys(account.id)
      const options = await generateRegistrationOptions({
        rpName: product,
        rpID,
        userName: account.email,
        userDisplayName: account.name ?? account.email,
        userID: new TextEncoder().encode(account.id),
        excludeCredentials: known.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await keepChallenge(ctx, options.challenge, 'new', account)
      return options
    },

    async askToUse(ctx: Context): Promise<object> {
      const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
      await keepChallenge(ctx, options.challenge, 'use')
      return options
    },

    /** Returns what `addPasskey` takes; undefined where the response is not for this challenge, address or browser. */
    async verifyNew(ctx: Context, account: Account, text: string) {
      const response = parseResponse<RegistrationResponseJSON>(text)
      const verifying =
        response && verifyRegistrationResponse({ ...common, response, expectedChallenge: takeChallenge(ctx, 'new', account) })
      const result = await verifying?.catch((error: Error) => refuse(ctx, account, error))
      if (!result?.verified) return undefined
      const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
      return { id, accountId: account.id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports: [...transports] }
    },

    async verifyUse(ctx: Context, text: string): Promise<{ account: Account; passkeyId: string } | undefined> {
      const response = parseResponse<AuthenticationResponseJSON>(text)
      const passkey = response && (await storage.findPasskey(response.id))
      const account = passkey && (await storage.findAccount(passkey.accountId))
      if (!account) return undefined
      const { id, counter } = passkey
      const result = await verifyAuthenticationResponse({
        ...common,
        response,
        expectedChallenge: takeChallenge(ctx, 'use'),
        // `usePasskey` compares the counter, for all servers together.
        credential: { id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: 0 },
      }).catch((error: Error) => refuse(ctx, account, error))
      if (!result?.verified) return undefined
      const { newCounter } = result.authenticationInfo
      if (await storage.usePasskey(id, newCounter)) return { account, passkeyId: id }
      await events.record(ctx, 'passkeyRefused', { account, reason: `its counter went from ${counter} to ${newCounter}` })
      return undefined
    },
  }
}

export type Ceremonies = ReturnType<typeof createCeremonies>
