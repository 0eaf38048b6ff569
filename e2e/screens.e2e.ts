import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { manager, member, staff, startStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startStack())

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const group = '/admin/organizations/0198c0de-0001-7000-8000-000000000001/groups/id/1/details'

test('the screens of Device Management are among its tabs', async () => {
  const page = await pages.open('/codedm', manager)
  await title(page, 'Device Management')
  const tabs = page.getByRole('navigation', { name: 'Device Management' }).getByRole('link')
  expect(await tabs.allTextContents()).toEqual(expect.arrayContaining(['Overview', 'Devices', 'Zones', 'Configure', 'Firmware']))
})

test('every page has a description for search engines', async () => {
  const page = await pages.open('/codedm', manager)
  expect(await page.locator('meta[name=description]').getAttribute('content')).toBe(
    'Lectern brings configurations and firmware to every barcode reader of a zone, and shows what arrived.',
  )
})

describe('a screen that needs a permission', () => {
  const isRefused = async (page: Page, permission: string) => {
    await title(page, 'Not allowed')
    expect(await page.getByRole('main').textContent(), page.url()).toContain(`needs the permission “${permission}”.`)
  }

  test('[PER-06] what the vendor administers is not shown without global:access:organizations', async () => {
    const page = await pages.open('/admin/organizations', manager)
    await isRefused(page, 'See all organizations')
    for (const path of [group, '/admin/marketing', '/admin/firmware', '/admin/products', '/admin/audit-log']) {
      await showInApp(page, path)
      await isRefused(page, 'See all organizations')
    }
  })

  test('the audit log is not shown without access:audit_log', async () =>
    isRefused(await pages.open('/codedm/audit-log', member), 'Read the audit log'))

  test('[PER-06] all organizations and a group are shown with it', async () => {
    const page = await pages.open('/codedm', staff)
    for (const path of ['/admin/organizations', group]) {
      await showInApp(page, path)
      await page.getByRole('banner').getByText('Quiet Zone Devices', { exact: true }).waitFor()
      await page.getByRole('banner').locator('[aria-current=page]').getByText('All Organizations').waitFor()
      for (const refusal of ['Not allowed', 'No organization', 'Page not found'])
        expect(await page.getByText(refusal).count(), path).toBe(0)
    }
  })
})

describe('staff, who belong to no organization,', () => {
  test('[WAY-02] are offered in Device Management what works without one, and are told that the rest needs a customer', async () => {
    const page = await pages.open('/codedm', staff)
    await title(page, 'Device Management')
    const list = (role: 'navigation' | 'region', name: string) => page.getByRole(role, { name, exact: true }).getByRole('link')
    expect(await list('navigation', 'Device Management').allTextContents()).toEqual(['Overview', 'Builder', 'Read Barcode'])
    const offered = list('region', 'Without an organization')
    expect(await offered.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      '/codedm/create-configuration',
      '/codedm/read-configuration',
      '/product',
    ])
    await page.getByText("audit log belong to a customer's organization. As staff of Quiet Zone Devices you belong to none").waitFor()
    await page.getByRole('main').getByRole('link', { name: 'All Organizations' }).click()
    await page.waitForURL('**/admin/organizations')
  })

  test('read at zones and wizard why they see no readers, and go on to all organizations', async () => {
    const page = await pages.open('/codedm', staff)
    for (const path of ['/codedm/zones', '/codedm/apply-config']) {
      await showInApp(page, path)
      await title(page, 'No organization')
      expect(await page.getByRole('main').textContent()).toContain('Staff of Quiet Zone Devices belong to no organization.')
      await page.getByRole('main').getByRole('link', { name: 'All Organizations' }).click()
      await page.waitForURL('**/admin/organizations')
    }
  })

  test('see screens that need no organization: instructions, firmware releases, the products at /, and that a page is missing', async () => {
    const page = await pages.open('/codedm/installation-instructions', staff)
    await title(page, 'Installation instructions')
    await showInApp(page, '/admin/firmware')
    await title(page, 'Firmware releases')
    await page.goto(`${stack.url}/nowhere`)
    await title(page, 'Page not found')
    await page.goto(`${stack.url}/`)
    await page.waitForURL('**/product')
    await page.getByRole('banner').getByText('Quiet Zone Devices', { exact: true }).waitFor()
    expect(await page.getByText('No organization').count()).toBe(0)
  })
})

describe('a screen behind a flag', () => {
  const withFlag = async (path: string, flag: string) => {
    const page = await pages.open(path, manager)
    await title(page, 'Page not found')
    await page.evaluate((on) => localStorage.setItem('featureFlags', on), flag)
    await page.reload()
    return page
  }
  const withoutFlags = (page: Page) => page.evaluate(() => localStorage.removeItem('featureFlags'))

  test('[DML-10] the activity stream is there while showActivityStream is on, and says that it is not built yet', async () => {
    const page = await withFlag('/codedm/activity-stream', 'showActivityStream')
    await title(page, 'Activity Stream')
    expect(await page.getByRole('main').textContent()).toMatch(/ yet\./)
    await withoutFlags(page)
  })

  test('[DML-10] device analytics lead to the charts while showDeviceAnalytics is on', async () => {
    const page = await withFlag('/codedm/analytics', 'showDeviceAnalytics')
    await title(page, 'Data')
    expect(page.url()).toBe(`${stack.url}/data`)
    await withoutFlags(page)
  })
})
