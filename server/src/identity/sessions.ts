import { LRUCache } from 'lru-cache'
import type { Database } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import { inBatches } from '../lib/in-batches.ts'
import { selectGrants } from './provider-sql.ts'
import { insertEndedSession, selectEndedSessions } from './sql.ts'
import type { Claims, LogoutToken } from './tokens.ts'

/** Milliseconds for which a server believes what it has read of a session (SES-01, decision 0048). */
export const sessionKeptMs = 2_000
const mostKept = 20_000

export interface Sessions {
  /** Returns the claims with the permissions that the account still has. Throws a Problem 401 where the session has ended. */
  narrow(claims: Claims): Promise<Claims>
}

const ended = () => new Problem(401, 'The session has ended. Sign in again.')

// For the embedded provider: a token is worth what its sign-in and its account are at this moment.
export function createEmbeddedSessions(db: Database): Sessions {
  const findGrant = inBatches(async (grants) => new Map((await selectGrants(db, grants)).map((grant) => [grant.id, grant])))
  const find = keep(async (key) => {
    const [id = '', subject = ''] = key.split(' ')
    const grant = await findGrant(id)
    return grant?.account === subject ? grant : undefined
  })
  return {
    async narrow(claims) {
      const { grant } = claims.session
      // A token with other permissions reads its account anew, as these may just have been granted.
      const account = grant === undefined ? undefined : await find([grant, claims.subject, ...claims.permissions].join(' '))
      if (!account) throw ended()
      return { ...claims, permissions: claims.permissions.filter((permission) => account.permissions.includes(permission)) }
    },
  }
}

// For a hosted provider: sessions that its logout tokens have ended.
export function createHostedSessions(db: Database, issuer: string): Sessions {
  const find = keep(
    inBatches(async (keys) => {
      const asked = keys.map((key) => [key, ...(JSON.parse(key) as [string, string | null])] as const)
      const ends = await selectEndedSessions(db, issuer, {
        subjects: asked.map(([, subject]) => subject),
        sids: asked.flatMap(([, , sid]) => sid ?? []),
      })
      return new Map(
        asked.map(([key, subject, sid]) => [key, ends.filter((end) => end.subject === subject || (sid !== null && end.sid === sid))]),
      )
    }),
  )
  return {
    async narrow(claims) {
      const { subject, session } = claims
      const ends = (await find(JSON.stringify([subject, session.sid ?? null]))) ?? []
      // A token that names no session may belong to any session of the subject that began until then.
      const isEnded = ends.some((end) =>
        end.sid !== null && session.sid !== undefined
          ? end.sid === session.sid
          : end.subject === subject && session.issuedAt <= end.ended_at,
      )
      if (isEnded) throw ended()
      return claims
    },
  }
}

// Ends sessions. Throws a Problem 400 for a logout token that was used before.
export async function endSessions(db: Database, token: LogoutToken): Promise<void> {
  if (!(await insertEndedSession(db, token))) throw new Problem(400, 'The logout token was used before.')
}

function keep<Value extends object | undefined>(load: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const kept = new LRUCache<string, Promise<Value>>({ max: mostKept, ttl: sessionKeptMs })
  return (key) => {
    const known = kept.get(key)
    if (known) return known
    const loading = load(key)
    kept.set(key, loading)
    loading.catch(() => kept.delete(key))
    return loading
  }
}
