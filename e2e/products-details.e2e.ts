import { configurationNames } from '@lectern/contract/products.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeFindings, axeInLooks } from './support/axe.ts'
import { downloadedBytes } from './support/downloaded.ts'
import { foreigner, manager, member, northfield } from './support/processes/stack.ts'
import { edit, editor, plainProduct, productScreen, staff, titlesUnder } from './support/screens/product-screen.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'

const { stack, open, choose } = await productScreen()
const productPath = (id: number | string) => `/product/id/${id}/details`
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const view = (page: Page, name: 'Details' | 'Help') => page.getByRole('radio', { name })

describe('details', () => {
  test('[PRD-08 API-PRD-02] image, title and short description', async () => {
    const body = plainProduct('Pictured reader', { productImage: '/favicon.svg' })
    const { productId } = await (await stack.api(staff))('createProduct', { body })
    const page = await open(productPath(productId))
    await title(page, body.title).waitFor()
    await page.getByText(body.short, { exact: true }).waitFor()
    const image = page.locator('main img')
    expect(await image.getAttribute('src')).toBe('/favicon.svg')
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
  })

  test('a drawing stands in for an image that is missing or does not load', async () => {
    const page = await open(productPath(2))
    await page.locator('main .product-description .reader-drawing').waitFor()
    const body = plainProduct('Broken picture', { productImage: '/no-such-picture.png' })
    const { productId } = await (await stack.api(staff))('createProduct', { body })
    await showInApp(page, productPath(productId))
    await page.locator('main .product-description .reader-drawing').waitFor()
    expect(await page.locator('main img').count()).toBe(0)
  })

  test('[PRD-09] "See More" shows the whole description, "See Less" its beginning', async () => {
    const paragraphs = (await (await stack.api())('getProduct', { params: { id: 2 } })).description.split('\n\n')
    const page = await open(productPath(2))
    const shown = () => page.locator('.product-description-text p:not(.product-short)').allInnerTexts()
    const more = page.getByRole('button', { name: 'See More' })
    await more.waitFor()
    expect(await shown()).toEqual(paragraphs.slice(0, 1))
    await more.press('Enter')
    const less = page.getByRole('button', { name: 'See Less', expanded: true })
    await less.waitFor()
    expect(await shown()).toEqual(paragraphs)
    await less.press('Enter')
    await more.waitFor()
    expect(await shown()).toEqual(paragraphs.slice(0, 1))
  })

  test('[PRD-10] "All Products" leads back to the list', async () => {
    const page = await open('/product')
    await page.getByRole('link', { name: /^CR2700/ }).click()
    await title(page, 'CR2700').waitFor()
    await page.getByText(/^Updated \d+ \w+ \d{4}$/).waitFor()
    await page.getByRole('link', { name: 'All Products' }).click()
    await page.waitForURL(`${stack.url}/product`)
    await title(page, 'Northfield Regional Health Products').waitFor()
  })

  test('other products of the group are offered, and lead to theirs', async () => {
    await choose(foreigner, [2, 6, 7])
    const page = await open(productPath(2), foreigner)
    await page.getByRole('region', { name: 'Also in Harborline Logistics Products' }).waitFor()
    expect(await titlesUnder(page, 'Also in Harborline Logistics Products')).toEqual(['V4500', 'CR1500'])
    await page.getByRole('button', { name: 'See More' }).click()
    await page.getByRole('link', { name: /^V4500/ }).click()
    await title(page, 'V4500').waitFor()
    await page.getByRole('button', { name: 'See More' }).waitFor()
  })

  test('what is no product says so in place', async () => {
    const page = await open('/product')
    for (const id of ['x', '0', '999', '1e1', '-2', '2147483648', '99999999999999999999']) {
      await showInApp(page, productPath(id))
      await title(page, 'Product not found').waitFor()
      expect(await page.getByRole('alert').count(), id).toBe(0)
      await page.getByRole('link', { name: 'All Products', exact: true }).waitFor()
    }
  })
})

