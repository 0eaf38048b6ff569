import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { member, northfield, startStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startStack())

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })
const findRow = (page: Page, sn: string) => rows(page).filter({ has: page.getByText(sn, { exact: true }) })
const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page, name: string) => dialog(page).getByRole('textbox', { name: new RegExp(`^${name}( required)?$`) })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search registered readers' })
const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

test('[RDR-01 RDR-02] a reader is registered, found by its serial number, lost, found again, edited and deleted, with the keyboard', async () => {
  await stack.sql("delete from reader where serial_number like 'E2E-%'")
  const page = await pages.open('/readers')
  await rows(page).nth(9).waitFor()
  await page.getByRole('button', { name: 'Register reader' }).focus()
  await page.keyboard.press('Enter')
  await field(page, 'Serial number').waitFor()
  await expect.poll(() => field(page, 'Serial number').evaluate((box) => box === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('Serial number must not be empty.').waitFor()
  const [taken] = await stack.sql<{ sn: string }>(
    'select serial_number as sn from reader where organization_id = (select id from organization where public_id = $1) limit 1',
    [northfield],
  )
  await page.keyboard.insertText(taken!.sn)
  await page.keyboard.press('Enter')
  await page.getByText(`The serial number ${taken!.sn} is registered already.`).waitFor()
  await field(page, 'Serial number').fill('E2E-0418853')
  await page.keyboard.press('Enter')
  await page.getByText('Reader registered', { exact: true }).waitFor()
  await dialog(page).waitFor({ state: 'detached' })
  await expect.poll(() => focusedName(page)).toBe('Register reader')

  await search(page).fill('e2e-0418')
  await page.waitForURL('**/readers?search=e2e-0418')
  const row = findRow(page, 'E2E-0418853')
  await row.getByText('Never').waitFor()
  await expect.poll(() => rows(page).count()).toBe(1)
  await row.getByRole('button', { name: 'Mark as lost: E2E-0418853' }).focus()
  await page.keyboard.press('Enter')
  await row.getByText('Lost', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Mark as found: E2E-0418853' }).waitFor()
  await expect.poll(() => focusedName(page)).toBe('Mark as found: E2E-0418853')
  await page.keyboard.press('Enter')
  await row.getByText('Lost', { exact: true }).waitFor({ state: 'detached' })

  await row.getByRole('button', { name: 'Edit E2E-0418853' }).focus()
  await page.keyboard.press('Enter')
  await field(page, 'CodeMaster ID').fill('CM-7')
  await page.keyboard.press('Enter')
  await row.getByText('CM-7').waitFor()
  await row.getByRole('button', { name: 'Delete E2E-0418853' }).focus()
  await page.keyboard.press('Enter')
  await dialog(page).getByText('It is no longer registered here.', { exact: false }).waitFor()
  await expect.poll(() => focusedName(page)).toBe('Back')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Delete E2E-0418853' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No registered reader matches.').waitFor()
  await expect.poll(() => focusedName(page)).toBe('Search registered readers')
  await page.getByRole('button', { name: 'Show all registered readers' }).click()
  await rows(page).nth(9).waitFor()
})

test('[WAY-04] the register counts registered readers and says so; the header counts the fleet; the dashboard names no register', async () => {
  const ofNorthfield = 'where organization_id = (select id from organization where public_id = $1)'
  const count = async (table: 'device' | 'reader') =>
    Number((await stack.sql<{ count: string }>(`select count(*) from ${table} ${ofNorthfield}`, [northfield]))[0]!.count)
  const page = await pages.open('/readers')
  await page.getByRole('heading', { level: 1, name: 'Registered Readers', exact: true }).waitFor()
  await page.getByText(`of ${(await count('reader')).toLocaleString('en-US')} registered readers`).waitFor()
  const fleet = `${(await count('device')).toLocaleString('en-US')} readers`
  await page.getByRole('banner').getByText(fleet).waitFor()
  await showInApp(page, '/codedm/device-dashboard')
  await page.getByText('Every reader that your host PCs report.').waitFor()
  expect(await page.getByRole('main').getByText('regist').count()).toBe(0)
})

test('[API-RDR-01] readers that host PCs report are online, those that nobody has seen for 72 hours offline', async () => {
  const page = await pages.open('/readers?show=offline')
  await findRow(page, '27P0588210').getByText('Offline', { exact: true }).waitFor()
  await page.getByRole('radio', { name: 'Online' }).click()
  await page.waitForURL('**/readers?show=online')
  await rows(page).getByText('Online', { exact: true }).first().waitFor()
  await findRow(page, '27P0588210').waitFor({ state: 'detached' })
  await expect.poll(() => rows(page).getByText('Offline', { exact: true }).count()).toBe(0)
  await page.reload()
  await rows(page).first().waitFor()
  expect(await page.getByRole('radio', { name: 'Online' }).isChecked()).toBe(true)
})

test('axe finds nothing in any state, in either look', async () => {
  const page = await pages.open('/readers?show=offline')
  const isFine = async () => expect(await axeInLooks(page), page.url()).toEqual([])
  await page.getByText('Lost', { exact: true }).first().waitFor()
  await isFine()
  await page.getByRole('button', { name: 'Register reader' }).click()
  await dialog(page).getByRole('button', { name: 'Register' }).click()
  await page.getByText('Serial number must not be empty.').waitFor()
  await isFine()
  await page.keyboard.press('Escape')
  await page.route('**/api/readers/**', (route) => route.fulfill({ status: 500, json: {} }))
  await showInApp(page, '/readers')
  await page.getByText('Error loading the registered readers').waitFor()
  await isFine()
})

test('[MAY-01] who may not change registered readers sees them, and is offered no change', async () => {
  const page = await pages.open('/readers', member)
  await rows(page).nth(9).waitFor()
  expect(await page.getByRole('button', { name: /Register|Mark as|Edit|Delete/ }).count()).toBe(0)
})
