import type { FastifyInstance } from 'fastify'
import { apiDocument } from './document.ts'
import { apiStyles, renderApiPage } from './page.ts'

/** Serves the OpenAPI document at /api/openapi.json and a readable page of it at /api/docs. */
export function serveApiDocument(http: FastifyInstance, publicUrl: string): void {
  const document = apiDocument(publicUrl)
  const page = renderApiPage(document)
  http.get('/api/openapi.json', (_, reply) => reply.type('application/json').send(document))
  http.get('/api/docs', (_, reply) => reply.type('text/html; charset=utf-8').send(page))
  http.get('/api/docs.css', (_, reply) => reply.type('text/css; charset=utf-8').send(apiStyles))
}
