import { expect, test } from 'vitest'
import { memoryLog } from '../testing/log.ts'
import { json, problem, startPeer } from '../testing/peer.ts'
import { connectTo } from './client.ts'
import { Refusal, Unavailable } from './errors.ts'
import { watchReachability } from './reachability.ts'

const outcomes = { body: { outcomes: [] } }

test('a call carries the credential, and its answer is read as the contract says', async () => {
  const peer = await startPeer((_call, response) => json(response, 200, { refused: [], more: 1 }))
  expect(await connectTo(`${peer.url}/`, 'secret').call('reportOutcomes', outcomes)).toEqual({ refused: [] })
  expect(peer.calls[0]).toMatchObject({ method: 'POST', path: '/api/agent/outcomes', body: { outcomes: [] } })
  expect(peer.calls[0]?.headers.authorization).toBe('Bearer secret')
})

test('a call that has no answer is answered by 204', async () => {
  const peer = await startPeer((_call, response) => void response.writeHead(204).end())
  expect(await connectTo(peer.url, 'secret').call('reportProgress', { body: { progress: [] } })).toBeUndefined()
})

test("a refusal is the server's own sentence", async () => {
  const body = { ...problem(422, 'The batch cannot be read.'), errors: [{ field: 'outcomes.0.at', message: 'must be a time' }] }
  const peer = await startPeer((_call, response) => json(response, 422, body))
  const call = connectTo(peer.url, 'secret').call('reportOutcomes', outcomes)
  await expect(call).rejects.toBeInstanceOf(Refusal)
  await expect(call).rejects.toMatchObject({ status: 422, message: 'The batch cannot be read. · outcomes.0.at: must be a time' })
})

test.for([
  ['a proxy that refuses in its own words', 401, '<html>Sign in to the guest network</html>'],
  ['a missing page of something else', 404, 'Not found'],
  ['a success that is not Lectern', 200, '<html>Welcome</html>'],
  ['a success of another shape', 200, '{"refused":"none"}'],
  ['a server that is unwell', 503, JSON.stringify(problem(503, 'The database does not answer.'))],
] as const)('%s is worth another try, not a refusal', async ([, status, body]) => {
  const peer = await startPeer((_call, response) => void response.writeHead(status).end(body))
  await expect(connectTo(peer.url, 'secret').call('reportOutcomes', outcomes)).rejects.toBeInstanceOf(Unavailable)
})

test.for<[string, number, Record<string, string>, string, RegExp]>([
  [
    'a page',
    200,
    { 'content-type': 'text/html; charset=utf-8' },
    'Welcome',
    /^127\.0\.0\.1:\d+ responds with a web page \(200\) and not as Lectern does\. /,
  ],
  [
    'a page without a type',
    502,
    {},
    '\n<!doctype html>',
    /^127\.0\.0\.1:\d+ responds with a web page \(502\) .* in a browser of this PC\.$/,
  ],
  [
    '407',
    407,
    { 'content-type': 'text/html' },
    '<html>',
    /^A proxy on the way asks for a user and a password\. Enroll with --proxy .*FILE\.$/,
  ],
])('[AGT-07] %s in place of an answer is what it is, for each kind of call', async ([, status, headers, body, sentence]) => {
  const peer = await startPeer((_call, response) => void response.writeHead(status, { 'retry-after': '17', ...headers }).end(body))
  const server = connectTo(peer.url, 'secret')
  await expect(server.call('reportOutcomes', outcomes)).rejects.toThrow(sentence)
  const signal = new AbortController().signal
  await expect(server.open('downloadContent', { params: { hash: 'a'.repeat(64) } }, { signal })).rejects.toThrow(sentence)
})

test('a server that asks to wait is given the time it asks for', async () => {
  const peer = await startPeer((_call, response) => {
    response.setHeader('retry-after', '17')
    json(response, 429, problem(429, 'Too many requests.'))
  })
  await expect(connectTo(peer.url, 'secret').call('reportOutcomes', outcomes)).rejects.toMatchObject({ retryAfter: 17_000 })
})

test('[AGT-07] an answer that is cut off, and a server that is gone, are what they are', async () => {
  const cut = await startPeer(
    (_call, response) => void response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
  )
  await expect(connectTo(cut.url, 'secret').call('reportOutcomes', outcomes)).rejects.toThrow(
    /^The answer of 127\.0\.0\.1:\d+ was cut off\.$/,
  )
  const gone = connectTo('http://127.0.0.1:9', 'secret').call('reportOutcomes', outcomes)
  await expect(gone).rejects.toThrow(/^127\.0\.0\.1:9 cannot be reached: nothing takes connections there\.$/)
})

test.for([301, 302, 303, 307, 308])('[AGT-13] a credential never follows a redirect with %s', async (status) => {
  const other = await startPeer((_call, response) => json(response, 200, { refused: [] }))
  const peer = await startPeer((_call, response) => void response.writeHead(status, { location: `${other.url}/next` }).end())
  const server = connectTo(peer.url, 'secret')
  const sentence = `sends this PC on to ${other.url}/next, and no credential follows there. Where the portal has moved, enroll with the new address in --server.`
  await expect(server.call('reportOutcomes', outcomes)).rejects.toThrow(sentence)
  await expect(server.open('streamDesired', {}, { signal: new AbortController().signal })).rejects.toThrow(sentence)
  expect(other.calls).toEqual([])
})

test('a server that is gone for long is mentioned once, and once when it is back', async () => {
  const log = memoryLog()
  let isWell = true
  const peer = await startPeer((_call, response) => (isWell ? json(response, 200, { refused: [] }) : void response.destroy()))
  let time = Date.parse('2026-11-20T12:00:00Z')
  const server = watchReachability(connectTo(peer.url, 'secret'), log, () => new Date(time))
  await server.call('reportOutcomes', outcomes)
  isWell = false
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(server.call('reportOutcomes', outcomes)).rejects.toBeInstanceOf(Unavailable)
    time += 120_000
  }
  isWell = true
  for (let attempt = 0; attempt < 3; attempt += 1) await server.call('reportOutcomes', outcomes)
  expect(log.lines).toEqual([expect.stringMatching(/^Warning: .* cannot be reached/), 'The server responds again, after 10 minutes.'])
  expect(log.lines.join()).not.toContain('secret')
})
