import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../lib/http/problem.ts'
import { leaflets } from './catalogue.ts'
import { leafletPdf } from './leaflet-pdf.ts'

/** Serves the documents of the vendor's products below /documents, to anybody, as files are served. */
export function serveLeaflets(http: FastifyInstance, author: string): void {
  const written = new Map<string, Promise<Written>>()
  http.get<{ Params: { file: string } }>('/documents/:file', async ({ params: { file }, headers }, reply) => {
    const leaflet = leaflets.get(file)
    if (!leaflet) throw notFound('document')
    if (!written.has(file)) written.set(file, buffer(leafletPdf(leaflet, author)).then(taggedBytes))
    const { bytes, etag } = await written.get(file)!
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (namesTag(headers['if-none-match'], etag)) return reply.status(304).send()
    return reply.type('application/pdf').header('content-disposition', `inline; filename="${file}"`).send(bytes)
  })
}

interface Written {
  bytes: Buffer
  etag: string
}

const taggedBytes = (bytes: Buffer): Written => ({ bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` })

/** Whether an If-None-Match names the tag (RFC 9110 §13.1.2). */
const namesTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
