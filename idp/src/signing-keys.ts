import { generateKeyPair, hkdfSync, randomUUID, type webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'
import type { Storage, StoredKey } from './storage.ts'

// Seconds. A new key is published before it signs, as those who check tokens may have read the keys just before.
const leadTime = 60
// Seconds by which clocks may differ.
const clockTolerance = 60
const keptMs = 1_000

/** `published`: the first one signs. `all`: also keys whose tokens have expired; the secrets of older cookies come from them. */
export interface SigningKeys {
  published: JWK[]
  all: JWK[]
}

/** @param tokenLifetime seconds; a replaced key stays published until the last of its tokens has expired */
export function createSigningKeys(storage: Storage, tokenLifetime: number): () => Promise<SigningKeys> {
  let [reading, readAt] = [load(), Date.now()]
  async function load(): Promise<SigningKeys> {
    const stored = await storage.loadKeys()
    if (stored.length > 0) return arrange(stored, tokenLifetime)
    await storage.saveFirstKey(await generateSigningKey())
    // Loaded again, as another process may have saved its key first.
    return arrange(await storage.loadKeys(), tokenLifetime)
  }
  return () => {
    if (Date.now() - readAt <= keptMs) return reading
    const known = reading
    readAt = Date.now()
    // While the storage does not respond, the known keys stay.
    reading = load().catch(() => known)
    return reading
  }
}

export async function generateSigningKey(): Promise<webcrypto.JsonWebKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' } as webcrypto.JsonWebKey
}

/** Derived, so that cookies and forms survive a restart and a new key. The first secret is from the key that signs. */
export function deriveSecrets({ all }: SigningKeys, use: string): [string, ...string[]] {
  const secrets = all.map((key) => Buffer.from(hkdfSync('sha256', key.d ?? '', '', `lectern-idp ${use}`, 32)).toString('base64url'))
  return secrets as [string, ...string[]]
}

function arrange(stored: StoredKey[], tokenLifetime: number): SigningKeys {
  const current = stored.findIndex(({ age }, index) => age >= leadTime || index === stored.length - 1)
  const isPublished = (index: number) => index <= current || stored[index - 1]!.age < leadTime + tokenLifetime + clockTolerance
  const signing = stored[current]!
  const others = stored.filter((key) => key !== signing)
  const published = others.filter((key) => isPublished(stored.indexOf(key)))
  const toJwks = (keys: StoredKey[]) => [signing, ...keys].map(({ jwk }) => jwk as JWK)
  return { published: toJwks(published), all: toJwks(others) }
}
