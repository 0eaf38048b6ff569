import type { Problem } from '@lectern/contract/http/problems.ts'

export class Unavailable extends Error {
  /** Milliseconds; null where the server gave none. */
  readonly retryAfter: number | null

  constructor(message: string, retryAfter: number | null = null, cause?: unknown) {
    super(message, { cause })
    this.retryAfter = retryAfter
  }
}

/** No connection came about, and no proxy was used. */
export class Unreachable extends Unavailable {}

/** Waiting does not help: a setting has to change, at this PC, at a proxy or at the server. */
export class SetupFault extends Unavailable {}

/** The server itself asks to wait. */
export class Busy extends Unavailable {}

export class Refusal extends Error {
  readonly status: number

  constructor(problem: Problem) {
    const fields = (problem.errors ?? []).map(({ field, message }) => `${field}: ${message}`)
    super([problem.detail ?? problem.title, ...fields].join(' · '))
    this.status = problem.status
  }
}
