import { configurationNames } from '@lectern/contract/products.ts'
import { describe, expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const person = await server.person({ organization: await server.organization() })
const product = { id: 2 }

const download = async (path: string, accept = 'application/pdf') => {
  const answer = await server.fetch(path, { headers: { authorization: `Bearer ${person.token}`, accept } })
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: Buffer.from(await answer.arrayBuffer()).toString('latin1'),
  }
}

describe('the settings of a product', () => {
  test('[API-MCD-01] come in categories that say how many they have', async () => {
    const { body: categories } = await person.call('listSettingCategories', { params: product })
    expect(categories.map(({ title }) => title)).toContain('Symbologies')
    for (const { id, settings } of categories) {
      const { body } = await person.call('listBarcodeSettings', { params: product, query: { category: id } })
      expect(body).toHaveLength(settings)
    }
  })

  test('[API-MCD-02 ENT-18] are the codes of a category, or of all', async () => {
    const { body: all } = await person.call('listBarcodeSettings', { params: product })
    expect(all.length).toBeGreaterThan(200)
    expect(all).toContainEqual({
      code: 'M20003',
      revision: '01',
      description: expect.stringMatching(/^Aztec.*: Off$/),
      sourceString: ['SYAZTCSEN0'],
      isDefault: false,
      evidence: 'published',
      group: 'Aztec',
    })
    const { status } = await person.call('listBarcodeSettings', { params: product, query: { category: 'none' } })
    expect(status).toBe(404)
  })

  test.each(Object.keys(configurationNames).map(Number))('are there for product %i', async (id) => {
    expect((await person.call('listBarcodeSettings', { params: { id } })).body.length).toBeGreaterThan(50)
  })

  test.each([1, 21, 999_999])('are not there for product %i', async (id) => {
    expect((await person.call('listSettingCategories', { params: { id } })).status).toBe(404)
  })
})

describe('a report', () => {
  test('[API-MCD-03 MCD-03] of some codes is a PDF, or the same data as JSON', async () => {
    const path = '/api/mcodes/report/2?branding=0&codes=M20003,M20340'
    const pdf = await download(path)
    expect([pdf.status, pdf.type]).toEqual([200, 'application/pdf'])
    expect(pdf.text).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/)
    const json = await download(path, 'application/json')
    const { device, categories } = JSON.parse(json.text)
    expect(device).toBe('CR2700')
    expect(categories.flatMap((category: { settings: { code: string }[] }) => category.settings.map(({ code }) => code)).sort()).toEqual([
      'M20003',
      'M20340',
    ])
  })

  test('[API-MCD-03] of a code there is none of names it', async () => {
    const { status, problem } = await person.call('downloadSettingsReport', { params: product, query: { codes: 'M20003,M99999' } })
    expect([status, problem.detail]).toEqual([400, 'There is no setting "M99999" of this product.'])
  })

  test('[API-MCD-04 MCD-03] of a whole product has every setting', async () => {
    const json = await download('/api/mcodes/report/2/full?branding=1', 'application/json')
    const { brand, categories } = JSON.parse(json.text)
    const { body: all } = await person.call('listBarcodeSettings', { params: product })
    expect(categories.flatMap((category: { settings: unknown[] }) => category.settings)).toEqual(all)
    expect(brand).toBe('Lectern')
    expect((await download('/api/mcodes/report/3/full')).text).toMatch(/^%PDF-[\s\S]*\/Outlines[\s\S]*%%EOF\s*$/)
  })

  test('[MCD-02] comes in two brands and no third', async () => {
    const report = async (branding: number) => (await download(`/api/mcodes/report/2?codes=M20003&branding=${branding}`)).text
    const [first, second] = [await report(0), await report(1)]
    expect(first).toContain('Quiet Zone Devices')
    expect(second).not.toContain('Quiet Zone Devices')
    expect(second).toContain('Lectern')
    expect((await download('/api/mcodes/report/2?codes=M20003&branding=2')).status).toBe(400)
  })
})
