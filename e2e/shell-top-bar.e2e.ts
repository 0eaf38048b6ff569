import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeFindings, axeInLooks, looks, turn } from './support/axe.ts'
import { manager, member, staff, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startStack())

const bar = (page: Page) => page.getByRole('banner')
const entry = (page: Page, name: string) => bar(page).getByRole('link', { name, exact: true })
const moreButton = (page: Page) => bar(page).getByRole('button', { name: 'More' })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
/** As long as a busy machine may need; usually it comes much earlier. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

/** The entries of the bar's navigation, in order: words and targets. A menu has no target. */
const navigation = (page: Page) =>
  bar(page)
    .getByRole('navigation', { name: 'Main' })
    .locator('a, button:not(.theme-switch)')
    .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href')]))

const links = (entries: Record<string, string>) => Object.entries(entries)
const customerAreas = links({ Products: '/product', Data: '/data', 'Device Management': '/codedm' })
const customerMenu = links({ People: '/people', Licences: '/licences', 'Registered readers': '/readers', Support: '/support' })
const staffMenu = links({
  Support: '/support',
  Marketing: '/admin/marketing',
  'Firmware releases': '/admin/firmware',
  'Product catalogue': '/admin/products',
  'Audit log': '/admin/audit-log',
})

const moreLinks = (page: Page) => page.locator('.more-menu').getByRole('link')

async function readMenu(page: Page): Promise<[string, string | null][]> {
  await moreButton(page).click()
  await moreLinks(page).first().waitFor()
  return moreLinks(page).evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href')]))
}

/** Opens a page of the vendor's staff, who have no organization. */
async function asStaff(path: string): Promise<Page> {
  const page = await pages.open(path, staff)
  await bar(page).getByText('Quiet Zone Devices', { exact: true }).waitFor()
  return page
}

