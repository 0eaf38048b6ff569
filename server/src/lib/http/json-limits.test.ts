import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { endpoints } from '@lectern/contract/endpoints.ts'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { caller } from '../../testing/caller.ts'
import { serverForFile, startServer } from '../../testing/server.ts'
import { createJsonScanner } from './json-limits.ts'

const server = await serverForFile()
const zone = await server.zone()
const host = await server.host(zone)
const { token } = zone.manager
const cfgPath = `/api/codedm/organization/${zone.organization.id}/location/${zone.id}/device/CR2700/configuration/cfg`

/** JSON of so many containers inside each other: a device log whose one record is arrays and objects. */
function nested(levels: number, innermost = '"x"'): string {
  const inside = Array.from({ length: levels - 2 }, (_, level) => (level % 2 === 0 ? ['[', ']'] : ['{"a":', '}']))
  const opened = inside.map(([open]) => open).join('')
  const closed = inside.map(([, close]) => close).reverse()
  return `{"records":[${opened}${innermost}${closed.join('')}]}`
}

async function post(path: string, body: string | Buffer, credential = token, headers = {}) {
  const response = await server.fetch(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}`, ...headers },
  })
  const { detail } = (await response.json()) as { detail?: string }
  return [response.status, detail]
}

const tooDeep = [400, 'The JSON is nested deeper than 32 levels.']

test('[LMT-02] JSON of 32 levels is read, of 33 refused', async () => {
  expect(await post('/api/mdl', nested(32))).toEqual([200, undefined])
  expect(await post('/api/mdl', nested(33))).toEqual(tooDeep)
  expect(await post('/api/mdl', nested(33), token, { 'content-type': 'Application/JSON; charset=utf-8' })).toEqual(tooDeep)
})

test('[LMT-02] deeper JSON is refused of hosts and licence holders too, in any call and at any address', async () => {
  const licence = await server.licence(zone.organization)
  expect(await post('/api/agent/check-in', nested(33), host.credential)).toEqual(tooDeep)
  expect(await post('/api/agent/enroll', nested(33), licence)).toEqual(tooDeep)
  expect(await post(cfgPath, nested(33))).toEqual(tooDeep)
  expect(await post('/api/nothing', nested(33))).toEqual(tooDeep)
})

test('brackets in texts do not count, nor do those behind an escaped quotation mark', async () => {
  const brackets = '[{'.repeat(100)
  for (const text of [brackets, `"${brackets}`, `\\"${brackets}`, '\\'])
    expect(await post('/api/mdl', nested(31, `[${JSON.stringify(text)},"${brackets}"]`))).toEqual([200, undefined])
  expect(await post('/api/mdl', nested(32, `[${JSON.stringify('\\')},[]]`))).toEqual(tooDeep)
  expect(await post('/api/mdl', nested(32, `[${JSON.stringify('é"靑')},[]]`))).toEqual(tooDeep)
})

test('what is no JSON is refused as ever, and so is another prototype', async () => {
  expect(await post('/api/mdl', `${nested(3)}]`)).toEqual([400, "Body is not valid JSON but content-type is set to 'application/json'"])
  expect(await post('/api/mdl', '')).toEqual([400, "Body cannot be empty when content-type is set to 'application/json'"])
  expect(await post('/api/mdl', '{"records":[],"__proto__":{}}')).toEqual([
    400,
    "Body is not valid JSON but content-type is set to 'application/json'",
  ])
})

/** What is answered to a body that has begun and does not end. */
async function answerTo(url: string, path: string, pieces: readonly string[]) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const sending = request(`${url}${path}`, { method: 'POST', headers })
  sending.on('error', () => {})
  onTestFinished(() => void sending.destroy())
  for (const piece of pieces) sending.write(piece)
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, body: JSON.parse(Buffer.concat(await answer.toArray()).toString()) }
}

test('[LMT-02] deeper JSON is refused while it is read, in however small pieces it comes', async () => {
  const text = `{"records":["a\\"${'['.repeat(40)}",${'['.repeat(31)}`
  const { status, body } = await answerTo(server.url, '/api/mdl', [...text])
  expect([status, body.detail]).toEqual(tooDeep)
})

