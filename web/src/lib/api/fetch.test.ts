import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallError } from './call-error.ts'
import { createApi, type Tokens } from './fetch.ts'

type Handler = (request: IncomingMessage, answer: ServerResponse, body: string) => void

let url = ''
let handle: Handler = (_, answer) => answer.end()
const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []

const server = createServer(async (request, answer) => {
  let body = ''
  for await (const chunk of request) body += chunk
  seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
  handle(request, answer, body)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  seen.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const json = (answer: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) =>
  answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const problem = (answer: ServerResponse, status: number, headers: Record<string, string> = {}) =>
  json(answer, { type: 'about:blank', title: 'No', status, detail: `It is ${status}.` }, status, headers)
const zone = { id: 'z', name: 'ICU', organizationId: 'o' }
/** Fails as told, then answers well. */
const failing =
  (times: number, fail: (answer: ServerResponse) => void): Handler =>
  (_, answer) =>
    seen.length <= times ? fail(answer) : json(answer, [zone])

const tokens = (overrides: Partial<Tokens> = {}): Tokens => ({
  get: async () => 'one',
  renew: async () => 'two',
  refused: () => {},
  needsPasskey: () => {},
  ...overrides,
})
const api = (overrides: Partial<Tokens> = {}) => createApi({ tokens: tokens(overrides), base: url, backOff: 1 })
const listZones = (options = {}) => api().call('listZones', { params: { organizationId: 'o' } }, options)
const failure = async (call: Promise<unknown>): Promise<CallError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof CallError)) throw new Error(`Expected a CallError, got ${error}`)
  return error
}

describe('a call', () => {
  test('[FET-01] goes to its path below the base and carries the access token, obtained for it', async () => {
    handle = (_, answer) => json(answer, [zone])
    expect(await listZones()).toEqual([zone])
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/api/codedm/organization/o/locations/list' })
    expect(seen[0]?.headers.authorization).toBe('Bearer one')
  })

  test('[FET-01] a public one carries none', async () => {
    handle = (_, answer) => json(answer, { status: 'alive' })
    const get = () => Promise.reject(new Error('asked for a token'))
    await api({ get }).call('getLiveness', {})
    expect(seen[0]?.headers.authorization).toBeUndefined()
  })

  test('[FET-02] sends a JSON body with the JSON content type, and none without a body', async () => {
    handle = (_, answer) => json(answer, { message: 'done' })
    const params = { organizationId: 'o', location: '0198c0de-0001-7000-8000-000000000001', device: 'A271/2' as const }
    await api().call('publishCfg', { params, body: { cfg: '<cfg></cfg>' } })
    expect(seen[0]?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ cfg: '<cfg></cfg>' })
    expect(seen[0]?.url).toContain('A271%2F2')
    await listZones().catch(() => {})
    expect(seen[1]?.headers['content-type']).toBeUndefined()
  })

  test('[FET-02] appends query parameters', async () => {
    handle = (_, answer) => json(answer, { deviceList: [], pageSize: 10, pageNumber: 2, totalCount: 0 })
    await api().call('listDevices', { params: { organizationId: 'o' }, query: { PageNumber: 2, textFilter: 'icu & co' } })
    expect(seen[0]?.url).toBe('/api/codedm/organization/o/devices?PageNumber=2&textFilter=icu+%26+co')
  })

  test.each([400, 404, 422, 500])('[FET-03] %d is a failure with the status and the problem', async (status) => {
    handle = (_, answer) => problem(answer, status)
    const error = await failure(listZones())
    expect(error.status).toBe(status)
    expect(error.message).toBe(`It is ${status}.`)
    expect(error.problem?.title).toBe('No')
    expect(seen).toHaveLength(1)
  })

  test('[FET-03] 204 is none', async () => {
    handle = (_, answer) => answer.writeHead(204).end()
    const params = { organizationId: 'o', location: '0198c0de-0001-7000-8000-000000000001' }
    expect(await api().call('deleteZone', { params })).toBeUndefined()
  })

  test('[FET-03] a failure that is no problem details keeps its text', async () => {
    handle = (_, answer) => answer.writeHead(418).end('teapot')
    expect(await failure(listZones())).toMatchObject({ status: 418, data: 'teapot', message: 'The server responded with 418.' })
  })
})

describe('no usable answer', () => {
  test('[FET-06] no answer is FETCH_ERROR', async () => {
    handle = (request) => request.socket.destroy()
    expect((await failure(listZones())).status).toBe('FETCH_ERROR')
  })

  test('[FET-06] an answer that breaks off is FETCH_ERROR', async () => {
    handle = (_, answer) => {
      answer.writeHead(200, { 'content-length': '100' })
      answer.write('[', () => answer.destroy())
    }
    expect((await failure(listZones())).status).toBe('FETCH_ERROR')
  })

  test('[FET-04 FET-06] an exceeded timeout is TIMEOUT_ERROR', async () => {
    handle = () => {}
    const params = { organizationId: 'o', location: 'ICU' }
    expect((await failure(api().call('createZone', { params }, { timeout: 30 }))).status).toBe('TIMEOUT_ERROR')
  })

  test('[FET-04 FET-06] an answer that stops in the middle is TIMEOUT_ERROR too', async () => {
    handle = (_, answer) => void answer.writeHead(200).write('[')
    const params = { organizationId: 'o', location: 'ICU' }
    expect((await failure(api().call('createZone', { params }, { timeout: 30 }))).status).toBe('TIMEOUT_ERROR')
  })

  test('[FET-04] without a timeout no time limit ends a call', async () => {
    // Any limit has passed at once.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new DOMException('It took too long.', 'TimeoutError')))
    handle = (_, answer) => json(answer, zone)
    const params = { organizationId: 'o', location: 'ICU' }
    expect(await api().call('createZone', { params })).toEqual(zone)
    expect((await failure(api().call('createZone', { params }, { timeout: 86_400_000 }))).status).toBe('TIMEOUT_ERROR')
  })

  test.each(['not json', '{"zones":1}'])('[FET-06] an answer that cannot be read is PARSING_ERROR: %s', async (text) => {
    handle = (_, answer) => answer.writeHead(200).end(text)
    expect(await failure(listZones())).toMatchObject({ status: 'PARSING_ERROR', data: text })
    expect(seen).toHaveLength(1)
  })
})

