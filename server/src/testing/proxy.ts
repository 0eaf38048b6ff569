import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a reverse proxy for the time of a test. Its callers share one kept-alive connection to the server at `target`. */
export async function startProxy(target: string): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const proxy = createServer((incoming, outgoing) => {
    const upstream = request(`${target}${incoming.url}`, { method: incoming.method!, headers: incoming.headers, agent })
    upstream.once('response', (answer) => {
      const { connection: _, ...headers } = answer.headers
      answer.pipe(outgoing.writeHead(answer.statusCode!, headers))
    })
    // After the response, the server closing its connection is no error.
    upstream.on('error', () => outgoing.headersSent || outgoing.writeHead(502).end())
    incoming.pipe(upstream)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    agent.destroy()
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