describe('the bar', () => {
  test('[NAV-01 NAV-04] the logo leads to /, and / on to /product', async () => {
    const page = await pages.open('/data')
    await title(page, 'Data')
    expect(await entry(page, 'Lectern, home').getAttribute('href')).toBe('/')
    await entry(page, 'Lectern, home').click()
    await page.waitForURL(`${stack.url}/product`)
    await page.goto(`${stack.url}/`)
    await page.waitForURL(`${stack.url}/product`)
  })

  test('[NAV-02 NAV-03] 5rem high, it stays in view with a stronger shadow while the page is scrolled', async () => {
    const page = await pages.open('/codedm/installation-instructions')
    await title(page, 'Installation instructions')
    await page.setViewportSize({ width: 1440, height: 400 })
    const shadow = () => bar(page).evaluate((one) => getComputedStyle(one).boxShadow)
    // Every shadow has one colour.
    const shadows = async () => (await shadow()).match(/\w+\(/g)?.length ?? 0
    const atTop = await shadow()
    const shadowsAtTop = await shadows()
    expect(await bar(page).boundingBox()).toMatchObject({ y: 0, height: 80, width: 1440 })
    await page.mouse.wheel(0, 200)
    await expect.poll(shadows).toBeGreaterThan(shadowsAtTop)
    expect(await bar(page).boundingBox()).toMatchObject({ y: 0, height: 80 })
    await page.mouse.wheel(0, -400)
    await expect.poll(shadow).toBe(atTop)
  })

  test('[NAV-05 NAV-09] leads customers to Products, Data and Device Management, and ends with the menu More', async () => {
    const page = await pages.open('/codedm', member)
    await title(page, 'Device Management')
    expect(await navigation(page)).toEqual([...customerAreas, ['More', null]])
    expect(await readMenu(page)).toEqual(customerMenu)
  })

  test('[NAV-06 NAV-10 WAY-02] leads staff to All Organizations too; the menu has more, but no Licences and no register of readers', async () => {
    const page = await asStaff('/data')
    expect(await navigation(page)).toEqual([...customerAreas, ['All Organizations', '/admin/organizations'], ['More', null]])
    expect(await readMenu(page)).toEqual(staffMenu)
  })

  test('[NAV-07] marks the area that the page belongs to, and no other', async () => {
    const marked = (page: Page) =>
      bar(page)
        .locator('[aria-current]')
        .evaluateAll((all) =>
          all.map((one) => [one.textContent, getComputedStyle(one).fontWeight, getComputedStyle(one, '::after').height]),
        )
    const page = await pages.open('/codedm/zones', member)
    await title(page, 'Manage Your Zones')
    await expect.poll(() => marked(page)).toEqual([['Device Management', '600', '3px']])
    await entry(page, 'Data').click()
    await title(page, 'Data')
    await expect.poll(() => marked(page)).toEqual([['Data', '600', '3px']])
    await entry(page, 'Products').click()
    await page.waitForURL('**/product')
    await expect.poll(() => marked(page)).toEqual([['Products', '600', '3px']])
    await moreButton(page).click()
    await moreLinks(page).filter({ hasText: 'Registered readers' }).click()
    await title(page, 'Registered Readers')
    await expect.poll(() => marked(page)).toEqual([['More', '600', '3px']])
    await moreButton(page).click()
    const current = moreLinks(page).and(page.locator('[aria-current=page]'))
    await current.waitFor()
    expect(await current.allTextContents()).toEqual(['Registered readers'])
  })

  test('[NAV-08] a round profile picture leads to the profile', async () => {
    const page = await pages.open('/data')
    await title(page, 'Data')
    const profile = entry(page, 'Profile, Northfield Manager')
    const { width = 0, height } = (await profile.boundingBox()) ?? {}
    expect(width).toBe(height)
    const radius = await profile.locator('.avatar').evaluate((one) => Number.parseFloat(getComputedStyle(one).borderRadius))
    expect(radius).toBeGreaterThanOrEqual(width / 2)
    await profile.click()
    await page.waitForURL(`${stack.url}/profile`)
  })

  test("[DML-12] on the pages of Device Management it links to the vendor's account site, in a tab of its own", async () => {
    const { accountUrl, providerName } = await (await stack.api())('getPublicSettings', {})
    const page = await pages.open('/codedm')
    const account = entry(page, `${providerName} account (opens in a new tab)`)
    await account.waitFor()
    expect(await account.evaluate((one: HTMLAnchorElement) => [one.getAttribute('href'), one.target, one.rel])).toEqual([
      accountUrl,
      '_blank',
      'noopener',
    ])
    await entry(page, 'Profile, Northfield Manager').waitFor()
    // Where there is no room for its words, its name stays.
    await page.setViewportSize({ width: 1000, height: 800 })
    await account.waitFor()
    expect((await account.boundingBox())?.width).toBeLessThan(60)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open menu' }).click()
    await account.waitFor()
    await entry(page, 'Data').click()
    await title(page, 'Data')
    expect(await account.count()).toBe(0)
  })
})

describe('the menu More', () => {
  test('[NAV-09] works with the keyboard alone', async () => {
    const page = await pages.open('/codedm')
    await title(page, 'Device Management')
    await moreButton(page).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).toBe('People')
    await page.keyboard.press('Escape')
    await moreLinks(page).first().waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('More')
    await page.keyboard.press('Enter')
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).toBe('Registered readers')
    await page.keyboard.press('Enter')
    await title(page, 'Registered Readers')
    await moreLinks(page).first().waitFor({ state: 'detached' })
    // Left with Tab, it closes.
    await moreButton(page).focus()
    await page.keyboard.press('Enter')
    await moreLinks(page).first().waitFor()
    await page.keyboard.press('Shift+Tab')
    await moreLinks(page).first().waitFor({ state: 'detached' })
    expect(page.url()).toBe(`${stack.url}/readers`)
  })

  test('[NAV-09 NAV-10] on a small screen its entries stand in the menu of the bar, which closes when it has led somewhere', async () => {
    const page = await asStaff('/data')
    await page.setViewportSize({ width: 390, height: 844 })
    const opener = page.getByRole('button', { name: /^(Open|Close) menu$/ })
    expect(await entry(page, 'Support').isVisible()).toBe(false)
    await opener.click()
    await entry(page, 'Support').waitFor()
    expect(await navigation(page)).toEqual([...customerAreas, ['All Organizations', '/admin/organizations'], ...staffMenu])
    await page.keyboard.press('Escape')
    await entry(page, 'Support').waitFor({ state: 'hidden' })
    await opener.click()
    await entry(page, 'Support').click()
    await title(page, 'Support')
    await entry(page, 'Support').waitFor({ state: 'hidden' })
    expect(await opener.getAttribute('aria-expanded')).toBe('false')
    // The entry of the shown page leads nowhere new, but closes the menu.
    await opener.click()
    await entry(page, 'Support').click()
    await entry(page, 'Support').waitFor({ state: 'hidden' })
  })
})

describe('axe finds nothing', () => {
  test.each([
    ['/licences', manager],
    ['/codedm', staff],
    ['/codedm/audit-log', member],
  ])('on %s for %s, in either look', async (path, account) => {
    const page = await pages.open(path, account)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await moreButton(page).waitFor()
    expect(await axeInLooks(page)).toEqual([])
    await page.getByRole('button', { name: 'Open menu' }).waitFor()
  })

  test('in the open menus in either theme', async () => {
    const page = await pages.open('/licences')
    for (const [theme] of looks) {
      await turn(page, [theme, { width: 390, height: 844 }])
      await page.getByRole('button', { name: 'Open menu' }).click()
      await entry(page, 'Registered readers').waitFor()
      expect(await axeFindings(page), theme).toEqual([])
      await page.keyboard.press('Escape')
      await turn(page, [theme, { width: 1440, height: 900 }])
      await moreButton(page).click()
      await moreLinks(page).filter({ hasText: 'Registered readers' }).waitFor()
      expect(await axeFindings(page), theme).toEqual([])
      await page.keyboard.press('Escape')
    }
  })
})
