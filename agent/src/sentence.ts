/** Adds the cause where the message says nothing by itself ("fetch failed"). */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? error.cause : undefined
  // Two refused addresses of one name are an AggregateError without a message.
  const inner = cause instanceof AggregateError ? (cause.errors[0] as Error) : cause
  return inner?.message && !error.message.includes(inner.message) ? `${error.message} (${inner.message})` : error.message
}
