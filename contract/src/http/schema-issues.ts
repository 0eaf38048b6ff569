import type * as z from 'zod/mini'

export interface SchemaIssue {
  path: readonly PropertyKey[]
  message: string
}

/** As schemas say it where a union has no message of its own. */
const unnamed = 'invalid input'

/** What is wrong with `value`, each with its field. A union without a message says what is wrong with the member that `value` goes along with furthest. */
export const listIssues = (error: z.core.$ZodError, value: unknown): SchemaIssue[] =>
  error.issues.flatMap((issue) => lookInto(issue, value))

function lookInto(issue: z.core.$ZodIssue, value: unknown): SchemaIssue[] {
  if (issue.code !== 'invalid_union' || issue.message.toLowerCase() !== unnamed) return [issue]
  const members = issue.errors.map((own) => own.map((one) => ({ ...one, path: [...issue.path, ...one.path] })))
  const [meant] = members.toSorted((a, b) => countPresent(b, value) - countPresent(a, value))
  return meant && meant.length > 0 ? meant.flatMap((one) => lookInto(one, value)) : [issue]
}

/** How many steps into `value` the deepest issue leads. */
const countPresent = (issues: readonly SchemaIssue[], value: unknown): number =>
  Math.max(0, ...issues.map(({ path }) => countSteps(path, value)))

function countSteps(path: readonly PropertyKey[], value: unknown): number {
  let at = value
  for (const [steps, key] of path.entries()) {
    at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key]
    if (at === undefined) return steps
  }
  return path.length
}
