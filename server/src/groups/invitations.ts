import { randomBytes } from 'node:crypto'
import type { Invitation } from '@lectern/contract/groups.ts'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Database } from '../lib/database/database.ts'
import { getSigningSecret } from '../lib/database/signing-secret.ts'
import { Problem } from '../lib/http/problem.ts'

const purpose = 'invitation'
const validDays = 7
const algorithm = 'HS256'

export async function signInvitation(db: Database, groupId: number): Promise<Invitation> {
  const expiresAt = new Date(Date.now() + validDays * 24 * 3_600_000)
  const invitation = await new SignJWT()
    .setProtectedHeader({ alg: algorithm })
    .setAudience(purpose)
    .setSubject(String(groupId))
    .setExpirationTime(expiresAt)
    .sign(await getSecret(db))
  return { invitation, expiresAt: expiresAt.toISOString() }
}

/** Throws a Problem 410 for an expired invitation, 400 for one that was not signed here or is for another group. */
export async function verifyInvitation(db: Database, invitation: string, groupId: number): Promise<void> {
  try {
    await jwtVerify(invitation, await getSecret(db), { audience: purpose, subject: String(groupId), algorithms: [algorithm] })
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new Problem(410, 'This invitation has expired. Ask your colleague for a new link.')
    if (!(error instanceof errors.JOSEError)) throw error
    throw new Problem(400, 'This invitation is not valid. Ask your colleague for a new link.')
  }
}

const getSecret = (db: Database): Promise<Uint8Array> => getSigningSecret(db, purpose, () => randomBytes(32))
