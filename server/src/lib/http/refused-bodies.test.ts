import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test, vi } from 'vitest'
import { caller, type Sent } from '../../testing/caller.ts'
import { startProxy } from '../../testing/proxy.ts'
import { serverForFile, startServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'

const server = await serverForFile()
const zone = await server.zone()
const member = await server.person({ organization: zone.organization })
const stranger = await server.zone()

const filler = (bytes: number) => Buffer.alloc(bytes, 'x')
const part = (disposition: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--b\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
const file = (content: string | Buffer, name = 'rules.js') => part(`name="file"; filename="${name}"`, content)
const wrongPart = (bytes: number) => part('name="script"; filename="rules.js"', filler(bytes))
const end = Buffer.from('--b--\r\n')
const uploadPath = (id = zone.id, organizationId = zone.organization.id) =>
  `/api/codedm/organization/${organizationId}/location/${id}/device/CR2700/configuration/file`

/** An upload of a script, by the zone's manager unless told. */
function upload(parts: Buffer[], { path = uploadPath(), token = zone.manager.token, ...headers }: Record<string, string> = {}): Sent {
  const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` }
  return { path, headers: { 'content-type': 'multipart/form-data; boundary=b', ...authorization, ...headers }, body: Buffer.concat(parts) }
}

/** The statuses of a refused request and of the next one. */
type RefusedThenAsked = (sent: Sent) => Promise<number[]>

/** The next to ask is the sender, over the same connection. */
const alone =
  (url: string): RefusedThenAsked =>
  async (sent) => {
    const { post, ask } = caller(url)
    return [await post(sent), await ask()]
  }

/** The next to ask is another person, behind the same proxy. */
async function behindProxy(): Promise<RefusedThenAsked> {
  const url = await startProxy(server.url)
  return async (sent) => [await caller(url).post(sent), await caller(url).ask()]
}

const works = 'rules_onDecode = (d) => d'
const kb100 = 100_000
const mb1 = 1_000_000
/** More than a script may have. */
const over = 5_500_000

/** Ways in which an upload is refused, with the status for 100 kB, for 1 MB, and above the limit of its file. */
const ways: [string, (content: Buffer) => Sent, number, number | number[]][] = [
  ['a part of another name', ({ length }) => upload([wrongPart(length), end]), 400, 400],
  ['two files', (content) => upload([file('1'), file(content), end]), 400, 400],
  ['a field in place of the file', (content) => upload([part('name="file"', content), end]), 400, 400],
  ['too many fields', (content) => upload([...Array.from({ length: 21 }, () => part('name="a"', 'b')), file(content), end]), 400, 413],
  ['a body that is cut', (content) => upload([file(content)]), 400, [400, 413]],
  ['another type of file', (content) => upload([file(content, 'rules.txt'), end]), 400, 413],
  ['a key that is none', (content) => upload([file(content), end], { 'idempotency-key': 'a b' }), 400, 413],
  ['no multipart body', (content) => upload([content], { 'content-type': 'application/octet-stream' }), 415, 415],
  ['a packed body', (content) => upload([file(content), end], { 'content-encoding': 'gzip' }), 415, 415],
  ['a multipart body without parts', (content) => upload([content]), 400, 400],
  ['a multipart body without a boundary', (content) => upload([content], { 'content-type': 'multipart/form-data' }), 400, 400],
  ['a missing credential', (content) => upload([file(content), end], { token: '' }), 401, 401],
  ['a missing permission', (content) => upload([file(content), end], { token: member.token }), 403, 403],
  ['a zone of others', (content) => upload([file(content), end], { path: uploadPath(stranger.id, stranger.organization.id) }), 404, 404],
  ['a zone that does not exist', (content) => upload([file(`${works} // ${content}`), end], { path: uploadPath(uuidv7()) }), 404, 413],
  ['an address that does not exist', (content) => upload([file(content), end], { path: '/api/nothing' }), 404, 404],
  ['a call that takes JSON', (content) => upload([file(content), end], { path: '/api/mdl' }), 400, 400],
]

async function checkWay([, make, status, statusOver]: (typeof ways)[number], refusedThenAsked: RefusedThenAsked): Promise<void> {
  for (const bytes of [kb100, mb1]) expect(await refusedThenAsked(make(filler(bytes)))).toEqual([status, 200])
  const [refused, asked] = await refusedThenAsked(make(filler(over)))
  expect([statusOver].flat()).toContain(refused)
  expect(asked).toBe(200)
}

test.for(ways)('[FLT-05] after an upload refused for %s its connection answers the next request', (way) => checkWay(way, alone(server.url)))

test.for(ways)('[FLT-05] an upload refused for %s keeps nobody waiting behind the same proxy', async (way) =>
  checkWay(way, await behindProxy()),
)

test('[FLT-05] after an upload refused for a full disk its connection answers the next request, its sender’s and others’', async () => {
  const handle = await open(import.meta.filename)
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const disk = vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockRejectedValue(full)
  onTestFinished(() => disk.mockRestore())
  await handle.close()
  for (const refusedThenAsked of [alone(server.url), await behindProxy()])
    for (const bytes of [kb100, mb1, over]) expect(await refusedThenAsked(upload([file(filler(bytes)), end]))).toEqual([507, 200])
})

test('[FLT-05] after a refusal by the limit of calls or by the identity provider the connection answers the next request', async () => {
  const own = await startServer({ environment: { AUTH_DOMAIN: '', EMBEDDED_IDP: 'on', RATE_LIMIT: '6' } })
  onTestFinished(own.stop)
  const token = (type: string, bytes: number): Sent => ({ path: '/oauth/token', headers: { 'content-type': type }, body: filler(bytes) })
  for (const bytes of [kb100, mb1, over]) {
    expect(await alone(own.url)(token('application/json', bytes))).toEqual([400, 200])
    expect(await alone(own.url)(token('application/x-www-form-urlencoded', bytes))).toEqual([400, 200])
  }
  await own.call('getPublicSettings')
  for (const bytes of [kb100, mb1, over]) expect(await alone(own.url)(upload([file(filler(bytes)), end]))).toEqual([429, 200])
})

test('[FLT-05] after JSON that is too large its connection answers the next request, its sender’s and others’', async () => {
  const body = Buffer.from(JSON.stringify({ records: ['x'.repeat(9_000_000)] }))
  const sent = { path: '/api/mdl', headers: { 'content-type': 'application/json', authorization: `Bearer ${zone.manager.token}` }, body }
  for (const refusedThenAsked of [alone(server.url), await behindProxy()]) expect(await refusedThenAsked(sent)).toEqual([413, 200])
})

test('a connection is kept after a request that has arrived, taken or refused, and after one that has no body', async () => {
  const { agent, post, ask } = caller(server.url)
  const connections = vi.spyOn(agent, 'createConnection')
  const taken = upload([file(`${works} // ${filler(mb1)}`), end])
  const refused = upload([file('1'), end], { token: member.token })
  expect([await post(taken), await post(refused), await ask('/api/%zz'), await post(taken)]).toEqual([200, 403, 400, 200])
  expect(connections).toHaveBeenCalledTimes(1)
})

/** A connection on which an upload begins with `body`, of `announced` bytes; null: of unknown length. */
async function begin({ path, headers, body }: Sent, announced?: number, { url } = server): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const length = announced === undefined ? 'transfer-encoding: chunked' : `content-length: ${announced}`
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write([`POST ${path} HTTP/1.1`, 'host: lectern', length, ...lines, '', ''].join('\r\n'))
  socket.write(announced === undefined ? chunk(body) : body)
  return socket
}
const chunk = (content: Buffer) => Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')])

/** Reads until the server ends its half of the connection. */
async function answerOn(socket: Socket): Promise<string> {
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  await once(socket, 'end')
  return Buffer.concat(parts).toString()
}

const refusal =
  /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*\r\nconnection: close\r\n[\s\S]*Send the file in the part named \\"file\\", not \\"script\\"\./i

test('[FLT-05] a client that reads nothing before it has sent everything is told why', async () => {
  const socket = await begin(upload([wrongPart(0)]), 30_000_000)
  await new Promise((resolve) => socket.write(filler(30_000_000), resolve))
  expect(await answerOn(socket)).toMatch(refusal)
})

test('[FLT-05] a client that sends without end is told why, and then cut off', async () => {
  const socket = await begin(upload([wrongPart(mb1)]))
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
  const answer = answerOn(socket)
  const more = chunk(filler(mb1))
  const send = (error?: Error | null) => void (error || socket.write(more, send))
  send()
  expect(await answer).toMatch(refusal)
  await closed
})

/** Time stands still until the test moves it. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('[FLT-05] a client that sends nothing more is told why, and its connection closes after half a minute', async () => {
  holdTime()
  const accepted = once(server.app.http.server, 'connection')
  const socket = await begin(upload([wrongPart(mb1)]), over)
  const [connection] = (await accepted) as [Socket]
  expect(await answerOn(socket)).toMatch(refusal)
  vi.advanceTimersByTime(29_000)
  expect(connection.destroyed).toBe(false)
  vi.advanceTimersByTime(1_000)
  expect(connection.destroyed).toBe(true)
})

/** A server that can be stopped, and an upload to it. */
async function serverToStop() {
  const own = await startServer()
  onTestFinished(own.stop)
  const { id, organization, manager } = await own.zone()
  return { own, upload: (content: Buffer) => upload([content], { path: uploadPath(id, organization.id), token: manager.token }) }
}

test('[FLT-05] a stop waits for no rest of a refused upload', async () => {
  const there = await serverToStop()
  holdTime()
  const socket = await begin(there.upload(wrongPart(mb1)), over, there.own)
  expect(await answerOn(socket)).toMatch(refusal)
  await there.own.stop()
})

test('[FLT-05] an upload that is refused during a stop is told why, and holds the stop up for no second', async () => {
  const there = await serverToStop()
  holdTime()
  const socket = await begin(there.upload(file('1')), over, there.own)
  await until(() => there.own.lines.some((line) => line.includes('starting multipart parsing')))
  const stopped = there.own.stop()
  await until(() => !there.own.app.http.server.listening)
  socket.write(wrongPart(mb1))
  expect(await answerOn(socket)).toMatch(refusal)
  vi.advanceTimersByTime(900)
  await stopped
})
