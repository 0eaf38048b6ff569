/** A failure that carries what a server answered. */
type Answered = Error & { status: unknown; error?: unknown; data?: unknown; problem?: { detail?: string; title: string } | undefined }

const isAnswered = (failure: Error): failure is Answered => 'status' in failure && failure.status !== undefined

/**
 * What to say of a failed publish: with a status its error text, else the data's message, else the data serialised; without one the
 * error's message. A failure that is no Error is thrown again (spec §4, §8). The error text of problem details is their sentence.
 */
export function publishError(failure: unknown): string {
  if (!(failure instanceof Error)) throw failure
  if (!isAnswered(failure)) return failure.message
  return errorText(failure) ?? findMessage(failure.data) ?? JSON.stringify(failure.data) ?? failure.message
}

function errorText({ error, problem }: Answered): string | undefined {
  return (typeof error === 'string' && error) || problem?.detail || problem?.title || undefined
}

function findMessage(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('message' in data)) return undefined
  return typeof data.message === 'string' && data.message !== '' ? data.message : undefined
}
