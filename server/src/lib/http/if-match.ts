import { computeEtag } from '@lectern/contract/http/etag.ts'
import type { z } from 'zod/mini'
import { Problem } from './problem.ts'

/** What a call's `If-Match` (RFC 9110) says of the record that it changes. */
export interface IfMatch {
  /** Throws a Problem 412 where it names another record than `current`. */
  unchanged: (current: unknown) => Promise<void>
  /** Throws unless `unchanged` was asked: a write that forgets to would lose what others wrote. */
  confirm: () => void
}

export function ifMatch(etag: z.ZodMiniObject, header: string | undefined): IfMatch {
  const tags = parseTags(header)
  let isAsked = false
  return {
    async unchanged(current) {
      isAsked = true
      if (tags && !tags.includes(await computeEtag(etag, current)))
        throw new Problem(412, 'Somebody else has changed it meanwhile, so nothing was saved. Read it again, and repeat your change.')
    },
    confirm() {
      if (!isAsked) throw new Error('A write whose endpoint has an etag did not ask whether its record is unchanged')
    },
  }
}

/** The tags that would do, or undefined where any does. A proxy that compresses answers marks their tags as weak; they are still of the record. */
function parseTags(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const tags = header.match(/"[^"]*"/g)
  if (!tags) throw new Problem(400, 'If-Match must be the ETag of an answer, with its quotation marks, or *.')
  return tags
}
