import { generateKeyPair, hkdfSync, randomUUID, type webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'
import type { Storage } from './storage.ts'

const generate = promisify(generateKeyPair)

/** The stored signing keys; makes the first one (RSA 2048, RS256) when there is none. */
export async function loadSigningKeys(storage: Storage): Promise<JWK[]> {
  const stored = await storage.loadKeys()
  if (stored.length > 0) return stored as JWK[]
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  await storage.saveFirstKey({
    ...privateKey.export({ format: 'jwk' }),
    kid: randomUUID(),
    alg: 'RS256',
    use: 'sig',
  } as webcrypto.JsonWebKey)
  // Loaded again: of two processes that start at once, one key is kept, and both must sign with it.
  return (await storage.loadKeys()) as JWK[]
}

/** Secrets that must survive a restart as the signing keys do (cookies, forms) are derived from those, one for each use and key. */
export function deriveSecrets(keys: JWK[], use: string): string[] {
  return keys.map((key) => Buffer.from(hkdfSync('sha256', key.d ?? '', '', `lectern-idp ${use}`, 32)).toString('base64url'))
}