describe('configuration', () => {
  test('[PRD-13 PRD-14] the card shows for the ids that have a configuration name, and for no others', async () => {
    const products = await (await stack.api())('listProducts', {})
    expect(configurationNames).toEqual({ 2: 'CR2700', 3: 'CR950', 5: 'CR1100', 7: 'CR1500', 10: 'CR5200', 14: 'CR8200' })
    const page = await open('/product')
    for (const product of products) {
      await showInApp(page, productPath(product.productId))
      await title(page, product.title).waitFor()
      const card = page.getByRole('region', { name: 'Configuration', exact: true })
      const device = configurationNames[product.productId]
      expect(await card.count(), product.title).toBe(device === undefined ? 0 : 1)
      if (device !== undefined)
        expect(await card.getByRole('link', { name: 'Create a configuration' }).getAttribute('href')).toBe(
          `/codedm/create-configuration/${device}`,
        )
    }
  })
})

describe('in your fleet', () => {
  const panel = (page: Page) => page.getByRole('region', { name: 'In your fleet' })
  const path = { organizationId: northfield, device: 'A271/2' as const }

  test('says how many readers of the model there are and how many run its newest firmware, and leads to them', async () => {
    const { readers, zones, latestFirmware } = await (await stack.api())('getModelTotals', { params: path })
    // Of all, one reader is up to date.
    await stack.sql(
      `with newest as (
         insert into reported_firmware (organization_id, version, version_order)
         select o.id, r.version, r.version_order from organization o, firmware_release r
         where o.public_id = $2 and r.device_type = $1 order by r.version_order desc limit 1
         on conflict (organization_id, version) do update set version_order = excluded.version_order returning id)
       update device set firmware_id = newest.id from newest
       where device.id = (select id from device where device_type = $1 and organization_id = (select id from organization where public_id = $2) limit 1)`,
      [path.device, northfield],
    )
    expect(readers).toBeGreaterThan(100)
    const page = await open(productPath(4))
    await panel(page).getByText('On latest').waitFor()
    const said = await panel(page).locator('dt, dd').allInnerTexts()
    expect(said.slice(0, -1)).toEqual([
      ...['Readers', String(readers), 'Zones', String(zones), 'Latest firmware', latestFirmware, 'On latest'],
    ])
    expect(said.at(-1)).toBe(`${Math.round(1000 / readers) / 10}%`)
    await panel(page).getByRole('link', { name: 'Show these devices' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(`of ${readers.toLocaleString('en-US')} devices matching “A271/2”`).waitFor()
    expect(page.url()).toBe(`${stack.url}/codedm/device-dashboard?search=A271%2F2`)
  })

  test('says what is not there or could not be loaded, and is not there for what is no reader and for who has no organization', async () => {
    const page = await open('/product')
    await page.route('**/devices/model/*/totals', (route) => route.fulfill({ status: 403, json: { title: 'No', status: 403 } }))
    await showInApp(page, productPath(8))
    await panel(page).getByText('Error loading the readers').waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.unroute('**/devices/model/*/totals')
    await panel(page).getByRole('button', { name: 'Try Again' }).click()
    await panel(page).getByText('No readers of this model yet.').waitFor()
    expect(await panel(page).getByRole('link').count()).toBe(0)
    await showInApp(page, productPath(21))
    await title(page, 'Companion app').waitFor()
    expect(await panel(page).count()).toBe(0)
    const vendor = await open(productPath(2), staff)
    await vendor.getByRole('region', { name: 'Configuration', exact: true }).waitFor()
    expect(await panel(vendor).count()).toBe(0)
  })

  test('leads to publishing with the model chosen, whoever may publish', async () => {
    const page = await open(productPath(2), manager)
    await panel(page).getByRole('link', { name: 'Publish to zones' }).click()
    const models = page.getByRole('checkbox', { name: 'CR2700', exact: true })
    await expect.poll(() => models.isChecked()).toBe(true)
    expect(page.url()).toBe(`${stack.url}/codedm/apply-config`)
    const viewer = await open(productPath(2), member)
    await panel(viewer).getByText('On latest').waitFor()
    expect(await panel(viewer).getByRole('link', { name: 'Publish to zones' }).count()).toBe(0)
  })
})

describe('help', () => {
  test('[PRD-11 PRD-12] is toggled in place and has the documents and the questions with their answers', async () => {
    const product = await (await stack.api())('getProduct', { params: { id: 2 } })
    const page = await open(productPath(2))
    await view(page, 'Help').check()
    await title(page, 'CR2700 help').waitFor()
    expect(page.url()).toBe(`${stack.url}${productPath(2)}`)
    expect(await page.getByRole('button', { name: 'See More' }).count()).toBe(0)
    const links = page.getByRole('region', { name: 'Documents' }).getByRole('link')
    expect(await links.evaluateAll((all) => all.map((link) => [link.querySelector('b')?.textContent, link.getAttribute('href')]))).toEqual(
      product.documents.map((document) => [document.title, document.url]),
    )
    const [saved] = await Promise.all([page.waitForEvent('download'), links.first().click()])
    expect(saved.suggestedFilename()).toBe('cr2700-quick-start.pdf')
    expect((await downloadedBytes(saved)).subarray(0, 5).toString()).toBe('%PDF-')

    const questions = page.getByRole('region', { name: 'Questions' })
    expect(await questions.getByRole('button').allInnerTexts()).toEqual(product.faq.map(({ question }) => question))
    const [first, second] = product.faq
    await questions.getByText(first!.answer).waitFor()
    await questions.getByRole('button', { name: second!.question }).click()
    await questions.getByText(second!.answer).waitFor()
    await expect.poll(() => questions.getByText(first!.answer).isVisible()).toBe(false)

    await view(page, 'Help').focus()
    await page.keyboard.down('ArrowLeft')
    await title(page, 'CR2700').waitFor()
    await page.keyboard.up('ArrowLeft')
    expect(await view(page, 'Details').isChecked()).toBe(true)
  })

  test('a document elsewhere opens in a tab of its own; without documents and answers it says so', async () => {
    const api = await stack.api(staff)
    const documents = [{ title: 'Data sheet', url: 'https://docs.quietzone.example/data/sheet.pdf?v=2' }]
    const far = await api('createProduct', { body: plainProduct('Far documents', { documents }) })
    const page = await open(productPath(far.productId))
    await view(page, 'Help').check()
    const link = page.getByRole('link', { name: /^Data sheet.*opens in a new tab$/ })
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])
    await link.getByText('PDF, docs.quietzone.example').waitFor()
    await page.getByText('No questions answered for this product.').waitFor()
    const bare = await api('createProduct', { body: plainProduct('Nothing else') })
    await showInApp(page, productPath(bare.productId))
    await view(page, 'Help').check()
    await page.getByText('No documents for this product.').waitFor()
  })
})

