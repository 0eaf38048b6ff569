import { decodePayload, encodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { decode as decodePng } from 'fast-png'
import jsQr from 'jsqr'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

// Its types speak of another module system than its code.
const readQr = jsQr as unknown as typeof jsQr.default

const server = await serverForFile()
const person = await server.person({ organization: await server.organization() })
const commands = ['SYAZTCSEN1', 'CDOPSPX"/01Y"', 'CDOPSFO1']
const expected = encodePayload({ commands, reset: true })

/** The response of /gocode, as bytes. */
async function make(body: unknown) {
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' }
  const answer = await server.fetch('/gocode', { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

const request = { device: 'CR2700', commands, reset: true }

test('[API-LEG-01] the payload is the bytes of the symbol', async () => {
  const { status, bytes } = await make({ ...request, format: 'payload' })
  expect([status, bytes]).toEqual([200, expected])
  expect(decodePayload(bytes)).toEqual({ commands: ['CFR', ...commands] })
})

test('[API-LEG-01] the picture decodes to the same bytes, and is what comes when no format is asked for', async () => {
  const { headers, bytes } = await make(request)
  expect(headers.get('content-type')).toBe('image/png')
  expect(headers.get('content-disposition')).toBe('attachment; filename="config.png"')
  const { width, height, data } = decodePng(bytes)
  const pixels = Uint8ClampedArray.from({ length: width * height * 4 }, (_, index) => (index % 4 === 3 ? 255 : data[index >> 2]!))
  expect(Uint8Array.from(readQr(pixels, width, height)!.binaryData)).toEqual(expected)
})

test('[API-LEG-01] the drawing has the caption as text', async () => {
  const { headers, bytes } = await make({ ...request, format: 'svg', caption: '<b>"Ward" & 3</b>' })
  expect(headers.get('content-type')).toBe('image/svg+xml')
  const svg = new TextDecoder().decode(bytes)
  expect(svg).toMatch(/^<svg .*<\/svg>$/)
  expect(svg).toContain('&#60;b&#62;&#34;Ward&#34; &#38; 3&#60;/b&#62;')
})

test('[API-LEG-01] the page is a PDF', async () => {
  const { headers, bytes } = await make({ ...request, format: 'pdf', caption: 'Ward 3' })
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(new TextDecoder('latin1').decode(bytes)).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/)
})

test.for<[Record<string, unknown>, RegExp]>([
  [{ device: 'V1300' }, /^Unsupported device: V1300$/],
  [{ format: 'gif' }, /format/],
  [{ commands: [], reset: false }, /There is no command to send/],
  [{ commands: ['SYAZTCSEN1\u0003CFR'] }, /cannot be sent/],
  [{ commands: [`CDOPSPX"${'a'.repeat(3_000)}"`] }, /a symbol holds 2953/],
])('is refused with the reason: %j', async ([part, reason]) => {
  const { status, bytes } = await make({ ...request, ...part })
  expect([status, JSON.parse(new TextDecoder().decode(bytes)).detail]).toEqual([400, expect.stringMatching(reason)])
})
