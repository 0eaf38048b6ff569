import type { ProblemCode } from '@lectern/contract/http/problem-codes.ts'
import type { Problem as ProblemBody } from '@lectern/contract/http/problems.ts'

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  408: 'Too slow',
  409: 'Conflict',
  410: 'Gone',
  412: 'Changed by another user',
  413: 'Too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  422: 'Not acceptable',
  429: 'Too many requests',
  431: 'Too long',
  500: 'Unexpected error',
  502: 'Not reached',
  503: 'Not available',
  507: 'No space left',
}

// `cause`: for the log alone. `retryAfter`: seconds. `isQuota`: logged as a warning, with the caller.
interface ProblemOptions {
  code?: ProblemCode
  errors?: ProblemBody['errors']
  cause?: unknown
  retryAfter?: number
  isQuota?: boolean
  needsPasskey?: boolean
}

/** Refuses an act that would now do something else than the user was shown. */
export function refuseOtherCounts(of: 'rollout' | 'reader'): Problem {
  const message = `The ${of} has gone on since you looked. Look at the counts again.`
  return new Problem(409, message, { errors: [{ field: 'expected', message }] })
}

/** An error response (application/problem+json). */
export class Problem extends Error {
  readonly status: number
  readonly detail: string | undefined
  readonly code: ProblemCode | undefined
  readonly errors: ProblemBody['errors']
  /** Seconds. */
  readonly retryAfter: number | undefined
  readonly isQuota: boolean
  readonly needsPasskey: boolean

  constructor(status: number, detail?: string, options: ProblemOptions = {}) {
    super(detail ?? titles[status] ?? 'Problem', { cause: options.cause })
    this.status = status
    this.detail = detail
    this.code = options.code
    this.errors = options.errors
    this.retryAfter = options.retryAfter
    this.isQuota = options.isQuota ?? false
    this.needsPasskey = options.needsPasskey ?? false
  }

  body(instance: string): ProblemBody {
    const { status, detail, code, errors } = this
    return {
      type: 'about:blank',
      title: titles[status] ?? 'Problem',
      status,
      instance,
      ...(detail === undefined ? {} : { detail }),
      ...(code === undefined ? {} : { code }),
      ...(errors === undefined ? {} : { errors }),
    }
  }
}

export const hostRemoved = (): Problem => new Problem(401, 'This host was removed from its zone. Enroll it again.')

/** @param asked who could do it, in words; null: not known */
export const beyondZones = (asked: string | null): Problem =>
  new Problem(403, `Your role is limited to zones, and this concerns the whole organization.${asked === null ? '' : ` Ask ${asked}.`}`)

/** The same Problem where another organization owns it, so that existing ids are not disclosed. */
export const notFound = (what = 'organization'): Problem => new Problem(404, `There is no such ${what}.`)
