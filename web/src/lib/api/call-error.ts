import type { Problem } from '@lectern/contract/http/problems.ts'
import { readShaped } from '@lectern/contract/http/shape.ts'
import { problemShape } from './endpoints.ts'

/** The HTTP status of the response, or why there is none that can be used (spec §8). */
export type CallStatus = number | 'FETCH_ERROR' | 'TIMEOUT_ERROR' | 'PARSING_ERROR'

const words: Record<string, string> = {
  FETCH_ERROR: 'The server could not be reached.',
  TIMEOUT_ERROR: 'The server did not respond in time.',
  PARSING_ERROR: 'The server’s response could not be read.',
}

interface Details {
  /** The body: parsed JSON, else its text. */
  data?: unknown
  retryAfterMs?: number
  cause?: unknown
}

/** `message`: a sentence for people; the problem's detail where the server sent one. */
export class CallError extends Error {
  readonly status: CallStatus
  /** What went wrong where no response could be used. */
  readonly error: string | undefined
  readonly data: unknown
  readonly problem: Problem | undefined
  readonly retryAfterMs: number | undefined

  constructor(status: CallStatus, { data, retryAfterMs, cause }: Details = {}) {
    const problem = readProblem(data)
    const error = words[status]
    super(problem?.detail ?? problem?.title ?? error ?? `The server responded with ${status}.`, { cause })
    this.name = 'CallError'
    this.status = status
    this.error = error
    this.data = data
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }
}

/** Returns undefined for a body that is no problem. */
function readProblem(data: unknown): Problem | undefined {
  try {
    return readShaped(problemShape, data) as Problem
  } catch {
    return undefined
  }
}
