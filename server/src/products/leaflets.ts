import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Drawings } from '../lib/drawings.ts'
import { notFound } from '../lib/http/problem.ts'
import { leaflets } from './catalogue.ts'

export function serveLeaflets(http: FastifyInstance, drawings: Drawings, author: string): void {
  http.get<{ Params: { file: string } }>('/documents/:file', async ({ params: { file }, headers, ip }, reply) => {
    if (!leaflets.has(file)) throw notFound('document')
    const bytes = Buffer.from(await drawings.draw(`address ${ip}`, { kind: 'leaflet', file, author }))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (matchesEtag(headers['if-none-match'], etag)) return reply.status(304).send()
    return reply.type('application/pdf').header('content-disposition', `inline; filename="${file}"`).send(bytes)
  })
}

const matchesEtag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
