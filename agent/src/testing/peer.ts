import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Identity } from './certificates.ts'

export interface ReceivedCall {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: unknown
}

/**
 * An HTTP server for responses that the real server never gives: cut off, damaged, not Lectern's. Lives for the time of a test.
 * @param identity what it shows as https server; without it, it speaks http
 */
export async function startPeer(
  answer: (call: ReceivedCall, response: ServerResponse) => void,
  identity?: Identity,
): Promise<{ url: string; calls: ReceivedCall[] }> {
  const calls: ReceivedCall[] = []
  const onRequest: RequestListener = async (request, response) => {
    let text = ''
    for await (const bytes of request) text += bytes
    const call = { method: request.method!, path: request.url!, headers: request.headers, body: text === '' ? null : JSON.parse(text) }
    calls.push(call)
    answer(call, response)
  }
  const server = identity ? createSecureServer(identity, onRequest) : createServer(onRequest)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `${identity ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

/** Problem details from status 400 on. */
export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' }).end(JSON.stringify(body))
}

export const problem = (status: number, detail: string) => ({ type: 'about:blank', title: 'No', status, detail })