describe('a failed call', () => {
  test('[FET-05] is repeated up to 5 times', async () => {
    handle = (_, answer) => problem(answer, 503)
    expect((await failure(listZones())).status).toBe(503)
    expect(seen).toHaveLength(6)
  })

  test.each([408, 429, 502, 503, 504])('[FET-05] is repeated after %d', async (status) => {
    handle = failing(2, (answer) => problem(answer, status))
    expect(await listZones()).toEqual([zone])
    expect(seen).toHaveLength(3)
  })

  test('[FET-05] is repeated after no answer and after a timeout', async () => {
    handle = (request, answer) => {
      if (seen.length === 1) request.socket.destroy()
      else if (seen.length > 2) json(answer, [zone])
    }
    expect(await listZones({ timeout: 100 })).toEqual([zone])
    expect(seen).toHaveLength(3)
  })

  test('[FET-05] waits as long as Retry-After says', async () => {
    handle = failing(1, (answer) => problem(answer, 429, { 'retry-after': '1' }))
    const started = performance.now()
    await listZones()
    expect(performance.now() - started).toBeGreaterThan(950)
  })

  test('[FET-05] a write without an idempotency key is not repeated', async () => {
    handle = (_, answer) => problem(answer, 503)
    await failure(api().call('createZone', { params: { organizationId: 'o', location: 'ICU' } }))
    expect(seen).toHaveLength(1)
  })

  test('[FET-05] a write with one is repeated under the same key', async () => {
    handle = (request, answer) => (seen.length < 3 ? request.socket.destroy() : json(answer, zone))
    await api().call('createZone', { params: { organizationId: 'o', location: 'ICU' } }, { idempotencyKey: 'key' })
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['key', 'key', 'key'])
  })

  test('is not repeated once it is aborted', async () => {
    const controller = new AbortController()
    handle = (_, answer) => {
      problem(answer, 503, { 'retry-after': '30' })
      setTimeout(() => controller.abort(new Error('left')), 20)
    }
    await expect(listZones({ signal: controller.signal })).rejects.toThrow('left')
    expect(seen).toHaveLength(1)
  })
})

describe('a refused token', () => {
  const accepts =
    (token: string): Handler =>
    (request, answer) =>
      request.headers.authorization === `Bearer ${token}` ? json(answer, [zone]) : problem(answer, 401)

  test('is renewed once, and the call repeated', async () => {
    handle = accepts('two')
    expect(await listZones()).toEqual([zone])
    expect(seen).toHaveLength(2)
  })

  test('is not renewed when another call already has', async () => {
    handle = accepts('two')
    let given = 0
    const renew = () => Promise.reject(new Error('renewed again'))
    const get = async () => (given++ === 0 ? 'one' : 'two')
    await api({ get, renew }).call('listZones', { params: { organizationId: 'o' } })
    expect(seen).toHaveLength(2)
  })

  test('refused again, the session is told and the call fails with 401', async () => {
    handle = (_, answer) => problem(answer, 401)
    let refusals = 0
    const call = api({ refused: () => refusals++ }).call('listZones', { params: { organizationId: 'o' } })
    expect((await failure(call)).status).toBe(401)
    expect([seen.length, refusals]).toEqual([2, 1])
  })

  test('what keeps a token from being obtained is thrown as it is', async () => {
    const get = () => Promise.reject(new Error('Get access token failed'))
    await expect(api({ get }).call('listZones', { params: { organizationId: 'o' } })).rejects.toThrow('Get access token failed')
    expect(seen).toHaveLength(0)
  })
})

describe('a download', () => {
  const download = () => api().download('downloadDevices', { params: { organizationId: 'o' } }, 'devices.csv')

  test('is named by the server', async () => {
    handle = (_, answer) =>
      answer.writeHead(200, { 'content-disposition': 'attachment; filename="icu 3.csv"', 'content-type': 'text/csv' }).end('a,b')
    const file = await download()
    expect([file.name, file.type, await file.text()]).toEqual(['icu 3.csv', 'text/csv', 'a,b'])
  })

  test('is named by default where the server does not', async () => {
    handle = (_, answer) => answer.writeHead(200).end('a,b')
    expect((await download()).name).toBe('devices.csv')
  })

  test('that is refused is a failure, not a file', async () => {
    handle = (_, answer) => problem(answer, 403)
    expect((await failure(download())).status).toBe(403)
  })
})
