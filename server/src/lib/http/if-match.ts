import { computeEtag } from '@lectern/contract/http/etag.ts'
import type { z } from 'zod/mini'
import { Problem } from './problem.ts'

export interface IfMatch {
  /** Throws a Problem 412 where the header has no ETag of `current`. */
  unchanged: (current: unknown) => Promise<void>
  /** Throws unless `unchanged` was called: without that call, changes of others would be lost. */
  confirm: () => void
}

export function createIfMatch(etag: z.ZodMiniObject, header: string | undefined): IfMatch {
  const tags = parseTags(header)
  let isCalled = false
  return {
    async unchanged(current) {
      isCalled = true
      if (tags && !tags.includes(await computeEtag(etag, current)))
        throw new Problem(412, 'Another user has changed this. Nothing was saved. Read it again and repeat your change.')
    },
    confirm() {
      if (!isCalled) throw new Error('The handler of an endpoint with an etag did not call `unchanged`')
    },
  }
}

/** Returns undefined for `*`. Weak tags count, as a proxy that compresses responses weakens them. */
function parseTags(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const tags = header.match(/"[^"]*"/g)
  if (!tags) throw new Problem(400, 'If-Match must be * or the ETag of a response, with its quotation marks.')
  return tags
}
