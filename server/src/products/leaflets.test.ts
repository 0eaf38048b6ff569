import { describe, expect, test } from 'vitest'
import { serverForFile, startServer } from '../testing/server.ts'
import { catalogue } from './catalogue.ts'

const environment = { PROVIDER_NAME: 'Höhere Scanner (読) Ltd' }
const server = await serverForFile({ environment })
const urls = catalogue.flatMap(({ documents }) => documents.map(({ url }) => url))
const guide = '/documents/cr2700-barcode-setup.pdf'

describe('the documents of the products', () => {
  test.each(urls)('%s is a PDF without sign-in', async (url) => {
    const answer = await server.fetch(url)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toBe(`inline; filename="${url.slice('/documents/'.length)}"`)
    expect(Number(answer.headers.get('content-length'))).toBe(bytes.length)
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(bytes.subarray(-6).toString()).toContain('%%EOF')
  })

  test('no two of them have the same address', () => {
    expect(new Set(urls).size).toBe(urls.length)
  })

  test('it names its title, what it is about, and its language', async () => {
    const text = await (await server.fetch(guide)).text()
    expect(text).toContain('(Set up CR2700 with barcodes)')
    expect(text).toContain('(CR2700: Cordless palm reader with charging cradle)')
    expect(text).toContain('/Lang (en)')
  })

  test('a copy that is still right is not sent again', async () => {
    const first = await server.fetch(guide)
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await server.fetch(guide, { headers: { 'if-none-match': tags } })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
    }
    expect((await server.fetch(guide, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  test('another server of the same portal sends the same bytes', async () => {
    const other = await startServer({ environment, databaseUrl: server.databaseUrl })
    const answers = await Promise.all([server.fetch(guide), other.fetch(guide)])
    const [one, two] = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())))
    await other.stop()
    expect(one!.equals(two!)).toBe(true)
    expect(answers[0]!.headers.get('etag')).toBe(answers[1]!.headers.get('etag'))
  })

  test.each([
    '/documents/none.pdf',
    '/documents/__proto__',
    '/documents/constructor.pdf',
    '/documents/..%2f..%2fpackage.json',
    '/documents/%2e%2e%2fcr2700-barcode-setup.pdf',
    '/documents/cr2700-barcode-setup.pdf%00',
    `/documents/${'a'.repeat(5_000)}.pdf`,
  ])('%s is no document', async (path) => {
    const answer = await server.fetch(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8'])
    expect(await answer.json()).toMatchObject({ status: 404, detail: 'There is no such document.' })
  })
})
