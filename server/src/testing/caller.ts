import { Agent, type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'

/** A request as it is sent. */
export interface Sent {
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** Sends calls over one kept-alive connection, for the time of a test. */
export function caller(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const call = (method: string, { path, headers, body }: Sent) =>
    new Promise<number>((resolve, reject) => {
      const sending = request(`${url}${path}`, { method, headers, agent })
      sending.once('error', reject)
      sending.once('response', async (answer: IncomingMessage) => {
        for await (const _ of answer);
        resolve(answer.statusCode!)
      })
      sending.end(body)
    })
  return {
    agent,
    post: (sent: Sent) => call('POST', sent),
    ask: (path = '/livez') => call('GET', { path, headers: {}, body: Buffer.alloc(0) }),
  }
}
