import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { downloadedBytes } from './support/downloaded.ts'
import { manager, northfield, staff, startStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { sheetPath } from './support/symbol-reading.ts'

const { stack } = await stackForFile(startStack())

const commands = ['CFR', 'SYAZTCSEN1']
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const loses = (page: Page) => page.context().setOffline(true)
const returns = (page: Page) => page.context().setOffline(false)

/** A page of its own that has fetched the other pages ahead. */
async function openAhead(path: string): Promise<Page> {
  const page = await stack.page(manager, path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(async () => {
    const files: string[] = await (await fetch('/fetch-ahead.json')).json()
    await Promise.all(files.map(async (file) => (await fetch(file)).arrayBuffer()))
  })
  return page
}

test('[STA-05] charts whose script cannot be loaded say "No connection", and are drawn when the connection is back', async () => {
  const page = await openAhead('/licences')
  await loses(page)
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await page.getByRole('alert').getByText('No connection', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Data', level: 1 }).waitFor()
  expect(await page.getByText('Something went wrong').count()).toBe(0)
  await returns(page)
  await page.getByRole('region', { name: 'Licence counts' }).getByRole('img').first().waitFor()
  expect(await page.getByText('No connection').count()).toBe(0)
  await page.context().close()
})

test('[STA-05] with the server down, Try Again loads the charts', async () => {
  const page = await stack.page(manager, '/licences')
  await page.route('**/assets/graphs-*', (route) => route.abort())
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await page.getByRole('alert').getByText('Error loading the charts').waitFor()
  await page.unrouteAll()
  await button(page, 'Try Again').click()
  await page.getByRole('region', { name: 'Licence counts' }).getByRole('img').first().waitFor()
  await page.context().close()
})

test('[STA-05] parts of a page whose script cannot be loaded say "No connection" in their place, and come when it is back', async () => {
  const page = await stack.page(staff, '/product', {}, (fresh) => fresh.route('**/fetch-ahead.json', (route) => route.abort()))
  const lost = page.getByRole('alert').getByText('No connection', { exact: true })
  const parts: [path: string, opener: Locator, part: Locator][] = [
    ['/admin/products', link(page, 'New product'), page.getByRole('textbox', { name: /^Short/ })],
    ['/admin/marketing', link(page, 'New ad'), page.getByRole('textbox', { name: /^Description/ })],
    ['/admin/firmware', link(page, 'New release'), page.getByRole('textbox', { name: /^Version/ })],
  ]
  for (const [path, opener, part] of parts) {
    await showInApp(page, path)
    await opener.waitFor()
    await loses(page)
    await opener.click()
    await lost.waitFor()
    await button(page, 'Try Again').click()
    await returns(page)
    await part.waitFor()
    expect(await lost.count()).toBe(0)
    expect(await page.getByText('Something went wrong').count()).toBe(0)
  }
  await page.context().close()
})

test('[STA-05] the same in a list: its order on a phone, an opened row, a comparison; words on hover are left out', async () => {
  const api = await stack.api()
  for (const name of ['Lost', 'Other'])
    await api('saveConfiguration', { params: { organizationId: northfield, deviceName: 'CR2700', name }, body: commands })
  const page = await stack.page(manager, '/licences', {}, (fresh) => fresh.route('**/fetch-ahead.json', (route) => route.abort()))
  const lost = page.getByRole('alert').getByText('No connection', { exact: true })
  await page.locator('tbody tr').first().waitFor()
  await loses(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await lost.waitFor()
  await returns(page)
  await page.getByRole('combobox', { name: 'Sort by' }).waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })

  // With the server down. The list's badges are in the same script.
  await page.route(
    ({ pathname }) => pathname === '/' || pathname.startsWith('/assets/entry-details-'),
    (route) => route.abort(),
  )
  await showInApp(page, '/codedm/configuration-library')
  await button(page, 'View Lost').click()
  await lost.waitFor()
  await button(page, 'Try Again').click()
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Open in the builder' }).waitFor()
  await loses(page)
  await button(page, 'Compare').first().click()
  await lost.waitFor()
  await returns(page)
  await page.getByRole('combobox', { name: 'First configuration' }).waitFor()
  expect(await lost.count()).toBe(0)

  await showInApp(page, '/profile')
  const email = page.getByRole('textbox', { name: 'Email' })
  await email.waitFor()
  await loses(page)
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/tooltip-box-'))
  await email.hover()
  await failed
  await returns(page)
  await page.getByRole('tooltip', { name: 'You cannot change your email address' }).waitFor()
  expect(await page.getByText('Something went wrong').count()).toBe(0)
  await page.context().close()
})

describe('[STA-05] what reads barcodes is not fetched ahead', () => {
  const builder = `/codedm/create-configuration/CR2700?config=${encodeURIComponent(JSON.stringify(commands))}`

  test('a sheet waits for the connection, and is then read back and printed', async () => {
    const page = await openAhead(builder)
    await button(page, 'Generate Barcode').waitFor()
    await loses(page)
    await button(page, 'Generate Barcode').click()
    const notice = page.locator('.notice', { hasText: 'No connection.' })
    await notice.waitFor()
    expect(await page.getByText('another browser').count()).toBe(0)
    expect(await button(page, 'Print').getAttribute('aria-disabled')).toBe('true')
    await notice.getByRole('button', { name: 'Try Again' }).click()
    await notice.getByRole('button', { name: 'Try Again' }).waitFor()
    await returns(page)
    await page.getByText('Reads back exactly').waitFor()
    expect(await notice.count()).toBe(0)
    expect(await button(page, 'Print').getAttribute('aria-disabled')).not.toBe('true')
    await page.context().close()
  })

  test.each(['**/assets/reader-*', '**/assets/*.wasm'])('Try Again reads a sheet back that lacked %s', async (files) => {
    const page = await stack.page(manager, '/codedm')
    await page.route(files, (route) => route.abort())
    await page.goto(`${stack.url}${sheetPath('CR2700', commands)}`)
    const notice = page.locator('.notice', { hasText: 'No connection.' })
    await notice.waitFor()
    await page.unrouteAll()
    await notice.getByRole('button', { name: 'Try Again' }).click()
    await page.getByText('Reads back exactly').waitFor()
    await page.context().close()
  })

  test('chosen pictures and PDFs are read when the connection is back', async () => {
    const maker = await stack.page(manager, sheetPath('CR2700', commands))
    await maker.getByText('Reads back exactly').waitFor()
    const waiting = maker.waitForEvent('download')
    await button(maker, 'Download').click()
    const png = await downloadedBytes(await waiting)
    const pdf = await maker.pdf({ format: 'A4' })
    await maker.context().close()

    const page = await stack.page(manager, '/codedm/read-configuration')
    await page.getByText('Nothing read yet.').waitFor()
    await page.waitForLoadState('networkidle')
    await loses(page)
    await page.locator('input[type=file]').setInputFiles([
      { name: 'config.png', mimeType: 'image/png', buffer: png },
      { name: 'sheet.pdf', mimeType: 'application/pdf', buffer: pdf },
    ])
    const notice = page.locator('.notice', { hasText: 'No connection.' })
    await notice.getByRole('button', { name: 'Try Again' }).click()
    await notice.waitFor()
    expect(await page.getByText(/dynamically imported|damaged/).count()).toBe(0)
    await returns(page)
    await page.getByText('2 barcodes, put together in this order').waitFor()
    expect(await notice.count()).toBe(0)
    await page.context().close()
  })
})

describe('[STA-02] while something cannot be read again, what was loaded stays', () => {
  test('counts of zones stay, with a notice, when they cannot be read again', async () => {
    const page = await stack.page(manager, '/codedm/zones')
    const readers = page.locator('tbody tr').first().locator('td').nth(2)
    await expect.poll(() => readers.textContent()).toMatch(/^\d/)
    const before = await readers.textContent()
    await page.route('**/locations/overview*', (route) => route.fulfill({ status: 500, json: {} }))
    await loses(page)
    await returns(page)
    const notice = page
      .getByRole('alert')
      .filter({ hasText: /Error loading readers and host PCs\. Shown is what was loaded at \d\d:\d\d\./ })
    await notice.waitFor()
    expect(await readers.textContent()).toBe(before)
    expect(await page.getByTitle('error loading data').count()).toBe(0)
    await page.unrouteAll()
    await notice.getByRole('button', { name: 'Try Again' }).click()
    await notice.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('counts of zones that could not be read at first are marked, and a notice says so', async () => {
    const fail = (page: Page) => page.route('**/locations/overview*', (route) => route.fulfill({ status: 500, json: {} }))
    const page = await stack.page(manager, '/codedm/zones', {}, fail)
    const notice = page.getByRole('alert').filter({ hasText: 'Error loading readers and host PCs. ' })
    await notice.waitFor()
    expect(await page.getByTitle('error loading data').count()).toBeGreaterThan(0)
    expect(await notice.getByText('Shown is').count()).toBe(0)
    await page.unrouteAll()
    await notice.getByRole('button', { name: 'Try Again' }).click()
    await notice.waitFor({ state: 'detached' })
    expect(await page.getByTitle('error loading data').count()).toBe(0)
    await page.context().close()
  })

  test.each([
    ['/product', 'products', 'Hardware'],
    ['/group', 'group members', 'Members'],
  ])('%s keeps its %s', async (path, _, heading) => {
    const page = await stack.page(manager, path)
    await page.getByRole('heading', { name: new RegExp(`^${heading}`) }).waitFor()
    await loses(page)
    const notice = page.getByText(/No connection\. Shown is what was loaded at \d\d:\d\d\./)
    await notice.waitFor()
    await page.getByRole('heading', { name: new RegExp(`^${heading}`) }).waitFor()
    await returns(page)
    await notice.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('the product list opened without a connection says so, and loads when it is back', async () => {
    const page = await openAhead('/licences')
    await loses(page)
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await page.getByRole('alert').getByText('No connection', { exact: true }).waitFor()
    expect(await page.getByText('Loading...').count()).toBe(0)
    await returns(page)
    await page.getByRole('heading', { name: /^Hardware/ }).waitFor()
    await page.context().close()
  })

  test.each(['apply-config', 'manage-firmware'])('the wizard %s opened without a connection says so', async (wizard) => {
    const page = await openAhead('/licences')
    await loses(page)
    await page.getByRole('link', { name: 'Device Management', exact: true }).first().click()
    await page.locator(`a[href="/codedm/${wizard}"]`).first().click()
    await page.getByRole('alert').getByText('No connection', { exact: true }).waitFor()
    expect(await page.getByText('Loading...').count()).toBe(0)
    await returns(page)
    await page.getByRole('combobox', { name: 'Zone' }).getByText('Choose a zone').waitFor()
    await page.context().close()
  })
})
