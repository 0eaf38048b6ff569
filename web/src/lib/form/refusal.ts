import { CallError } from '../api/call-error.ts'

/** What an answer refuses, field by field as the server calls them, in sentences; the whole of it under `fallback` where it names none of `fields`. */
export function refusals<Name extends string>(
  error: unknown,
  fields: Readonly<Record<string, Name>>,
  fallback: Name,
): { name: Name; message: string }[] {
  const named = error instanceof CallError ? (error.problem?.errors ?? []) : []
  const known = named.flatMap(({ field, message }) => (fields[field] ? [{ name: fields[field], message: sentence(message) }] : []))
  return known.length > 0 ? known : [{ name: fallback, message: (error as Error).message }]
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