test('[PRD-08 PRD-11] markup in any text of a product is shown as text', async () => {
  const evil = (what: string) => `<b>${what}</b><img src=x onerror="window.hit=1">`
  const body = plainProduct(evil('title'), {
    short: evil('short'),
    description: `${evil('one')}\n\n${evil('two')}`,
    faq: [{ question: evil('question'), answer: evil('answer') }],
    documents: [{ title: evil('document'), url: '/documents/cr2700-quick-start.pdf' }],
  })
  const { productId } = await (await stack.api(staff))('createProduct', { body })
  await choose(foreigner, [6, productId])
  const page = await open('/product', foreigner)
  const card = page.getByRole('link', { name: body.title })
  await card.getByText(body.short).waitFor()
  await (await edit(page)).getByLabel(body.title).waitFor()
  await page.keyboard.press('Escape')
  await card.click()
  await title(page, body.title).waitFor()
  await page.getByRole('button', { name: 'See More' }).click()
  for (const text of [body.short, evil('one'), evil('two')]) await page.getByText(text, { exact: true }).waitFor()
  await view(page, 'Help').check()
  for (const text of [evil('question'), evil('answer'), evil('document')]) await page.getByText(text, { exact: true }).waitFor()
  expect(await page.locator('img[src=x]').count()).toBe(0)
  expect(await page.evaluate('window.hit')).toBe(undefined)
})

test('nothing is wrong for assistive technology in any state, in either look, and nothing is wider than the screen', async () => {
  const page = await open('/product')
  const inspect = async (name: string) => expect(await axeInLooks(page), name).toEqual([])
  await page.getByRole('heading', { name: /^Hardware/ }).waitFor()
  await inspect('list')
  await edit(page)
  await inspect('editor')
  await page.keyboard.press('Escape')
  await editor(page).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^CR2700/ }).click()
  await page.getByRole('button', { name: 'See More' }).click()
  await page.getByRole('region', { name: /^Also in/ }).waitFor()
  await page.getByRole('link', { name: 'Show these devices' }).waitFor()
  await inspect('details')
  await view(page, 'Help').check()
  await title(page, 'CR2700 help').waitFor()
  await inspect('help')
  await showInApp(page, productPath('none'))
  await title(page, 'Product not found').waitFor()
  await inspect('not found')
})
