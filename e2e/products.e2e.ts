import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { foreigner, manager } from './support/processes/stack.ts'
import { edit, editor, plainProduct, productScreen, staff, titlesUnder } from './support/screens/product-screen.ts'

const { stack, open, choose } = await productScreen()
const heading = (name: string | RegExp) => ({ level: 1, name, exact: true })
/** Answers the account's group with these changes. */
const inGroup = (page: Page, changes: object) =>
  page.route('**/users/current', async (route) => {
    const answer = await route.fetch()
    const person = await answer.json()
    await route.fulfill({ response: answer, json: { ...person, group: { ...person.group, ...changes } } })
  })

describe('the list', () => {
  test("[PRD-01 PRD-02] shows exactly the group's products by type, headed by the group's name", async () => {
    await choose(manager, [2, 3, 5, 14, 21, 22])
    const page = await open('/product')
    await page.getByRole('heading', heading('Northfield Regional Health Products')).waitFor()
    await page.getByRole('heading', { name: 'Hardware 4' }).waitFor()
    expect(await titlesUnder(page, 'Hardware 4')).toEqual(['CR2700', 'CR1100', 'CR8200', 'CR950'])
    expect(await titlesUnder(page, 'Software 2')).toEqual(['Companion app', 'CodeRules'])
    expect(await page.locator('.product-card').count()).toBe(6)
    const old = page.getByRole('link', { name: /^CR950/ })
    await old.getByText('Discontinued').waitFor()
    await old.getByText('Barcode configurable').waitFor()
    await page.getByRole('button', { name: 'Edit Product List' }).waitFor()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.waitForURL('**/group')
  })

  test('[PRD-02] a group without a name is headed "My Products"', async () => {
    const page = await open('/product', manager, (fresh) => inGroup(fresh, { name: '' }))
    await page.getByRole('heading', heading('My Products')).waitFor()
  })

  test('a group without products is led to choosing some', async () => {
    const page = await open('/product', manager, (fresh) => inGroup(fresh, { products: [] }))
    await page.getByText('No products chosen yet.').waitFor()
    await page.getByRole('button', { name: 'Choose products' }).click()
    await editor(page).waitFor()
  })

  test("the vendor's staff see the whole catalogue and a link to where it is edited", async () => {
    const all = await (await stack.api(staff))('listProducts', {})
    const page = await open('/product', staff)
    await page.getByRole('heading', heading('All products')).waitFor()
    await page
      .locator('.product-card')
      .nth(all.length - 1)
      .waitFor()
    expect(await page.locator('.product-card').count()).toBe(all.length)
    expect(await page.getByRole('button', { name: 'Edit Product List' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Product catalogue' }).click()
    await page.waitForURL('**/admin/products')
  })

  test('what cannot be loaded is said in place and can be tried again', async () => {
    const problem = { type: 'about:blank', title: 'Unexpected error', status: 500, detail: 'The shelf fell over.' }
    const page = await open('/product', manager, (fresh) =>
      fresh.route('**/api/lectern/product', (route) => route.fulfill({ status: 500, json: problem })),
    )
    const alert = page.getByRole('alert').filter({ hasText: 'Error loading products' })
    await alert.getByText('The shelf fell over.').waitFor()
    await page.unroute('**/api/lectern/product')
    await alert.getByRole('button', { name: 'Try Again' }).click()
    await page.getByRole('heading', { name: /^Hardware/ }).waitFor()
    expect(await alert.count()).toBe(0)
  })
})

describe('the editor', () => {
  test("[PRD-03 PRD-04] two columns with a checkbox for each product of the type, ticked as the group's list is", async () => {
    const chosen = [3, 6, 21]
    await choose(manager, chosen)
    const products = await (await stack.api(manager))('listProducts', {})
    const page = await open('/product')
    const dialog = await edit(page)
    for (const type of ['Hardware', 'Software']) {
      const ofType = products.filter(({ productType }) => productType === type)
      const boxes = dialog.getByRole('group', { name: type }).getByRole('checkbox')
      expect(await boxes.count()).toBe(ofType.length)
      for (const { title, productId } of ofType)
        expect(await dialog.getByRole('group', { name: type }).getByLabel(title).isChecked(), title).toBe(chosen.includes(productId))
    }
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Cancel', 'Save Changes'])
    await dialog.getByLabel('CR2700').check()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await (await edit(page)).getByLabel('CR2700').isChecked()).toBe(false)
  })

  test('[PRD-05 PRD-07] nothing can be saved without a selection, and a submit that gets past says so', async () => {
    await choose(manager, [2])
    const page = await open('/product')
    const calls: string[] = []
    page.on('request', (request) => request.method() === 'PUT' && calls.push(request.url()))
    const dialog = await edit(page)
    const save = dialog.getByRole('button', { name: 'Save Changes' })
    expect(await save.isEnabled()).toBe(true)
    await dialog.getByLabel('CR2700').uncheck()
    expect(await save.isDisabled()).toBe(true)
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('[role=dialog] form')
      form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    })
    await dialog.getByRole('alert').getByText('No products selected', { exact: true }).waitFor()
    expect(calls).toEqual([])
    await dialog.getByLabel('CodeRules').check()
    await dialog.getByText('No products selected').waitFor({ state: 'detached' })
    expect(await save.isEnabled()).toBe(true)
  })

  test('[PRD-05] nothing can be saved before the products are loaded', async () => {
    await choose(manager, [2])
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const page = await open('/product', manager, (fresh) =>
      fresh.route('**/api/lectern/product', async (route) => {
        await released
        await route.continue()
      }),
    )
    await page.getByRole('button', { name: 'Edit Product List' }).click()
    const save = editor(page).getByRole('button', { name: 'Save Changes' })
    await editor(page).getByText('Loading...').waitFor()
    expect(await save.isDisabled()).toBe(true)
    release()
    await editor(page).getByLabel('CR2700').waitFor()
    expect(await save.isEnabled()).toBe(true)
  })

  test('[PRD-06] what is saved is the group’s list, with products that have no checkbox and without those that are gone', async () => {
    const add = async (title: string) =>
      (await (await stack.api(staff))('createProduct', { body: plainProduct(title, { productType: 'Other' }) })).productId
    const [productId, goneId] = [await add('Wall bracket'), await add('Gone')]
    const gid = await choose(foreigner, [6, 21, productId, goneId])
    const page = await open('/product', foreigner, (fresh) =>
      fresh.route('**/api/lectern/product', async (route) => {
        const answer = await route.fetch()
        const products: { productId: number }[] = await answer.json()
        await route.fulfill({ response: answer, json: products.filter((product) => product.productId !== goneId) })
      }),
    )
    const dialog = await edit(page)
    await dialog.getByLabel('CR1500').check()
    await dialog.getByLabel('Companion app').uncheck()
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Product list saved').first().waitFor()
    await page.getByRole('heading', { name: 'Hardware 2' }).waitFor()
    expect(await titlesUnder(page, 'Hardware 2')).toEqual(['V4500', 'CR1500'])
    expect(await titlesUnder(page, 'Other 1')).toEqual(['Wall bracket'])
    expect(await page.getByRole('heading', { name: /^Software/ }).count()).toBe(0)
    const { products } = await (await stack.api(foreigner))('getGroup', { params: { id: gid } })
    expect(products).toEqual([6, 7, productId])
  })

  test('a refusal is said in the dialog, which keeps the selection for another try', async () => {
    await choose(foreigner, [6])
    const page = await open('/product', foreigner)
    await page.route('**/group/*/products', (route) =>
      route.fulfill({ status: 409, json: { type: 'about:blank', title: 'Conflict', status: 409, detail: 'Somebody else is saving.' } }),
    )
    const dialog = await edit(page)
    await dialog.getByLabel('CodeRules').check()
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await dialog.getByRole('alert').getByText('Somebody else is saving.').waitFor()
    expect(await dialog.getByLabel('CodeRules').isChecked()).toBe(true)
    await page.unroute('**/group/*/products')
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^CodeRules/ }).waitFor()
  })

  test('it works by keyboard: open, tick, leave with Esc, and focus is back', async () => {
    await choose(foreigner, [6])
    const page = await open('/product', foreigner)
    const opener = page.getByRole('button', { name: 'Edit Product List' })
    await page.getByRole('heading', { name: 'Hardware 1' }).waitFor()
    await opener.press('Enter')
    const first = editor(page).getByRole('checkbox').first()
    await expect.poll(() => first.evaluate((box) => box === document.activeElement)).toBe(true)
    await page.keyboard.press('Space')
    expect(await first.isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await editor(page).waitFor({ state: 'detached' })
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
  })
})

