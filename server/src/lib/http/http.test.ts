import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { Problem } from '@lectern/contract/http/problems.ts'
import { expect, onTestFinished, test } from 'vitest'
import { serverForFile, startServer } from '../../testing/server.ts'

const server = await serverForFile()

/** Sends an address as it is: `fetch` would tidy it up first. */
function rawGet(path: string): Promise<{ status: number; type: string; text: string }> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text })
    })
    request.on('error', reject).end()
  })
}

const post = (path: string, token: string, body: string, type = 'application/json') =>
  server.fetch(path, { method: 'POST', body, headers: { 'content-type': type, authorization: `Bearer ${token}` } })

test('[ENT-27] a refusal is a problem: type, title, status, detail, and the request id as its instance', async () => {
  const { status, headers, problem } = await server.call('getCurrentUser')
  expect(status).toBe(401)
  expect(headers.get('content-type')).toContain('application/problem+json')
  expect(problem).toEqual({
    type: 'about:blank',
    title: 'Not signed in',
    status: 401,
    detail: 'Sign in first.',
    instance: headers.get('x-request-id'),
  })
})

test('[FLT-02] what is too long, or is not HTTP, is refused by a problem too', async () => {
  const long = await rawGet(`/api/countries?text=${'x'.repeat(20_000)}`)
  expect([long.status, long.type]).toEqual([431, 'application/problem+json'])
  expect(Problem.parse(JSON.parse(long.text))).toMatchObject({
    title: 'Too long',
    status: 431,
    detail: 'The address and the headers of the request are too long together.',
    instance: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.end('HELLO\r\n\r\n')
  const text = Buffer.concat(await socket.toArray()).toString()
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(Problem.parse(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))))).toMatchObject({
    status: 400,
    detail: 'This is not an HTTP request.',
  })
})

test('pages and answers say what the portal does not use, and keep their pop-ups', async () => {
  for (const path of ['/', '/livez', '/api/settings']) {
    const { headers } = await server.fetch(path)
    expect(headers.get('permissions-policy')).toMatch(/^camera=\(\), microphone=\(\), /)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
  }
})

test('each request has an id of its own; the caller cannot choose it', async () => {
  const ids = new Set<string | null>()
  for (let turn = 0; turn < 3; turn++)
    ids.add((await server.fetch('/livez', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })).headers.get('x-request-id'))
  expect(ids.size).toBe(3)
  expect(ids).not.toContain('mine')
})

test('[ENT-27] malformed JSON, another type, a body too large and an unknown address are problems', async () => {
  const zone = await server.zone()
  const { token } = zone.manager
  const path = `/api/codedm/organization/${zone.organization.id}/location/${zone.id}/device/CR2700/configuration/cfg`
  const answers = [
    await post(path, token, '{"cfg": '),
    await post(path, token, ''),
    await post(path, token, '<cfg/>', 'application/xml'),
    await post(path, token, JSON.stringify({ cfg: 'x'.repeat(3_200_000) })),
    await server.fetch('/api/nothing/here'),
    await server.fetch('/livez', { method: 'PUT' }),
  ]
  const problems = await Promise.all(answers.map(async (answer) => Problem.parse(await answer.json())))
  expect(problems.map(({ status }) => status)).toEqual([400, 400, 415, 413, 404, 404])
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 415, 413, 404, 404])
  expect(problems[3]?.detail).toBe('The body is larger than 3.0 MB.')
  for (const answer of answers) expect(answer.headers.get('content-type')).toContain('application/problem+json')
})

test('a request that names two hosts is refused', async () => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write('GET /livez HTTP/1.1\r\nHost: portal\r\nHost: other\r\nConnection: close\r\n\r\n')
  const [head, body] = Buffer.concat(await socket.toArray())
    .toString()
    .split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(body).toContain('The request names more than one host.')
})

test('[ENT-27] an address that is no address is a problem, whatever its length', async () => {
  const { status, type, text } = await rawGet('/api/codedm/organization/%zz/locations')
  expect(status).toBe(400)
  expect(type).toContain('application/problem+json')
  expect(Problem.parse(JSON.parse(text)).instance).toMatch(/^[0-9a-f-]{36}$/)
  expect((await rawGet(`/api/codedm/organization/${'x'.repeat(12_000)}/locations`)).status).toBe(401)
})

test('a validation error names its field', async () => {
  const zone = await server.zone()
  const { problem } = await zone.manager.call('listDevices', {
    params: { organizationId: zone.organization.id },
    query: { PageNumber: 'two', Direction: 'Sideways', textFilter: '\0' },
  })
  expect(problem.status).toBe(400)
  expect(problem.errors?.map(({ field }) => field).sort()).toEqual(['Direction', 'PageNumber', 'textFilter'])
  expect(problem.detail).toContain('PageNumber invalid input: expected number')
  expect(problem.detail).toContain('Direction invalid option: expected one of "Ascending"|"Descending"')
  expect(problem.detail).toContain('textFilter must be text')
})

test('an unexpected error is hidden from the caller and complete in the log', async () => {
  const own = await startServer()
  onTestFinished(own.stop)
  const there = await own.zone()
  await own.app.db.schema.alterTable('zone').renameColumn('name', 'title').execute()
  const { status, text, problem } = await there.manager.call('listZones', { params: { organizationId: there.organization.id } })
  expect([status, problem.detail]).toEqual([500, 'Something went wrong on our side. The problem was recorded.'])
  expect(text).not.toContain('column')
  const logged = own.lines.map((line) => JSON.parse(line)).find(({ reqId, level }) => reqId === problem.instance && level === 50)
  expect(logged.err.message).toContain('column "name" does not exist')
})

