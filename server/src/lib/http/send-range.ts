import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Streamed } from './serve.ts'

/** Both bytes are part of it. */
export interface Range {
  start: number
  end: number
}

export interface Ranged {
  size: number
  /** Of its bytes. It is the ETag. */
  hash: string
  read(range?: Range): Readable
}

/** Whole or one range (RFC 9110 §14). */
export function sendRange({ size, hash, read }: Ranged, asked: IncomingHttpHeaders, headers: Record<string, string>): Streamed {
  const common = { ...headers, 'accept-ranges': 'bytes', etag: `"${hash}"` }
  const ifRange = asked['if-range']
  const range = ifRange === undefined || ifRange === `"${hash}"` ? parseRange(asked.range, size) : 'whole'
  if (range === 'whole') return { headers: { ...common, 'content-length': size }, stream: read() }
  if (range === 'none') return { status: 416, headers: { ...common, 'content-range': `bytes */${size}` }, stream: null }
  const { start, end } = range
  return {
    status: 206,
    headers: {
      ...common,
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${size}`,
    },
    stream: read(range),
  }
}

function parseRange(header: string | undefined, size: number): Range | 'whole' | 'none' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return 'whole'
  return start > end ? 'none' : { start, end }
}
