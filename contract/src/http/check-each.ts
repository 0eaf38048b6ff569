import type * as z from 'zod/mini'
import { listIssues } from './schema-issues.ts'

interface Refused {
  /** In the list. */
  index: number
  /** As it was sent. It may hold any bytes: it is for the answer alone and reaches no statement. */
  item: unknown
  reason: string
}

/**
 * Checks the items of a list one by one, so that one that is refused does not spoil the others.
 * @param refuse why an item is refused that matches the schema; null: it is not
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

/** The text of a refused item that names it in the answer, cut to `longest` characters; null where it has none. */
export function readRefusedText(item: unknown, field: string, longest: number): string | null {
  const value = (item as Record<string, unknown> | null)?.[field]
  return typeof value === 'string' ? value.slice(0, longest) : null
}
