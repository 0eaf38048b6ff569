import type * as z from 'zod/mini'
import { listIssues } from './schema-issues.ts'

interface Refused {
  /** The item's number in the list, from 0. */
  index: number
  /** The item as sent. It may hold any bytes, so it is for the response alone and must not reach a statement. */
  item: unknown
  reason: string
}

/**
 * Checks the items of a list one by one, so that a bad one does not refuse the others.
 * @param refuse returns why an item is refused that matches the schema; null where it is not
 */
export function checkEach<Item>(
  schema: z.ZodMiniType<Item>,
  items: readonly unknown[],
  refuse: (item: Item) => string | null = () => null,
) {
  const accepted: Item[] = []
  const refused: Refused[] = []
  for (const [index, item] of items.entries()) {
    const parsed = schema.safeParse(item)
    const reason = parsed.success
      ? refuse(parsed.data)
      : listIssues(parsed.error, item)
          .map(({ path, message }) => `${path.join('.')} ${message}`.trim())
          .join('; ')
    if (parsed.success && reason === null) accepted.push(parsed.data)
    else refused.push({ index, item, reason: reason as string })
  }
  return { accepted, refused }
}

/** Reads the text that names a refused item in the response, cut to `longest` characters; null where it has none. */
export function readRefusedText(item: unknown, field: string, longest: number): string | null {
  const value = (item as Record<string, unknown> | null)?.[field]
  return typeof value === 'string' ? value.slice(0, longest) : null
}
