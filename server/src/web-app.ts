import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPage } from './lib/http/page-address.ts'
import { notFound } from './lib/http/problem.ts'
import { isLoopback, type Settings } from './lib/settings.ts'
import { toPublicSettings } from './system/system.ts'

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url))

export async function serveWebApp(app: FastifyInstance, settings: Settings): Promise<void> {
  const { publicUrl } = settings
  if (existsSync(webRoot))
    await app.register(fastifyStatic, {
      root: webRoot,
      index: false,
      // One route for each file: any other path is a page, whatever its address has in it.
      wildcard: false,
      preCompressed: true,
      setHeaders: (reply, path) =>
        reply
          .header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
          .header('vary', 'accept-encoding'),
    })
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!existsSync(webRoot)) throw notFound('address')
    if (hasOtherLoopbackName(request, publicUrl)) return reply.redirect(`${publicUrl}${request.url}`)
    const html = await readFile(join(webRoot, 'index.html'), 'utf8')
    return reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', allowScripts(String(reply.getHeader('content-security-policy')), html))
      .type('text/html; charset=utf-8')
      .send(addSettings(html, settings))
  }
  app.get('/', page)
  app.setNotFoundHandler((request, reply) => {
    if (!isPage(request)) throw notFound('address')
    return page(request, reply)
  })
}

// Allows the page's own scripts, each by its hash: the frame is painted without waiting for a file (STA-04).
function allowScripts(policy: string, html: string): string {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) =>
    createHash('sha256').update(script).digest('base64'),
  )
  return policy.replace("script-src 'self'", (own) => [own, ...scripts.map((hash) => `'sha256-${hash}'`)].join(' '))
}

// Puts the public settings into the page; the web app would otherwise have to fetch them first.
function addSettings(html: string, settings: Settings): string {
  const json = JSON.stringify(toPublicSettings(settings)).replaceAll('<', '\\u003c')
  return html.replace('</head>', () => `<script type="application/json" id="settings">${json}</script></head>`)
}

// Whether the host is another name of loopback, such as 127.0.0.1 for localhost: the identity provider knows only the public name.
function hasOtherLoopbackName(request: FastifyRequest, publicUrl: string): boolean {
  const { hostname, port } = new URL(publicUrl)
  return request.hostname !== hostname && isLoopback(hostname) && isLoopback(request.hostname) && request.host.endsWith(`:${port}`)
}
