import {
  AuthenticationError,
  GenericError,
  MfaRequiredError,
  MissingRefreshTokenError,
  PopupCancelledError,
  PopupTimeoutError,
  TimeoutError,
} from '@auth0/auth0-spa-js'
import { describe, expect, test } from 'vitest'
import { getErrorKind, needsSignIn, toIdentityError } from './identity-error.ts'

const popup = {} as Window

describe('[ACC-26] kinds of identity errors', () => {
  test.each([
    ['timeout', new TimeoutError()],
    ['timeout', new PopupTimeoutError(popup)],
    ['timeout', new Error("Timeout when executing 'fetch'")],
    ['cancelled', new PopupCancelledError(popup)],
    ['mfa_required', new MfaRequiredError('mfa_required', 'Multifactor authentication required', 'token')],
    ['missing_refresh_token', new MissingRefreshTokenError('urn:lectern:api', 'openid')],
    ['state_mismatch', new GenericError('state_mismatch', 'Invalid state')],
    ['missing_transaction', new GenericError('missing_transaction', 'Invalid state')],
    ['request_error', new GenericError('request_error', 'HTTP error. Unable to fetch')],
    ['request_error', new GenericError('temporarily_unavailable', 'Later')],
    ['request_error', new TypeError('Failed to fetch')],
    ['request_error', 'nothing at all'],
  ])('%s: %s', (kind, error) => {
    expect(getErrorKind(error)).toBe(kind)
    expect(getErrorKind(toIdentityError(error, 'Login failed'))).toBe(kind)
  })
})

test('[ACC-23] an error object with code and description keeps both', () => {
  const words = 'You may not enter.'
  for (const error of [new AuthenticationError('access_denied', words, 'state'), { error: 'access_denied', error_description: words }])
    expect(toIdentityError(error, 'Login failed')).toMatchObject({ code: 'access_denied', description: words, message: words })
})

test('[ACC-21 ACC-22] a failure without words of its own takes the fallback, and keeps its cause', () => {
  const cause = new TypeError('Failed to fetch')
  expect(toIdentityError(cause, 'Login failed')).toMatchObject({ message: 'Login failed', cause })
  expect(toIdentityError(cause, 'Get access token failed')).toMatchObject({ message: 'Get access token failed', cause })
  expect(toIdentityError(undefined, 'Get access token failed').message).toBe('Get access token failed')
})

test('only refusals that a new sign-in heals end a session', () => {
  expect(needsSignIn(toIdentityError(new GenericError('login_required', 'Login required'), 'Get access token failed'))).toBe(true)
  expect(needsSignIn(toIdentityError(new TimeoutError(), 'Get access token failed'))).toBe(false)
  expect(needsSignIn(toIdentityError(new TypeError('Failed to fetch'), 'Get access token failed'))).toBe(false)
})

test.each([
  'Expiration Time (exp) claim error in the ID token; current time (Fri Nov 27 2027) is after expiration time (Fri Nov 27 2026)',
  "Not Before time (nbf) claim in the ID token indicates that this token can't be used just yet. Current time (Fri) is before Sat",
])('[INP-08] a clock that is wrong is named with what it says: %.30s', (words) => {
  const { code, message } = toIdentityError(new Error(words), 'Login failed')
  expect(code).toBe('request_error')
  expect(message).toMatch(
    /^The clock of this computer is wrong: it says \d+ \w+ 20\d\d.* Set date, time and time zone, then sign in again\.$/,
  )
})
