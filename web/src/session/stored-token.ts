import type { SessionUser } from '../lib/session.ts'

/** The key of a locally stored token (spec §4). */
export const storedTokenKey = 'token'

/** Returns null for a token that is not accepted. */
export type StoredTokenCheck = (token: string) => Promise<SessionUser | null>
