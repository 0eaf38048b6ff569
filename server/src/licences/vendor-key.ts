import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type LicenceFilePayload, licenceFileAlgorithm, licenceFileType, type VendorKey } from '@lectern/contract/licences/licence-file.ts'
import { CompactSign, calculateJwkThumbprint } from 'jose'
import type { Database } from '../lib/database/database.ts'
import { signingSecret } from '../lib/signing-secret.ts'

/** The vendor's Ed25519 key, by which an agent knows a licence file without asking anybody. */
async function getPrivateKey(db: Database): Promise<KeyObject> {
  const make = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
  return createPrivateKey({ key: Buffer.from(await signingSecret(db, 'licence', make)), format: 'der', type: 'pkcs8' })
}

/** Its public half; the key's id is its thumbprint (RFC 7638). */
export const vendorKey = async (db: Database): Promise<VendorKey> => publicHalf(await getPrivateKey(db))

async function publicHalf(key: KeyObject): Promise<VendorKey> {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const half = { kty: 'OKP', crv: 'Ed25519', x } as const
  return { ...half, kid: await calculateJwkThumbprint(half), alg: licenceFileAlgorithm, use: 'sig' }
}

/** The text of a licence file. */
export async function signLicenceFile(db: Database, payload: LicenceFilePayload): Promise<string> {
  const key = await getPrivateKey(db)
  const { kid } = await publicHalf(key)
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: licenceFileAlgorithm, typ: licenceFileType, kid })
    .sign(key)
}
