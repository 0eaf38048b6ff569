import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { manager, northfield, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack } = await stackForFile(startStack())

/** A page of its own, with nothing in the browser's cache. */
const openFresh = (path: string) => stack.page(manager, path)

test('[STA-05] a page whose script cannot be loaded says "No connection", and opens without a reload when the connection is back', async () => {
  const page = await openFresh('/codedm/zones')
  await page.getByRole('heading', { name: 'Manage Your Zones' }).waitFor()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  await page.locator('h1:focus', { hasText: 'No connection' }).waitFor()
  expect(await page.getByText('Something went wrong').count()).toBe(0)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('button', { name: 'Try Again' }).waitFor()
  await page.context().setOffline(false)
  await page.locator('h1:focus', { hasText: 'Device Dashboard' }).waitFor()
  await page.getByText(/of 4,\d{3} devices/).waitFor()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  // Its style sheets came with it: rules of a sheet that failed could not be read.
  const counts = () => page.evaluate(() => [...document.styleSheets].map(({ cssRules }) => cssRules.length))
  expect(Math.min(...(await counts()))).toBeGreaterThan(0)
  await page.context().close()
})

test('[STA-05] with the server down, Try Again opens it once the server is back; a script that is gone is an error', async () => {
  const page = await openFresh('/codedm/zones')
  await page.getByRole('heading', { name: 'Manage Your Zones' }).waitFor()
  // The connection is back with the press, so that the page does not notice it first.
  await page.evaluate(() =>
    addEventListener('click', ({ target }) => Object.assign(window, { isBack: (target as Element).closest('button') !== null }), true),
  )
  await page.route(
    ({ pathname }) => pathname === '/' || pathname.startsWith('/assets/'),
    async (route) => ((await page.evaluate(() => 'isBack' in window && window.isBack)) ? route.fallback() : route.abort()),
  )
  await page.getByRole('link', { name: 'Rollouts' }).first().click()
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: 'Rollouts', level: 1 }).waitFor()
  await page.unrouteAll()

  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
  await page.context().close()
})

test('[STA-02] a list says when its rows were loaded while there is no connection, and reads again', async () => {
  const page = await openFresh('/licences')
  await page.locator('tbody tr').first().waitFor()
  await page.context().setOffline(true)
  await page.getByText(/No connection\. Shown is what was loaded at \d\d:\d\d\./).waitFor()
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0)
  await page.context().setOffline(false)
  await page.getByText('Shown is what was loaded').waitFor({ state: 'detached' })
  await page.context().close()
})

/** Lets the page's time pass: a timer may be set only after what the test has waited for. */
const untilShown = (page: Page, shown: Locator) =>
  expect
    .poll(
      async () => {
        await page.clock.runFor(1_000)
        return shown.count()
      },
      { interval: 20 },
    )
    .toBe(1)

test('[STA-05] after 10 s a read says that it takes longer than usual and can be tried again; a save says that it goes on', async () => {
  const page = await stack.page(manager, '/licences', {}, (fresh) => fresh.clock.install())
  await page.locator('tbody tr').first().waitFor()
  const asked: string[] = []
  const goOn = Promise.withResolvers<void>()
  // The first read is never answered.
  await page.route(/\/locations\/list($|\?)/, (route) => {
    asked.push(route.request().method())
    if (asked.length > 1) return route.fallback()
  })
  await page.getByRole('link', { name: 'Device Management', exact: true }).first().click()
  await page.getByRole('link', { name: 'Zones', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Manage Your Zones' }).waitFor()
  await expect.poll(() => asked).toEqual(['GET'])
  const notice = page.getByText('This takes longer than usual, and goes on.')
  await page.clock.runFor(9_000)
  expect(await notice.count()).toBe(0)
  await untilShown(page, notice)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.locator('tbody tr').first().waitFor()
  expect(await notice.count()).toBe(0)
  expect(asked).toEqual(['GET', 'GET'])
  await page.unrouteAll()

  await page.route(/\/location\/[^/]+$/, async (route) => {
    if (route.request().method() !== 'GET') await goOn.promise
    await route.fallback()
  })
  await page.getByRole('textbox', { name: 'Create a zone' }).fill('Slow')
  const sent = page.waitForRequest((request) => request.method() !== 'GET')
  await page.getByRole('button', { name: 'Create zone' }).click()
  await sent
  await untilShown(page, page.getByText('This takes longer than usual. It goes on waiting.'))
  goOn.resolve()
  await page.getByText('Zone created', { exact: true }).waitFor()
  expect(await page.getByText('This takes longer than usual').count()).toBe(0)
  await page.context().close()
})

test('[STA-03] while a search is answered, the count of what was found before does not stand beside it', async () => {
  const page = await openFresh('/codedm/device-dashboard')
  await page.getByText(/of 4,\d{3} devices/).waitFor()
  const asked = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  await page.route(/\/devices\?.*textFilter=icu/, async (route) => {
    asked.resolve()
    await goOn.promise
    await route.continue()
  })
  await page.getByRole('searchbox').fill('icu 3')
  await asked.promise
  await page.locator('.pager', { hasText: 'Loading…' }).waitFor()
  expect(await page.getByText(/of [\d,]+ devices/).count()).toBe(0)
  goOn.resolve()
  await page.getByText(/of [\d,]+ devices matching “icu 3”/).waitFor()

  await page.getByRole('searchbox').fill('nothing at all')
  await page.getByText('No readers match “nothing at all”.').waitFor()
  const next = Promise.withResolvers<void>()
  await page.route(/\/devices\?.*textFilter=radiology/, async (route) => {
    await next.promise
    await route.continue()
  })
  await page.getByRole('searchbox').fill('radiology')
  await page.waitForURL(/radiology/)
  await page.getByText(/No readers match/).waitFor({ state: 'detached' })
  next.resolve()
  await page.getByText(/of [\d,]+ devices matching “radiology”/).waitFor()
  await page.context().close()
})

test('[STA-08] header, rollouts and audit log name a person as the profile does, also after a change of it without a new sign-in', async () => {
  const page = await openFresh('/profile')
  const first = page.getByRole('textbox', { name: 'First name' })
  await first.fill('Wilhelmina')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Okonkwo')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Profile, Wilhelmina Okonkwo' }).waitFor()
  const api = await stack.api()
  const [zone] = await api('listZones', { params: { organizationId: northfield } })
  await api('publishCfg', {
    params: { organizationId: northfield, location: zone!.id, device: 'V4500' },
    body: { cfg: '<cfg>named</cfg>' },
  })
  const { rolloutList } = await api('listRollouts', { params: { organizationId: northfield } })
  expect(rolloutList[0]?.publishedBy).toBe('Wilhelmina Okonkwo')
  const { entryList } = await api('listAuditEntries', { params: { organizationId: northfield }, query: { PageNumber: 0, PageSize: 10 } })
  expect(entryList[0]?.user?.name).toBe('Wilhelmina Okonkwo')
  await page.context().close()
})

test('[STA-09] an invalid stored flag is named with its value, and can be removed; the others stay', async () => {
  const page = await openFresh('/codedm')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => localStorage.setItem('featureFlags', 'showAuditLog=maybe;showActivityStream=off'))
  await page.reload()
  await page.getByRole('heading', { name: 'Invalid feature flag' }).waitFor()
  await page.getByText('The feature flag showAuditLog has the value maybe, stored in this browser.').waitFor()
  await page.getByRole('button', { name: 'Remove the flag' }).click()
  await page.getByRole('heading', { name: 'Device Management', level: 1 }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('featureFlags'))).toBe('showActivityStream=off')
  await page.context().close()
})
