import { LRUCache } from 'lru-cache'
import type { Database } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import { selectGrant } from './provider-sql.ts'
import { insertEndedSession, selectEndedSessions } from './sql.ts'
import type { Claims, LogoutToken } from './tokens.ts'

/** Milliseconds for which a server believes what it has read of a session (SES-01, decision 0048). */
export const sessionKeptMs = 2_000
const mostKept = 20_000

export interface Sessions {
  /** The claims of a token with the permissions that are left of them. Throws a Problem 401 where the session has ended. */
  narrow(claims: Claims): Promise<Claims>
}

const ended = () => new Problem(401, 'The session has ended. Sign in again.')

// The embedded provider's: a token is worth what its sign-in and its account are at this moment.
export function createEmbeddedSessions(db: Database): Sessions {
  const find = keep((key) => {
    const [grant = '', subject = ''] = key.split(' ')
    return selectGrant(db, grant, subject)
  })
  return {
    async narrow(claims) {
      const { grant } = claims.session
      // Read anew for a token with other permissions: its account was just given them.
      const account = grant === undefined ? undefined : await find([grant, claims.subject, ...claims.permissions].join(' '))
      if (!account) throw ended()
      return { ...claims, permissions: claims.permissions.filter((permission) => account.permissions.includes(permission)) }
    },
  }
}

// Of a hosted provider: what its logout tokens have ended.
export function createHostedSessions(db: Database): Sessions {
  const find = keep((key) => {
    const [issuer, subject, sid] = JSON.parse(key) as [string, string, string | null]
    return selectEndedSessions(db, { issuer, subject, sid })
  })
  return {
    async narrow(claims) {
      const { issuer, subject, session } = claims
      const ends = await find(JSON.stringify([issuer, subject, session.sid ?? null]))
      // Without a name of the session in the token, it may be any of the subject's that began until then.
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

// Once: throws a Problem 400 for a logout token that was taken before.
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
