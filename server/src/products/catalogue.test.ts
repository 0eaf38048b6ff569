import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { configurationNames, ProductInput, readerModels } from '@lectern/contract/products.ts'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'
import { databaseUrls } from '../testing/database/database-url.ts'
import { serverForFile } from '../testing/server.ts'
import { catalogue } from './catalogue.ts'

const server = await serverForFile()
const customer = await server.person({ organization: await server.organization() })
const staff = await server.person({ permissions: ['global:access:organizations'] })

describe('the catalogue that comes with the portal', () => {
  test.each(catalogue.map((product) => [product.title, product] as const))('%s is a product as staff could enter it', (_, product) => {
    const { productId, ...input } = product
    expect(ProductInput.parse(input)).toEqual(input)
    expect(product.isConfigurable).toBe(productId in configurationNames)
    expect(product.description.split('\n\n').length).toBeGreaterThan(1)
    expect(product.faq.length).toBeGreaterThan(2)
    expect(product.documents.length).toBeGreaterThan(0)
  })

  test('[API-PRD-01 ENT-11] it is listed whole, and no two products have the same title', async () => {
    const { status, body } = await customer.call('listProducts')
    expect(status).toBe(200)
    expect(body.map(({ createdOn: _, updatedOn: __, ...product }) => product)).toEqual(catalogue)
    expect(new Set(body.map(({ title }) => title)).size).toBe(body.length)
    for (const { createdOn, updatedOn } of body) expect(Number.isNaN(Date.parse(createdOn) + Date.parse(updatedOn))).toBe(false)
  })

  test('[API-PRD-02 ENT-11] one product is read by its id', async () => {
    const { status, body } = await customer.call('getProduct', { params: { id: 2 } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ productId: 2, title: 'CR2700', productType: 'Hardware', isConfigurable: true, isDiscontinued: false })
    expect((await customer.call('getProduct', { params: { id: 999 } })).status).toBe(404)
  })

  test('every reader model that a host PC can report is a product of that name', () => {
    const named = Object.fromEntries(catalogue.map(({ productId, title }) => [productId, title]))
    expect(named).toMatchObject(readerModels)
    expect(Object.values(readerModels).sort()).toEqual([...deviceModels].sort())
  })

  test('[PRD-14] the ids with a configuration name are those of the products of that name', () => {
    const named = Object.fromEntries(
      catalogue.filter(({ isConfigurable }) => isConfigurable).map(({ productId, title }) => [productId, title]),
    )
    expect(named).toEqual({ 2: 'CR2700', 3: 'CR950', 5: 'CR1100', 7: 'CR1500', 10: 'CR5200', 14: 'CR8200' })
  })

  test('a start fills an empty catalogue only: what staff changed and added stays', async () => {
    const [{ productId, createdOn: _, updatedOn: __, ...first }] = (await staff.call('listProducts')).body as never as [
      (typeof catalogue)[number] & { createdOn: string; updatedOn: string },
    ]
    const changed = { ...first, title: 'Renamed by staff' }
    await staff.call('updateProduct', { params: { id: productId }, body: changed })
    const added = (await staff.call('createProduct', { body: { ...first, title: 'Added by staff' } })).body
    expect(added.productId).toBeGreaterThan(100)
    const before = (await staff.call('listProducts')).body
    await (await openDatabase({ ...server.settings, databaseUrls: databaseUrls(server.databaseUrl) })).release()
    expect((await staff.call('listProducts')).body).toEqual(before)
    expect(before.map(({ title }) => title)).toEqual(expect.arrayContaining(['Renamed by staff', 'Added by staff']))
  })
})
