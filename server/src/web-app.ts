import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './lib/http/problem.ts'
import { isLoopback } from './lib/settings.ts'

const root = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Serves the built web app: hashed assets for ever, the page itself for every address that is no call and no file. */
export async function serveWebApp(app: FastifyInstance, publicUrl: string): Promise<void> {
  if (existsSync(root))
    await app.register(fastifyStatic, {
      root,
      index: false,
      preCompressed: true,
      setHeaders: (reply, path) =>
        reply
          .header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
          .header('vary', 'accept-encoding'),
    })
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    if (!existsSync(root)) throw notFound('address')
    if (hasOtherLoopbackName(request, publicUrl)) return reply.redirect(`${publicUrl}${request.url}`)
    return reply.header('cache-control', 'no-cache').sendFile('index.html')
  }
  app.get('/', page)
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      ['GET', 'HEAD'].includes(request.method) && !request.url.startsWith('/api/') && !/\.\w+$/.test(request.url.split('?')[0] ?? '')
    if (!isPage) throw notFound('address')
    return page(request, reply)
  })
}

/** Whether somebody on this machine says 127.0.0.1 where the portal is called localhost: the identity provider knows only the latter. */
function hasOtherLoopbackName(request: FastifyRequest, publicUrl: string): boolean {
  const { hostname, port } = new URL(publicUrl)
  return request.hostname !== hostname && isLoopback(hostname) && isLoopback(request.hostname) && request.host.endsWith(`:${port}`)
}