describe('ads', () => {
  const ad = (title: string, rest: object = {}) => ({
    title,
    description: 'Until the end of the year.',
    adsImage: null,
    adsUrl: 'https://quietzone.example/offer',
    adsStartDate: '2020-01-01',
    adsEndDate: '2120-01-01',
    createdByName: 'Vendor Staff',
    status: 1 as const,
    ...rest,
  })

  test.each([manager, staff])('[ADS-01] %s sees those shown now, marked as the vendor’s, in a tab of their own', async (account) => {
    const api = await stack.api(staff)
    await api('createAd', { body: ad('Shown now') })
    await api('createAd', { body: ad('A draft', { status: 0 }) })
    await api('createAd', { body: ad('Next century', { adsStartDate: '2119-01-01' }) })
    await api('createAd', { body: ad('Long over', { adsEndDate: '2020-02-01' }) })
    const page = await open('/product', account)
    const vendor = page.getByRole('complementary', { name: 'From Quiet Zone Devices' })
    const link = vendor.getByRole('link', { name: /^Shown now/ }).first()
    await link.waitFor()
    expect([await link.getAttribute('target'), await link.getAttribute('rel'), await link.getAttribute('href')]).toEqual([
      '_blank',
      'noopener noreferrer',
      'https://quietzone.example/offer',
    ])
    expect(await vendor.getByText(/A draft|Next century|Long over/).count()).toBe(0)
  })

  test('ads that do not load leave the page as it is', async () => {
    let refused: Promise<unknown> | undefined
    const page = await open('/product', manager, async (fresh) => {
      await fresh.route('**/api/lectern/marketing', (route) => route.fulfill({ status: 500, json: {} }))
      refused = fresh.waitForResponse('**/api/lectern/marketing')
    })
    await refused
    await page.getByRole('heading', { name: /^Hardware/ }).waitFor()
    expect(await page.getByRole('complementary', { name: 'From Quiet Zone Devices' }).count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
