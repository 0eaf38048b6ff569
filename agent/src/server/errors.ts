import type { Problem } from '@lectern/contract/http/problems.ts'

/** No usable answer: nobody there, cut off, too busy. Worth trying again. */
export class Unavailable extends Error {
  /** Milliseconds the server asks to wait, when it said so. */
  readonly retryAfter: number | null

  constructor(message: string, retryAfter: number | null = null, cause?: unknown) {
    super(message, { cause })
    this.retryAfter = retryAfter
  }
}

/** The server has understood and says no. The message is its own sentence. */
export class Refusal extends Error {
  readonly status: number

  constructor(problem: Problem) {
    const fields = (problem.errors ?? []).map(({ field, message }) => `${field}: ${message}`)
    super([problem.detail ?? problem.title, ...fields].join(' · '))
    this.status = problem.status
  }
}
