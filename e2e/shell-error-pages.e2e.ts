import { readdir, readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { breakZonesPage, brokenPage, zonesPageCode } from './support/broken-page.ts'
import { manager, type Stack, startStack } from './support/processes/stack.ts'

/** A portal that reports its errors nowhere. */
let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test('[ERR-01 ERR-02 ERR-03] a screen that throws shows the error page inside the frame; Try Again shows the screen, without a reload', async () => {
  const page = await brokenPage(stack)
  await page.getByText("Sorry about that. We'll look into it.").waitFor()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByText('Reference').count()).toBe(0)
  const timesBroken = () => page.evaluate(() => (window as unknown as { timesBroken: number }).timesBroken)
  const before = await timesBroken()
  await button(page, 'Try Again').click()
  await expect.poll(timesBroken).toBeGreaterThan(before)
  await page.evaluate(() => Object.assign(window, { isMended: true }))
  await button(page, 'Try Again').click()
  await page.getByText('Mended').waitFor()
  expect(await page.evaluate(() => 'isMended' in window)).toBe(true)
})

test('[ERR-02] Go Home leads to the landing page', async () => {
  const page = await brokenPage(stack)
  await link(page, 'Go Home').click()
  await page.waitForURL(`${stack.url}/product`)
  await heading(page, 'Something went wrong').waitFor({ state: 'detached' })
})

test('[ERR-02] a screen whose code cannot be fetched is fetched again by Try Again', async () => {
  const page = await stack.page(manager, '/codedm/zones', {}, (fresh) => fresh.route(zonesPageCode, (route) => route.abort()))
  await heading(page, 'Something went wrong').waitFor()
  await page.unroute(zonesPageCode)
  await button(page, 'Try Again').click()
  await heading(page, 'Manage Your Zones').waitFor()
})

test('[ERR-01 ERR-02 ERR-03] where not even the settings can be had, the error page names the failed request and works', async () => {
  const page = await stack.page()
  const instance = '0198c0de-aaaa-7000-8000-00000000beef'
  const problem = { type: 'about:blank', title: 'Unexpected error', status: 500, instance }
  // A page out of a cache that has lost the settings.
  await page.route('**/codedm/zones', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace(/<script type="application\/json".*?<\/script>/, '') })
  })
  await page.route('**/api/settings', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  )
  await page.goto(`${stack.url}/codedm/zones`)
  await heading(page, 'Something went wrong').waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button(page, 'Copy reference').click()
  await page.getByText('Reference copied').first().waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(instance)
  await page.unroute('**/api/settings')
  await button(page, 'Try Again').click()
  await heading(page, 'Manage Your Zones').waitFor()
})

test('[ERR-03] an error before registration is done shows the error page, and the session stays', async () => {
  const page = await stack.page(manager, '/register', {}, (fresh) =>
    fresh.route('**/assets/register-page-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'export default () => null.x' }),
    ),
  )
  await heading(page, 'Something went wrong').waitFor()
})

test('[ERR-06 ERR-07] an unknown address says so, and leads home', async () => {
  const page = await stack.page(manager, '/codedm/zone')
  await heading(page, 'Page not found').waitFor()
  await page.getByText('/codedm/zone', { exact: true }).waitFor()
  await link(page, 'Go Home').click()
  await page.waitForURL(`${stack.url}/product`)
})

test('[ERR-07] Report Issue gives what to tell the support line where nothing is reported', async () => {
  const page = await stack.page(manager, '/codedm/zone?x=1')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button(page, 'Report Issue').click()
  const dialog = page.getByRole('dialog', { name: 'Report an issue' })
  expect(await dialog.getByRole('link').getAttribute('href')).toBe('tel:+18005550142')
  await dialog.getByText(`${stack.url}/codedm/zone?x=1`).waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Details copied').first().waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^Address: http:\/\/localhost:\d+\/codedm\/zone\?x=1\nTime: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
  )
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Report Issue')
})

test('the error-reporting library is a file of its own, which nobody asks for where nothing is reported', async () => {
  const folder = new URL('../web/dist/assets/', import.meta.url)
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const holding = await Promise.all(
    scripts.map(async (name) => ((await readFile(new URL(name, folder), 'utf8')).includes('sentry_key') ? [name] : [])),
  )
  expect(holding.flat()).toEqual([expect.stringMatching(/^sentry-/)])

  const page = await stack.page(manager, '/codedm/zone')
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await breakZonesPage(page)
  await page.goto(`${stack.url}/codedm/zones`)
  await heading(page, 'Something went wrong').waitFor()
  await link(page, 'Go Home').click()
  await page.waitForURL(`${stack.url}/product`)
  await page.waitForLoadState('networkidle')
  expect(requested.some((path) => path.startsWith('/assets/zones-page-'))).toBe(true)
  expect(requested.filter((path) => /sentry|report-dialog/.test(path))).toEqual([])
})

test('axe finds nothing in any state, in either look', async () => {
  const page = await brokenPage(stack)
  await heading(page, 'Something went wrong').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.goto(`${stack.url}/codedm/zone`)
  await heading(page, 'Page not found').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await button(page, 'Report Issue').click()
  await page.getByRole('dialog').waitFor()
  expect(await axeInLooks(page)).toEqual([])
})
