interface CallFailure extends Error {
  status: unknown
  error?: unknown
  data?: unknown
  problem?: { detail?: string; title: string } | undefined
}

const isCallFailure = (failure: Error): failure is CallFailure => 'status' in failure && failure.status !== undefined

/**
 * Returns the text of a failed call: of the error, else the message in its data, else the data as JSON. A failure without a status has the
 * error's message (spec §4, §8).
 * @throws a failure that is not an Error
 */
export function formatPublishError(failure: unknown): string {
  if (!(failure instanceof Error)) throw failure
  if (!isCallFailure(failure)) return failure.message
  return findErrorText(failure) ?? findMessage(failure.data) ?? JSON.stringify(failure.data) ?? failure.message
}

function findErrorText({ error, problem }: CallFailure): string | undefined {
  return (typeof error === 'string' && error) || problem?.detail || problem?.title || undefined
}

function findMessage(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('message' in data)) return undefined
  return typeof data.message === 'string' && data.message !== '' ? data.message : undefined
}