test('[LMT-02] the embedded identity provider refuses deeper JSON while it is read', async () => {
  const own = await startServer({ environment: { AUTH_DOMAIN: '', EMBEDDED_IDP: 'on' } })
  onTestFinished(own.stop)
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    const { status, body } = await answerTo(own.url, path, ['{"a":', '['.repeat(32)])
    expect([status, body]).toEqual([400, { error: 'invalid_request', error_description: 'the request body cannot be read as JSON' }])
  }
})

test('a packed body is refused, however deep it is', async () => {
  expect(await post('/api/mdl', gzipSync(nested(3)), token, { 'content-encoding': 'gzip' })).toEqual([
    415,
    'Unsupported Content-Encoding: gzip',
  ])
})

test('[LMT-02] 24 bodies at once, as deep as they go, are refused, and the server answers', async () => {
  for (const [path, bytes, credential] of [
    ['/api/mdl', 1024 * 1024 - 1, token],
    ['/api/agent/check-in', 10 * 1024 * 1024 - 1, host.credential],
  ] as const) {
    const body = Buffer.alloc(bytes, '[')
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${credential}` }
    const statuses = Promise.all(Array.from({ length: 24 }, () => caller(server.url).post({ path, headers, body })))
    expect((await server.call('getLiveness')).status).toBe(200)
    expect(await statuses).toEqual(Array.from({ length: 24 }, () => 400))
    expect((await server.call('getLiveness')).status).toBe(200)
  }
})

/** How many arrays and objects are inside each other. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

/** A device log with one record; so many values and keys, those around it included. */
const flat = (values: number) => `{"records":[[${Array.from({ length: values - 4 }, () => '0').join(',')}]]}`

test('[FAI-03] JSON has at most as many values and keys as the largest valid body of its call', async () => {
  // 500 records with 3 values of the location and 6 others, each with its key, and a quarter more.
  expect(await post('/api/mdl', flat(11_900))).toEqual([200, undefined])
  expect(await post('/api/mdl', flat(12_000))).toEqual([400, 'The JSON has more than 11,929 values and keys.'])
  const keys = `{${Array.from({ length: 60 }, (_, index) => `"k${index}":0`).join(',')}}`
  const path = endpoints.createZone.path.replace('{organizationId}', zone.organization.id)
  expect(await post(path, keys)).toEqual([400, 'The JSON has more than 52 values and keys.'])
})

test('[FAI-03] every value and key is counted, however it is written and cut, and nothing else', () => {
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1
    if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + count(one), 1)
    return Object.values(value).reduce((sum: number, one) => sum + 1 + count(one), 1)
  }
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, '\t'), fc.integer({ min: 1, max: 9 }), (value, indent, size) => {
      const bytes = Buffer.from(JSON.stringify(value, null, indent))
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
      const [exactly, fewer] = [createJsonScanner(count(value)), createJsonScanner(count(value) - 1)]
      expect(pieces.every((piece) => exactly(piece) === null)).toBe(true)
      expect(pieces.every((piece) => fewer(piece) === null)).toBe(false)
    }),
  )
})

const text = fc.string({ unit: fc.constantFrom(...'"\\[]{}aé靑') })
/** Values whose arrays and objects, by the names of their members, are 25 to 40 levels deep. */
const deep = fc
  .tuple(fc.jsonValue(), fc.array(fc.option(text), { minLength: 25, maxLength: 36, size: 'max' }), text)
  .map(([inside, names, beside]) =>
    names.reduce<unknown>((inner, name) => (name === null ? [beside, inner] : { [`${name}.`]: beside, [name]: inner }), inside),
  )

test('[LMT-02] a text is refused exactly where it nests deeper than 32 levels, however it is cut', () => {
  fc.assert(
    fc.property(deep, fc.constantFrom(undefined, '\t'), fc.integer({ min: 1, max: 9 }), (value, indent, size) => {
      const bytes = Buffer.from(JSON.stringify(value, null, indent))
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
      const scan = createJsonScanner(1_000_000)
      expect(pieces.every((piece) => scan(piece) === null)).toBe(depthOf(value) <= 32)
    }),
  )
})
