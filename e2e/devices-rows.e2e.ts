import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings } from './support/axe.ts'
import { manager } from './support/processes/stack.ts'
import { deviceDashboard, listSerials, params, path, rows, serials, untilListed } from './support/screens/device-dashboard.ts'

const { api, sql, visit, dashboard } = await deviceDashboard()

const query = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending', PageSize: 100 } as const
const bySerial = '?sort=DeviceSerialNumber&order=Ascending&size=100'
const listed = async () => listSerials((await api('listDevices', { params, query })).deviceList)

const later = (page: Page) => page.locator('.table-later')
const row = (page: Page, serial: string) => rows(page).filter({ hasText: serial })
const focused = (page: Page) => page.locator(':focus').innerText()

/** What rows show, and what those that are not drawn say, without the words for screen readers alone. */
const words = (page: Page) =>
  rows(page).evaluateAll((all) =>
    all.map((one) => {
      const copy = one.cloneNode(true) as HTMLElement
      for (const spoken of copy.querySelectorAll('.sr-only')) spoken.remove()
      return copy.textContent.replaceAll(/\s/g, '')
    }),
  )

test('of a hundred rows those near the window are drawn; until then the others say what they will show', async () => {
  const all = await listed()
  await sql('update device set battery_health = null, warranty_until = null where serial_number = $1', [all[97]])
  await sql('update device set battery_health = 24.6, warranty_until = current_date - 1 where serial_number = $1', [all[98]])
  const page = await dashboard(bySerial)
  expect(await rows(page).count()).toBe(100)
  expect(await later(page).count()).toBeGreaterThan(70)
  expect(await page.getByRole('row').count()).toBe(101)
  expect(await axeFindings(page)).toEqual([])
  const said = await words(page)
  await page.keyboard.press('Control')
  await expect.poll(() => serials(page)).toEqual(all)
  expect(await words(page)).toEqual(said)
  expect(said[97]).toMatch(/Corded\?$/)
  expect(said[98]).toMatch(/24%Expired$/)
})

test('rows are drawn where they are scrolled to, and keep their height', async () => {
  const all = await listed()
  const page = await dashboard(bySerial)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await row(page, all[99]!).getByRole('link').waitFor()
  expect(await later(page).count()).toBeGreaterThan(40)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
  await row(page, all[50]!).getByRole('link').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height)
})

test('Tab goes from reader to reader, and back into the list from below', async () => {
  const all = await listed()
  const page = await dashboard(bySerial)
  await row(page, all[0]!).getByRole('link').focus()
  for (const serial of all.slice(1)) {
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe(serial)
  }
  const again = await dashboard(bySerial)
  await again.getByRole('radio', { name: '100', exact: true }).focus()
  await row(again, all[99]!).getByRole('link').waitFor()
  await again.keyboard.press('Shift+Tab')
  expect(await focused(again)).toBe(all[99])
})

test('the focus stays with its reader, however far another order takes it', async () => {
  const all = await listed()
  const charge = (serial: string, percent: number) =>
    sql('update device set battery_health = $2 where serial_number = $1', [serial, percent])
  for (const [index, serial] of all.entries()) await charge(serial, index / 100)
  const page = await visit(`${path}?sort=BatteryHealth&order=Ascending&size=100`, manager, (fresh) => fresh.clock.install())
  await untilListed(page)
  const serial = all[3]!
  await row(page, serial).getByRole('link').focus()
  await charge(serial, 0.905)
  await page.clock.runFor(16_000)
  const place = () => rows(page).evaluateAll((each, text) => each.findIndex((one) => one.textContent.includes(text)), serial)
  await expect.poll(place).toBe(90)
  expect(await focused(page)).toBe(serial)
})

test('the browser finds, selects and prints rows that are not drawn yet', async () => {
  const all = await listed()
  const page = await dashboard(bySerial)
  expect(await page.evaluate((serial) => (window as unknown as { find(text: string): boolean }).find(serial), all[80]!)).toBe(true)
  await row(page, all[80]!).getByRole('link').waitFor()
  const other = await dashboard(bySerial)
  await other.keyboard.press('Control+a')
  await expect.poll(() => other.evaluate((texts) => texts.filter((text) => !String(getSelection()).includes(text)), all)).toEqual([])
  const printed = await dashboard(bySerial)
  await printed.pdf()
  expect(await later(printed).count()).toBe(0)
})
