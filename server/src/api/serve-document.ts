import type { FastifyInstance } from 'fastify'
import { type ApiDocument, createApiDocument } from './document.ts'

export function serveApiDocument(http: FastifyInstance, publicUrl: string): void {
  const document = createApiDocument(publicUrl)
  const page = renderPage(document)
  http.get('/api/openapi.json', (_, reply) => reply.type('application/json').send(document))
  http.get('/api/docs', (_, reply) => reply.type('text/html; charset=utf-8').send(page))
  http.get('/api/docs.css', (_, reply) => reply.type('text/css; charset=utf-8').send(styles))
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const renderJson = (value: unknown): string => `<pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`

function renderPage(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = operations.map(({ path, method, operation }) => {
    const parameters = operation.parameters.map(
      ({ name, in: place, schema }) =>
        `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}</td><td><code>${escapeHtml(JSON.stringify(schema))}</code></td></tr>`,
    )
    const table =
      parameters.length === 0
        ? ''
        : `<table><thead><tr><th>Parameter</th><th>In</th><th>Schema</th></tr></thead><tbody>${parameters.join('')}</tbody></table>`
    const body = operation.requestBody ? `<h3>Request</h3>${renderJson(operation.requestBody.content)}` : ''
    return `<section id="${operation.operationId}"><h2><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h2>
<p><strong>${operation.operationId}</strong>. ${escapeHtml(operation.summary)}. <em>${escapeHtml(operation.description)}</em></p>${table}${body}<h3>Responses</h3>${renderJson(operation.responses)}</section>`
  })
  const contents = operations.map(
    ({ path, method, operation }) =>
      `<li><a href="#${operation.operationId}"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></a></li>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>API · Lectern</title><link rel="stylesheet" href="/api/docs.css"></head><body><main><h1>Lectern API</h1><p>${escapeHtml(document.info.description)} The same for programs: <a href="/api/openapi.json">/api/openapi.json</a>.</p><ul>${contents.join('')}</ul>${sections.join('')}</main></body></html>`
}

// The document has its styles in a file of its own, as the content security policy allows no inline styles.
const styles = `:root{color-scheme:light dark}
body{font:14px/1.5 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1.5rem}
h1{font-size:1.6rem}
h2{font-size:1rem;border-top:1px solid;padding-top:1rem;overflow-wrap:anywhere}
h3{font-size:.85rem}

pre{overflow:auto;max-height:20rem;border:1px solid;padding:.75rem;font-size:12px}
table{border-collapse:collapse;font-size:13px}
td,th{text-align:left;padding:.25rem .75rem .25rem 0;overflow-wrap:anywhere}
`
