import { isStorageFull } from '../lib/stored-text.ts'

/** Spec §8. Any other failure is a `request_error`. */
const kinds = ['timeout', 'cancelled', 'mfa_required', 'missing_refresh_token', 'state_mismatch', 'missing_transaction'] as const
export type IdentityErrorKind = (typeof kinds)[number] | 'request_error'

/** Messages of failures that have none of their own (spec §8). */
export type Fallback = 'Login failed' | 'Get access token failed'

/** `message`: the provider's description; else the fallback. */
export class IdentityError extends Error {
  readonly code: string
  readonly description: string

  constructor(code: string, description: string, message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'IdentityError'
    this.code = code
    this.description = description
  }
}

/** An object with code and description keeps both (spec §8). */
export function toIdentityError(error: unknown, fallback: Fallback): IdentityError {
  if (error instanceof IdentityError) return error
  const { error: code, error_description: description } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >
  if (typeof code === 'string') {
    const words = typeof description === 'string' ? description : ''
    return new IdentityError(code, words, words || (error instanceof Error && error.message) || fallback, error)
  }
  const words = error instanceof Error ? error.message : ''
  if (clockClaims.test(words)) return new IdentityError('request_error', words, explainClock(new Date()), error)
  return new IdentityError(
    words === fetchTimeout ? 'timeout' : 'request_error',
    words,
    isStorageFull(error) ? storageFull : fallback,
    error,
  )
}

const storageFull = 'This browser’s storage for this site is full, so that no sign-in can be kept in it.'

// The library's message about a token that was just made, where this computer's clock is wrong.
const clockClaims = /Expiration Time \(exp\)|Not Before time \(nbf\)/

const explainClock = (now: Date): string =>
  `The clock of this computer is wrong: it says ${now.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' })}. Set date, time and time zone, then sign in again.`

// The library's message for a token request that timed out. It has no code.
const fetchTimeout = "Timeout when executing 'fetch'"

export function getErrorKind(error: unknown): IdentityErrorKind {
  const { code } = toIdentityError(error, 'Login failed')
  return kinds.find((kind) => kind === code) ?? 'request_error'
}

// Refusals that need a new sign-in.
const needingSignIn = new Set(['login_required', 'consent_required', 'interaction_required', 'missing_refresh_token', 'invalid_grant'])

export const needsSignIn = (error: IdentityError): boolean => needingSignIn.has(error.code)
