import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serverForFile, startServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const first = await serverForFile()
const zone = await first.zone()
const host = await first.host(zone)

/** Another server on the database of the first. */
async function newServer(environment: Record<string, string> = {}) {
  const { databaseUrl, issuer } = first
  const server = await startServer({ databaseUrl, environment: { AUTH_DOMAIN: issuer.url, ...environment } })
  onTestFinished(async () => {
    // The second time it waits for no proxy.
    void server.app.close()
    await server.stop()
  })
  return server
}

function dial({ url }: { url: string }): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nhost: lectern\r\n`

/** Time stands still until the test moves it. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('[FLT-03] requests that were sent on new connections when a stop begins are answered', async () => {
  const server = await newServer()
  const sockets = Array.from({ length: 20 }, () => dial(server))
  for (const socket of sockets) socket.write(`${ask('/livez')}\r\n`)
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const stopped = server.app.close()
  const answers = await Promise.all(sockets.map((socket) => text(socket)))
  expect(answers.map((answer) => answer.split('\r\n')[0])).toEqual(Array(20).fill('HTTP/1.1 200 OK'))
  await stopped
})

test('[FLT-03] a request that arrives during a stop on an open connection is answered, on its last', async () => {
  const server = await newServer()
  const [called, asked] = [dial(server), dial(server)]
  called.write(ask('/api/settings'))
  asked.write(ask('/readyz'))
  await until(async () => (await connections(server)) === 2)
  const stopped = server.app.close()
  await until(() => !server.app.http.server.listening)
  called.write('\r\n')
  asked.write('\r\n')
  const [settings, readiness] = await Promise.all([text(called), text(asked)])
  expect(settings).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*connection: close\r\n[\s\S]*"providerName"/i)
  expect(readiness).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n[\s\S]*application\/problem\+json[\s\S]*The server is stopping\./i)
  await stopped
})

test('[FLT-03] a server that stops is not ready first, and serves as before until its proxy has seen that', async () => {
  const server = await newServer({ STOP_DELAY: '60' })
  const stream = await server.fetch('/api/agent/events', { headers: { authorization: `Bearer ${host.credential}` } })
  let events = ''
  const ended = stream.text().then((all) => {
    events = all
  })
  const stopped = server.app.close()
  const { status, problem } = await server.call('getReadiness')
  expect([status, problem.detail]).toEqual([503, 'The server is stopping. Send new requests to another one.'])
  expect((await server.call('getLiveness')).status).toBe(200)
  const served = await server.fetch('/api/settings')
  expect([served.status, served.headers.get('connection')]).toEqual([200, 'close'])
  expect(events).toBe('')
  expect(server.lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
  void server.app.close()
  await Promise.all([stopped, ended])
  expect(events).toContain('event: desired')
  await expect(server.fetch('/livez')).rejects.toThrow('fetch failed')
})

test('[FLT-03] what is under way at a stop has 20 seconds, a connection without a request one', async () => {
  const server = await newServer()
  const { organization, id, manager } = zone
  const upload = dial(server)
  upload.write(
    `POST /api/codedm/organization/${organization.id}/location/${id}/device/CR2700/configuration/file HTTP/1.1\r\nhost: lectern\r\n` +
      `authorization: Bearer ${manager.token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 100000\r\n\r\n--b\r\n`,
  )
  await until(() => server.lines.some((line) => line.includes('starting multipart parsing')))
  dial(server)
  await until(async () => (await connections(server)) === 2)
  holdTime()
  const stopped = server.app.close()
  await until(() => !server.app.http.server.listening)
  vi.advanceTimersByTime(1_000)
  await until(async () => (await connections(server)) === 1)
  vi.advanceTimersByTime(18_900)
  expect(await connections(server)).toBe(1)
  vi.advanceTimersByTime(100)
  await stopped
})

test('[FLT-03] a stream that is opened while streams are ended is ended too', async () => {
  const server = await newServer()
  const late = dial(server)
  late.write(`${ask('/api/agent/events')}authorization: Bearer ${host.credential}\r\n`)
  await until(async () => (await connections(server)) === 1)
  const stopped = server.app.close()
  await until(() => !server.app.http.server.listening)
  late.write('\r\n')
  expect(await text(late)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*retry: 2000[\s\S]*\r\n0\r\n\r\n$/)
  await stopped
})

const connections = ({ app }: { app: { http: { server: import('node:http').Server } } }): Promise<number> =>
  new Promise((resolve, reject) => app.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))))
