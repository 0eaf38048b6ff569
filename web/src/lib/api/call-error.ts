import { Problem } from '@lectern/contract/http/problems.ts'

/** An answer's HTTP status, or why there is no usable answer (spec §8). */
export type CallStatus = number | 'FETCH_ERROR' | 'TIMEOUT_ERROR' | 'PARSING_ERROR'

const words: Record<string, string> = {
  FETCH_ERROR: 'The server could not be reached.',
  TIMEOUT_ERROR: 'The server did not answer in time.',
  PARSING_ERROR: 'The server’s answer could not be read.',
}

interface Details {
  /** The answer's body: parsed where it was JSON, else its text. */
  data?: unknown
  /** How long the server asks to wait before the next attempt. */
  retryAfterMs?: number
  cause?: unknown
}

/** A call that failed. `message` is a sentence for people: the problem's detail where the server sent one. */
export class CallError extends Error {
  readonly status: CallStatus
  /** What went wrong in words, where there was no usable answer. */
  readonly error: string | undefined
  readonly data: unknown
  /** The server's own account of it, where it sent problem details. */
  readonly problem: Problem | undefined
  readonly retryAfterMs: number | undefined

  constructor(status: CallStatus, { data, retryAfterMs, cause }: Details = {}) {
    const problem = Problem.safeParse(data).data
    const error = words[status]
    super(problem?.detail ?? problem?.title ?? error ?? `The server answered ${status}.`, { cause })
    this.name = 'CallError'
    this.status = status
    this.error = error
    this.data = data
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }
}
