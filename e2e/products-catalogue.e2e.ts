import type { ProductInput } from '@lectern/contract/products.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { staffScreens } from './support/screens/directory-screen.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'

const path = '/admin/products'
const { sql, open, api } = await staffScreens()
const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}( required)?$`) })
const findRow = (page: Page, title: string) => page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) })
const faq = (number: number) => ({ question: `Question ${number}?`, answer: `Answer ${number}.` })

async function product(title: string, changes: Partial<ProductInput> = {}) {
  // A test that is run once more finds what it made before.
  await sql('delete from product where title = $1', [title])
  return api('createProduct', {
    body: {
      title,
      short: `In short, ${title}`,
      description: '',
      productType: 'Hardware',
      productImage: null,
      faq: [],
      documents: [],
      isDiscontinued: false,
      isConfigurable: false,
      ...changes,
    },
  })
}

test('the table shows every product with its type, and whether it is discontinued or configurable', async () => {
  await product('Old Dock', { productType: 'Other', isDiscontinued: true })
  const page = await open(path)
  await findRow(page, 'Old Dock').waitFor()
  const titles = (await api('listProducts', {})).map(({ title }) => title)
  expect(await page.locator('tbody tr td:nth-child(2) b').allInnerTexts()).toEqual(titles)
  const facts = async (title: string) => (await findRow(page, title).getByRole('cell').allInnerTexts()).slice(2, 5)
  expect(await facts('Old Dock')).toEqual(['Other', 'Discontinued', 'No'])
  expect(await facts('CR2700')).toEqual(['Hardware', 'No', 'Yes'])
  await page.getByRole('button', { name: 'Title' }).click()
  await page.locator('th[aria-sort=ascending]').waitFor()
  expect(await page.locator('tbody tr td:nth-child(2) b').allInnerTexts()).not.toEqual(titles)
})

test('staff add a product with questions and documents', async () => {
  await sql('delete from product where title = $1', ['<i>CR9000</i>'])
  const page = await open(path)
  await page.getByRole('link', { name: 'New product' }).click()
  await field(page, 'Title').fill('<i>CR9000</i>')
  await field(page, 'Short description').fill('Reads everything')
  await field(page, 'Description').fill('One.\n\nTwo.')
  await page.getByRole('radio', { name: 'Software' }).check()
  await page.getByRole('checkbox', { name: 'Configurable by barcodes' }).check()
  await page.getByRole('button', { name: 'Add question' }).click()
  await field(page, 'Question').fill('Does it float?')
  await field(page, 'Answer').fill('No.')
  await page.getByRole('button', { name: 'Add document' }).click()
  await field(page, 'Document title').fill('Quick start')
  await field(page, 'Document address').fill('https://quietzone.example/quick.pdf')
  await page.getByRole('button', { name: 'Add product' }).click()
  await findRow(page, '<i>CR9000</i>').waitFor()
  const added = (await api('listProducts', {})).find(({ title }) => title === '<i>CR9000</i>')
  expect(added).toMatchObject({
    short: 'Reads everything',
    description: 'One.\n\nTwo.',
    productType: 'Software',
    productImage: null,
    faq: [{ question: 'Does it float?', answer: 'No.' }],
    documents: [{ title: 'Quick start', url: 'https://quietzone.example/quick.pdf' }],
    isConfigurable: true,
    isDiscontinued: false,
  })
})

test('staff change a product; its questions are moved and removed by buttons, and the focus stays near', async () => {
  const { productId } = await product('Reordered', { faq: [faq(1), faq(2), faq(3)] })
  const page = await open(path)
  await page.getByRole('link', { name: 'Edit Reordered' }).click()
  const questions = () => field(page, 'Question').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await page.getByRole('button', { name: 'Move question 1 down' }).press('Enter')
  expect(await questions()).toEqual(['Question 2?', 'Question 1?', 'Question 3?'])
  expect(await focused()).toBe('Move question 2 down')
  await page.keyboard.press('Enter')
  expect(await questions()).toEqual(['Question 2?', 'Question 3?', 'Question 1?'])
  expect(await focused()).toBe('Move question 3 up')
  await page.getByRole('button', { name: 'Remove question 1' }).press('Enter')
  expect(await questions()).toEqual(['Question 3?', 'Question 1?'])
  expect(await focused()).toBe('Remove question 1')
  await page.getByRole('checkbox', { name: 'Discontinued' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await findRow(page, 'Reordered').getByRole('cell', { name: 'Discontinued' }).waitFor()
  expect(await api('getProduct', { params: { id: productId } })).toMatchObject({ faq: [faq(3), faq(1)], isDiscontinued: true })
})

test('what cannot be is said at its field, also deep in a list, and nothing is sent', async () => {
  const page = await open(`${path}?edit=new`)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && request.url().includes('/api/') && sent.push(request.url()))
  await page.getByRole('button', { name: 'Add product' }).click()
  await page.getByText('Title must not be empty.').waitFor()
  await page.getByText('Short description must not be empty.').waitFor()
  await field(page, 'Title').fill('x'.repeat(101))
  await page.getByText('Title must have at most 100 characters.').waitFor()
  await field(page, 'Image address').fill('http://quietzone.example/a.png')
  await page.getByRole('button', { name: 'Add document' }).click()
  await field(page, 'Document address').fill('data:text/html,x')
  await page.getByRole('button', { name: 'Add product' }).click()
  await page.getByText('Image address must be an https:// address.').waitFor()
  await page.getByText('Document title must not be empty.').waitFor()
  await page.getByText('Document address must be an https:// address.').waitFor()
  expect(await field(page, 'Document address').getAttribute('aria-invalid')).toBe('true')
  expect(sent).toEqual([])
})

test('what the server finds wrong stands at its field', async () => {
  const { productId } = await product('Refused', { faq: [faq(1), faq(2)] })
  const page = await open(`${path}?edit=${productId}`)
  const errors = [{ field: 'faq.1.question', message: 'was asked before' }]
  await page.route(`**/api/lectern/product/${productId}`, (route) =>
    route.fulfill({ status: 400, json: { type: 'about:blank', title: 'Bad Request', status: 400, errors } }),
  )
  await field(page, 'Title').fill('Refused again')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Question was asked before.').waitFor()
  const second = field(page, 'Question').nth(1)
  expect(await second.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => second.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await field(page, 'Title').inputValue()).toBe('Refused again')
})

test('unsaved changes are not lost silently: by a link, by the way back, by a reload', async () => {
  const { productId } = await product('Unsaved')
  const page = await open(path)
  await page.getByRole('link', { name: 'Edit Unsaved' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await findRow(page, 'Unsaved').waitFor()
  await page.getByRole('link', { name: 'Edit Unsaved' }).click()
  await field(page, 'Short description').fill('Typed')
  const question = page.getByRole('dialog').getByText('Leave without saving?')
  for (const leave of [
    () => page.getByRole('link', { name: 'Product catalogue' }).first().click(),
    () => page.evaluate('history.back()'),
  ]) {
    await leave()
    await question.waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await field(page, 'Short description').inputValue()).toBe('Typed')
  }
  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const browserQuestion = await asked
  expect(browserQuestion.type()).toBe('beforeunload')
  await browserQuestion.accept()
  await reloaded
  await field(page, 'Short description').waitFor()
  expect((await api('getProduct', { params: { id: productId } })).short).toBe('In short, Unsaved')
})

test('a product that does not exist is not found in place', async () => {
  const page = await open(`${path}?edit=999999`)
  await page.getByRole('heading', { name: 'Product not found' }).waitFor()
})

test('axe finds nothing in any state, in either look', async () => {
  const { productId } = await product('Looked at', { faq: [faq(1), faq(2)], documents: [{ title: 'Guide', url: '/documents/guide.pdf' }] })
  const page = await open(path)
  await page.getByText('Looked at').first().waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await showInApp(page, `${path}?edit=${productId}`)
  await page.getByRole('button', { name: 'Add document' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Document title must not be empty.').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await axeInLooks(page)).toEqual([])
})
