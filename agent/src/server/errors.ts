import type { Problem } from '@lectern/contract/http/problems.ts'

export class Unavailable extends Error {
  /** Milliseconds; null where the server gave none. */
  readonly retryAfter: number | null

  constructor(message: string, retryAfter: number | null = null, cause?: unknown) {
    super(message, { cause })
    this.retryAfter = retryAfter
  }
}

export class Refusal extends Error {
  readonly status: number

  constructor(problem: Problem) {
    const fields = (problem.errors ?? []).map(({ field, message }) => `${field}: ${message}`)
    super([problem.detail ?? problem.title, ...fields].join(' · '))
    this.status = problem.status
  }
}
