import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

/** A zone with a host, and a published script of ten thousand different bytes or so. */
async function newContent() {
  const zone = await server.zone()
  const script = `// ${zone.id}\nrules_onDecode = (d) => d\n${Array.from({ length: 2_000 }, (_, line) => `// ${line}`).join('\n')}`
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishCodeRules', { params, file: new File([script], 'rules.js') })
  const host = await server.host(zone)
  const hash = createHash('sha256').update(script).digest('hex')
  const get = (headers: Record<string, string> = {}, requested = hash) =>
    server.fetch(`/api/agent/content/${requested}`, { headers: { authorization: `Bearer ${host.credential}`, ...headers } })
  return { zone, host, script, hash, get }
}

test('hands out what the zone desires: whole, inert, under its hash, cached for ever', async () => {
  const { script, hash, get, host } = await newContent()
  const { configurations } = (await host.call('getDesired')).body
  expect(configurations).toMatchObject([{ contentHash: hash, size: script.length, fileName: 'rules.js', content: 'file' }])
  const response = await get()
  expect(response.status).toBe(200)
  expect(await response.text()).toBe(script)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': String(script.length),
    'accept-ranges': 'bytes',
    etag: `"${hash}"`,
    'cache-control': 'private, immutable, max-age=31536000',
    'x-content-type-options': 'nosniff',
  })
})

test.for<[string, number, number]>([
  ['bytes=0-0', 0, 1],
  ['bytes=100-199', 100, 200],
  ['bytes=100-', 100, Number.POSITIVE_INFINITY],
  ['bytes=-50', -50, Number.POSITIVE_INFINITY],
  ['bytes=-999999999', 0, Number.POSITIVE_INFINITY],
  ['bytes=500-999999999', 500, Number.POSITIVE_INFINITY],
])('returns the range %s', async ([range, start, end]) => {
  const { script, get } = await newContent()
  const response = await get({ range })
  const part = script.slice(start, end)
  const first = start < 0 ? script.length + start : start
  expect(response.status).toBe(206)
  expect(response.headers.get('content-range')).toBe(`bytes ${first}-${first + part.length - 1}/${script.length}`)
  expect(response.headers.get('content-length')).toBe(String(part.length))
  expect(await response.text()).toBe(part)
})

test.for(['bytes=5-2', 'bytes=0-1,5-6', 'bytes=-', 'bytes=a-b', 'lines=1-2'])(
  'a range of the form %s asks for the whole',
  async (range) => {
    const { script, get } = await newContent()
    const response = await get({ range })
    expect([response.status, await response.text()]).toEqual([200, script])
  },
)

test.for(['bytes=99999999-', 'bytes=-0'])('the range %s lies behind the end', async (range) => {
  const { script, get } = await newContent()
  const response = await get({ range })
  expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([416, `bytes */${script.length}`, ''])
})

test('If-Range: a range of this content only, else the whole', async () => {
  const { script, hash, get } = await newContent()
  expect((await get({ range: 'bytes=10-', 'if-range': `"${hash}"` })).status).toBe(206)
  const other = await get({ range: 'bytes=10-', 'if-range': `"${'0'.repeat(64)}"` })
  expect([other.status, await other.text()]).toEqual([200, script])
})

test('a host gets the contents of its own zone only', async () => {
  const mine = await newContent()
  const other = await newContent()
  const neighbour = await server.host(await server.zone('Neighbour', mine.zone.organization))
  const foreign = await mine.get({}, other.hash)
  expect([foreign.status, await foreign.json()]).toMatchObject([404, { detail: 'There is no such content.' }])
  expect((await neighbour.call('downloadContent', { params: { hash: mine.hash } })).status).toBe(404)
  expect((await mine.get({}, 'A'.repeat(64))).status).toBe(400)
  expect((await mine.get({}, encodeURIComponent('../../etc/passwd'))).status).toBe(400)
})

test('an interrupted download goes on where it stopped', async () => {
  const { script, hash, get } = await newContent()
  const response = await get()
  const { value } = await response.body!.getReader().read()
  const half = Buffer.from(value!).subarray(0, 1_000)
  const rest = await get({ range: 'bytes=1000-', 'if-range': `"${hash}"` })
  const whole = Buffer.concat([half, Buffer.from(await rest.arrayBuffer())])
  expect(createHash('sha256').update(whole).digest('hex')).toBe(hash)
  expect(whole.toString()).toBe(script)
})
