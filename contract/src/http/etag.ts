import type * as z from 'zod/mini'

/**
 * The tag of a record (RFC 9110, `ETag`), out of those parts of it that `etag` names: the same for the same values, whoever holds the record.
 * So the server need not keep one, and a screen has it of everything that it shows, a row of a list too.
 */
export async function computeEtag(etag: z.ZodMiniObject, record: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(etag.parse(record)))
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return `"${Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}
