import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TestProxy {
  /** `127.0.0.1:3128` */
  name: string
  /** `CONNECT portal.example:443` or `GET http://…`, each that it saw. */
  calls: string[]
}

interface ProxyOptions {
  /** `user:password`; without it the proxy asks for none. */
  signIn?: string
  /** What it does in place of passing a call on. */
  act?: 'page' | 'cut'
  /** Cuts the response to a call without encryption whose path has this. */
  cutAfterHead?: string
}

const page = '<html><body>Sign in to the network</body></html>'

/** A proxy that leads to one server, whatever the name of the server that it is asked for. Lives for the time of a test. */
export async function startProxy(server: string, { signIn, act, cutAfterHead }: ProxyOptions = {}): Promise<TestProxy> {
  const target = new URL(server)
  const calls: string[] = []
  const sockets = new Set<Socket>()
  const expected = signIn === undefined ? undefined : `Basic ${Buffer.from(signIn).toString('base64')}`
  const statusFor = (given: string | undefined) => (given === expected ? (act === 'page' ? 403 : 200) : 407)

  const proxy = createServer((incoming, answer: ServerResponse) => {
    calls.push(`${incoming.method} ${incoming.url}`)
    const { 'proxy-authorization': given, ...headers } = incoming.headers
    const status = statusFor(given)
    if (act === 'cut') return void incoming.socket.destroy()
    if (status !== 200)
      return void answer.writeHead(status, { 'content-type': 'text/html', 'proxy-authenticate': 'Basic realm="x"' }).end(page)
    const { pathname, search } = new URL(incoming.url!)
    const outgoing = request({ port: target.port, host: target.hostname, path: pathname + search, method: incoming.method, headers })
    outgoing.on('error', () => incoming.socket.destroy())
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode!, response.headers).flushHeaders()
      if (cutAfterHead !== undefined && pathname.includes(cutAfterHead)) {
        outgoing.destroy()
        incoming.socket.destroySoon()
      } else response.pipe(answer)
    })
    incoming.pipe(outgoing)
  })
  proxy.on('connect', (incoming, socket: Socket) => {
    calls.push(`CONNECT ${incoming.url}`)
    const status = statusFor(incoming.headers['proxy-authorization'])
    if (act === 'cut') return void socket.destroy()
    if (status !== 200)
      return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`)
    const onward = connect(Number(target.port), target.hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      one.on('error', () => other.destroy())
  })
  proxy.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return { name: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, calls }
}
