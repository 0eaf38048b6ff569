import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CountingProxy {
  url: string
  /** Calls so far. */
  count(): number
  close(): Promise<void>
}

/** A proxy in this process that lets every call without encryption through. */
export async function startCountingProxy(): Promise<CountingProxy> {
  let count = 0
  const server = createServer((incoming, reply) => {
    count += 1
    const onward = request(incoming.url!, { method: incoming.method, headers: incoming.headers }, (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    reply.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
