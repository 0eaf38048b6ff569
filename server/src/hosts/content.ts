import type { IncomingHttpHeaders } from 'node:http'
import type { ContentStore } from '../lib/content-store.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Streamed } from '../lib/http/serve.ts'

/** Whole or one range (RFC 9110 §14). A content never changes, so its hash is its ETag. */
export async function sendContent(contents: ContentStore, hash: string, headers: IncomingHttpHeaders): Promise<Streamed> {
  const size = await contents.size(hash)
  if (size === null) throw notFound('content')
  const common = {
    'accept-ranges': 'bytes',
    etag: `"${hash}"`,
    'cache-control': 'private, immutable, max-age=31536000',
  }
  const ifRange = headers['if-range']
  const range = ifRange === undefined || ifRange === `"${hash}"` ? parseRange(headers.range, size) : 'whole'
  if (range === 'whole') return { headers: { ...common, 'content-length': size }, stream: contents.read(hash) }
  if (range === 'none') return { status: 416, headers: { ...common, 'content-range': `bytes */${size}` }, stream: null }
  const { start, end } = range
  return {
    status: 206,
    headers: {
      ...common,
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${size}`,
    },
    stream: contents.read(hash, range),
  }
}

function parseRange(header: string | undefined, size: number): { start: number; end: number } | 'whole' | 'none' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return 'whole'
  return start > end ? 'none' : { start, end }
}
