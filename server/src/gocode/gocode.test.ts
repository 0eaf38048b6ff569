import { inflateSync } from 'node:zlib'
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

test('[API-LEG-01] the fullest page has modules of whole printer dots, of 0.6 mm', async () => {
  const full = [`CDOPSPX"${'x'.repeat(2_953 - 6 - 10)}"`]
  const { bytes } = await make({ ...request, commands: full, reset: false, format: 'pdf' })
  const streams = [
    ...Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g),
  ]
  const [page = ''] = streams.map(([, data]) => inflate(data!)).filter((text) => text.includes(' re\n'))
  const rectangles = [...page.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re\n/g)].map((found) => found.slice(1).map(Number))
  const heights = new Set(rectangles.slice(1).map(([, , , height]) => height))
  // Seven dots of 300 dpi; version 40 has 177 modules and here a margin of 10.
  expect([...heights]).toEqual([1.68])
  expect(rectangles[0]?.slice(2)).toEqual([330.96, 330.96])
  const dots = rectangles.flatMap(([x = 0, y = 0]) => [x / 0.24, (841.89 - y) / 0.24])
  expect(dots.filter((one) => Math.abs(one - Math.round(one)) > 0.01)).toEqual([])
})

function inflate(data: string): string {
  try {
    return inflateSync(Buffer.from(data, 'latin1')).toString('latin1')
  } catch {
    return ''
  }
}

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