test('a refusal is a line of the log that says who asked, whatever the address holds', async () => {
  const zone = await server.zone()
  const member = await server.person({ organization: zone.organization })
  const params = { organizationId: zone.organization.id, location: `Ward\n{"level":60}` }
  const { status, headers } = await member.call('createZone', { params })
  expect(status).toBe(403)
  const lines = server.lines.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === headers.get('x-request-id'))
  const refusal = { level: 30, caller: `user ${member.userId}`, msg: 'This needs the permission “Publish firmware, manage zones”.' }
  expect(lines).toContainEqual(expect.objectContaining({ ...refusal, time: expect.any(Number) }))
  expect(lines).toContainEqual(expect.objectContaining({ res: { status: 403 } }))
})

test('nothing but the portal’s own pages and files is served, no folder is listed, and no TRACE is answered', async () => {
  for (const path of ['/package.json', '/.git/config.lock', '/server/src/main.ts', '/..%2f..%2fpackage.json', '/assets/../../package.json'])
    expect((await rawGet(path)).status, path).toBeGreaterThanOrEqual(400)
  // The app has a page of its own for what it does not know.
  const page = await rawGet('/')
  for (const path of ['/.git/HEAD', '/.git/', '/assets/', '/assets', '/migrations/']) {
    const { status, text } = await rawGet(path)
    if (status < 400) expect([path, text]).toEqual([path, page.text])
  }
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.end('TRACE /livez HTTP/1.1\r\nHost: portal.example\r\nX-Secret: 1\r\nConnection: close\r\n\r\n')
  const text = Buffer.concat(await socket.toArray()).toString()
  expect(text).toMatch(/^HTTP\/1\.1 4/)
  expect(text).not.toContain('X-Secret')
})

test('a request whose length is said twice is refused, and what would follow it is none', async () => {
  const { hostname, port } = new URL(server.url)
  const head = 'POST /api/settings HTTP/1.1\r\nHost: portal.example\r\n'
  for (const lengths of [
    'Content-Length: 4\r\nTransfer-Encoding: chunked',
    'Content-Length: 4\r\nContent-Length: 5',
    'Transfer-Encoding: chunked, identity',
  ]) {
    const socket = connect(Number(port), hostname)
    socket.end(`${head}${lengths}\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: portal.example\r\n\r\n`)
    const text = Buffer.concat(await socket.toArray()).toString()
    expect(text.match(/^HTTP\/1\.1 \d+/gm), lengths).toEqual(['HTTP/1.1 400'])
  }
})

test('every text says its character set, or is JSON', async () => {
  for (const path of ['/livez', '/api/settings', '/api/docs', '/api/nothing', '/api/licensing/keys', '/']) {
    const type = (await server.fetch(path)).headers.get('content-type') ?? ''
    expect([path, type]).toEqual([path, expect.stringMatching(/^(application\/(problem\+)?json|text\/\w+; ?charset=utf-8)/i)])
  }
})

test('no credential reaches the log', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const secrets = [zone.manager.token, host.credential]
  await zone.manager.call('listZones', { params: { organizationId: zone.organization.id } })
  await host.call('getDesired')
  await host.call('getDesired', {}, { cookie: `session=${host.credential}` })
  const expired = await server.issuer.token('x', { exp: 1 })
  await server.call('getCurrentUser', {}, { token: expired })
  await server.fetch(`/api/nothing?access_token=${expired}`, { headers: { authorization: `Bearer ${expired}` } })
  const log = server.lines.join('')
  expect(log).toContain('"path":"/api/agent/desired"')
  for (const secret of [...secrets, expired]) {
    expect(log).not.toContain(secret)
    expect(log).not.toContain(secret.split('.').at(-1))
  }
})

test('every response has the security headers', async () => {
  for (const path of ['/livez', '/api/nothing', '/api/docs']) {
    const { headers } = await server.fetch(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain(`connect-src 'self' ${new URL(server.issuer.url).origin}`)
    expect(headers.get('content-security-policy')).toContain("object-src 'none'")
  }
})

test('browsers may also call the error-reporting service, where there is one', async () => {
  const monitored = await startServer({ environment: { SENTRY_DSN: 'https://key@errors.example/1' } })
  onTestFinished(monitored.stop)
  const getPolicy = async ({ fetch }: typeof server) => (await fetch('/livez')).headers.get('content-security-policy') ?? ''
  const connect = `connect-src 'self' ${new URL(monitored.issuer.url).origin}`
  expect(await getPolicy(monitored)).toContain(`${connect} https://errors.example;`)
  expect(await getPolicy(monitored)).toContain("style-src 'self';")
  expect(await getPolicy(server)).not.toContain('errors.example')
})

test('calls per minute are limited by address, whatever the credential; health checks are not', async () => {
  const limited = await startServer({ environment: { RATE_LIMIT: '20' } })
  try {
    const statuses = await Promise.all(
      Array.from(
        { length: 25 },
        async (_, turn) => (await limited.fetch('/api/settings', { headers: { authorization: `Bearer ${turn}` } })).status,
      ),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    const refused = await limited.call('getPublicSettings')
    expect(refused.problem).toMatchObject({ status: 429, title: 'Too many requests' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await limited.fetch('/livez')).status).toBe(200)
    // Pieces of a content are counted apart, so that host PCs that download do not block users at the same address.
    const pieces = await Promise.all(
      Array.from({ length: 205 }, async () => (await limited.fetch(`/api/agent/content/${'a'.repeat(64)}`)).status),
    )
    expect([401, 429].map((status) => pieces.filter((one) => one === status).length)).toEqual([200, 5])
  } finally {
    await limited.stop()
  }
})
