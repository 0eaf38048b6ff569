import { type FieldPath, type FieldValues, get, type Resolver, set, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { CallError } from '../api/call-error.ts'

export function schemaResolver<Values extends FieldValues>(schema: z.ZodMiniType, toInput: (values: Values) => unknown): Resolver<Values> {
  return (values) => {
    const parsed = schema.safeParse(toInput(values))
    if (parsed.success) return { values, errors: {} }
    const errors = {}
    for (const { path, message } of parsed.error.issues) {
      const found = placeIssue(values, path.join('.'), message)
      if (!get(errors, found.field)) set(errors, found.field, { type: 'schema', message: found.message })
    }
    return { values: {}, errors }
  }
}

/** One text may hold a list: then the message names the entry, "Entry 3 must not be empty." */
function placeIssue(values: FieldValues, path: string, message: string): { field: string; message: string } {
  const [list = path, index] = path.split(/\.(?=\d+$)/)
  if (index === undefined || typeof get(values, list) !== 'string') return { field: path, message }
  return { field: list, message: `Entry ${Number(index) + 1} ${message}.` }
}

/** Shows a refusal at its fields. @returns the sentence for the form as a whole, where it is about no field of it */
export function placeProblem<Values extends FieldValues>(
  error: unknown,
  { getValues, setError }: Pick<UseFormReturn<Values>, 'getValues' | 'setError'>,
): string | undefined {
  const errors = error instanceof CallError ? (error.problem?.errors ?? []) : []
  const found = errors.map(({ field, message }) => placeIssue(getValues(), field, message))
  const placed = found.filter(({ field }) => field !== '' && get(getValues(), field) !== undefined)
  placed.forEach(({ field, message }, index) => {
    setError(field as FieldPath<Values>, { type: 'server', message }, { shouldFocus: index === 0 })
  })
  if (placed.length > 0 && placed.length === found.length) return undefined
  return error instanceof Error ? error.message : String(error)
}
