import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const staff = await server.person({ permissions: ['global:access:organizations'] })
const customer = await server.person({ organization: await server.organization() })

const product = {
  title: 'CR9000',
  short: 'A reader',
  description: 'One paragraph.\n\nAnother.',
  productType: 'Software',
  productImage: 'https://example.com/picture.png',
  faq: [{ question: 'Why?', answer: 'Because.\nReally.' }],
  documents: [{ title: 'Manual', url: 'https://example.com/manual.pdf' }],
  isDiscontinued: true,
  isConfigurable: false,
}
const create = (parts: Record<string, unknown> = {}, { call } = staff) => call('createProduct', { body: { ...product, ...parts } })
const update = (id: number, parts: Record<string, unknown> = {}, { call } = staff) =>
  call('updateProduct', { params: { id }, body: { ...product, ...parts } })
const get = async (id: number) => (await customer.call('getProduct', { params: { id } })).body

test('[API-PRD-01 API-PRD-02 ENT-11] staff add a product, under an id after those of the catalogue, and customers see it', async () => {
  const { status, body } = await create()
  expect([status, body]).toEqual([
    200,
    { ...product, productId: expect.any(Number), createdOn: expect.stringMatching(/Z$/), updatedOn: expect.stringMatching(/Z$/) },
  ])
  expect(body.productId).toBeGreaterThan(100)
  expect(await get(body.productId)).toEqual(body)
  expect((await customer.call('listProducts')).body).toContainEqual(body)
})

test('staff change a product: its day of creation stays, the change is noted', async () => {
  const { body } = await create()
  const changed = await update(body.productId, { title: 'Changed', productImage: null, faq: [], documents: [], productType: 'Other' })
  expect(changed.body).toMatchObject({
    title: 'Changed',
    productImage: null,
    faq: [],
    documents: [],
    productType: 'Other',
    createdOn: body.createdOn,
  })
  expect(Date.parse(changed.body.updatedOn)).toBeGreaterThan(Date.parse(body.updatedOn))
  expect(await get(body.productId)).toEqual(changed.body)
  expect((await update(2_147_483_647)).problem).toMatchObject({ status: 404, detail: 'There is no such product.' })
})

test.for([
  { title: ' ' },
  { title: 'x'.repeat(101) },
  { short: '' },
  { description: 'a\0' },
  { productType: 'Toy' },
  { productImage: 'javascript:alert(1)' },
  { productImage: 'https://example.com/\0' },
  { documents: [{ title: 'Manual', url: 'http://example.com' }] },
  { documents: [{ title: 'Manual', url: 'http://localhost/manual.pdf' }] },
  { documents: [{ title: '', url: 'https://example.com' }] },
  { faq: [{ question: '', answer: 'x' }] },
  { faq: [{ question: 'x', answer: '\ud800' }] },
  { isDiscontinued: 'no' },
])('refuses a product with %j', async (parts) => {
  const { status, problem } = await create(parts)
  expect([status, problem.errors?.[0]?.field.split('.')[0]]).toEqual([400, Object.keys(parts)[0]])
})

test('[PER-15] no customer writes the catalogue', async () => {
  const { body } = await create()
  const answers = [await create({}, customer), await update(body.productId, { title: 'Mine' }, customer)]
  expect(answers.map(({ status }) => status)).toEqual([403, 403])
  expect(await get(body.productId)).toEqual(body)
})
