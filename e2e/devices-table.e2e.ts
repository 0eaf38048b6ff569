import { DeviceColumn } from '@lectern/contract/devices/devices.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeFindings } from './support/axe.ts'
import { downloadedSheet, downloadedText } from './support/downloaded.ts'
import { manager } from './support/processes/stack.ts'
import {
  deviceDashboard,
  isChosen,
  listSerials,
  nextList,
  params,
  path,
  rows,
  serials,
  tile,
  untilListed,
  watchLists,
} from './support/screens/device-dashboard.ts'

const { api, sql, visit, dashboard } = await deviceDashboard()

describe('the table', () => {
  test('[DSH-09 DSH-10] shows what the server sends, last seen first, ten a page', async () => {
    let first: ReturnType<typeof nextList> | undefined
    const page = await visit(path, manager, (fresh) => {
      first = nextList(fresh)
    })
    const asked = await first
    expect(asked).toEqual({ ColumnName: 'LastSeen', Direction: 'Descending', PageNumber: '0', PageSize: '10' })
    await page.getByText(/of 4,\d{3} devices/).waitFor()
    const { deviceList } = await api('listDevices', { params })
    expect(await serials(page)).toEqual(listSerials(deviceList))
    expect(await page.getByRole('columnheader', { name: 'Last Seen (days)' }).getAttribute('aria-sort')).toBe('descending')
  })

  test('[DSH-14 DSH-15 LIM-05 LIM-07] has the columns of the specification, CFG among them while the library is on', async () => {
    const [serial] = listSerials((await api('listDevices', { params })).deviceList)
    await sql(`update device set battery_health = 24.6, warranty_until = current_date - 1 where serial_number = $1`, [serial])
    const page = await dashboard()
    const heads = ['Device (Model)', 'Serial Number', 'Zone', 'Host PC', 'CFG', 'Firmware', 'Last Updated', 'Last Seen (days)']
    const all = [...heads, 'Battery Health', 'Warranty (months)']
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(all)
    const row = rows(page).filter({ hasText: serial })
    await row.getByText('24%').waitFor()
    await row.getByText('Expired').waitFor()
    await page.evaluate(() => localStorage.setItem('featureFlags', 'showConfigurationLibrary=off'))
    await page.reload()
    await rows(page).first().waitFor()
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(all.filter((head) => head !== 'CFG'))
    await page.evaluate(() => localStorage.removeItem('featureFlags'))
  })

  test('[DSH-09 DSH-16] sorts by every field of the specification, in both directions, on the server', async () => {
    // No sort has been read of which each shows the first page.
    const page = await dashboard('?page=5')
    const fields: Record<string, string> = {}
    for (const head of await page.getByRole('columnheader').getByRole('button').all()) {
      const name = (await head.textContent()) ?? ''
      const asked = nextList(page)
      await head.click()
      const { ColumnName = '', Direction: first } = await asked
      fields[name] = ColumnName
      const back = nextList(page)
      await head.click()
      const { Direction: second } = await back
      expect(new Set([first, second])).toEqual(new Set(['Ascending', 'Descending']))
      const query = { ColumnName: DeviceColumn.parse(ColumnName), Direction: second as 'Ascending' }
      const { deviceList } = await api('listDevices', { params, query })
      await rows(page)
        .first()
        .getByText(deviceList[0]?.serialNumber ?? '')
        .waitFor()
      await expect.poll(() => serials(page)).toEqual(listSerials(deviceList))
    }
    expect(fields).toEqual({
      'Device (Model)': 'DeviceType',
      'Serial Number': 'DeviceSerialNumber',
      Zone: 'Location',
      'Host PC': 'Host',
      Firmware: 'DeviceFirmwareVersion',
      'Last Seen (days)': 'LastSeen',
      'Battery Health': 'BatteryHealth',
    })
  })

  test('[DSH-11 DSH-12] counts pages from 1, asks from 0, and has the neighbours before they are asked for', async () => {
    const page = await dashboard()
    const asked = watchLists(page)
    await page.goto(new URL('?sort=DeviceSerialNumber&order=Ascending&page=3', page.url()).href)
    await page.getByText(/^21–30/).waitFor()
    expect(await page.getByRole('textbox', { name: 'Page' }).inputValue()).toBe('3')
    await expect.poll(() => asked.map((query) => query.get('PageNumber'))).toEqual(['2', '3', '1'])
    // The page beside is shown although the server cannot be reached any more.
    await page.route('**/devices?*', (route) => route.abort())
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText(/^31–40/).waitFor()
    const query = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending', PageNumber: 3 } as const
    expect(await serials(page)).toEqual(listSerials((await api('listDevices', { params, query })).deviceList))
  })

  test('[DSH-13] shows 10, 25, 50 or 100 a page', async () => {
    const page = await dashboard()
    const sizes = page.getByRole('radiogroup', { name: 'Rows per page' }).getByRole('radio')
    expect(await sizes.allInnerTexts()).toEqual(['10', '25', '50', '100'])
    expect(await sizes.nth(0).getAttribute('aria-checked')).toBe('true')
    for (const size of [25, 50, 100]) {
      const asked = nextList(page)
      await page.getByRole('radio', { name: String(size), exact: true }).click()
      expect((await asked).PageSize).toBe(String(size))
      await page.getByText(`1–${size}`).waitFor()
      await expect.poll(() => rows(page).count()).toBe(size)
    }
  })

  test('[DSH-17] shows Last Updated in UTC−8 and says so', async () => {
    const [serial] = listSerials((await api('listDevices', { params })).deviceList)
    await sql(`update device set last_updated_at = '2025-03-10T07:59:00Z' where serial_number = $1`, [serial])
    const page = await dashboard()
    await rows(page).filter({ hasText: serial }).getByText('09 Mar 2025').waitFor()
    await page.getByText('Last Updated is shown in UTC−08:00').waitFor()
  })

  test('its state is in the address: the way back leads to the list before, a copied address to the same list', async () => {
    const page = await dashboard()
    await page.getByRole('button', { name: 'Serial Number' }).click()
    await page.getByRole('radio', { name: '25', exact: true }).click()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText(/^26–50/).waitFor()
    const { search: query } = new URL(page.url())
    expect(query).toBe('?sort=DeviceSerialNumber&order=Ascending&page=2&size=25')
    // Until the page has come, the rows of the one before are shown.
    await page.locator('section:not([aria-busy]) > table').waitFor()
    const shown = await serials(page)
    await tile(page, 'Offline').click()
    await page.getByText(/of 1\d\d devices/).waitFor()
    await page.goBack()
    await page.getByText(/^26–50/).waitFor()
    await isChosen(page, 'All Devices')
    expect(await serials(await dashboard(query))).toEqual(shown)
  })

  test('a page beyond the last one becomes the last one', async () => {
    const page = await dashboard('?show=offline&page=5000')
    await page.waitForURL(/page=1\d$/)
    await rows(page).first().waitFor()
  })

  test('a change arrives by itself, and leaves focus and scroll where they are', async () => {
    const page = await visit(`${path}?size=100`, manager, (fresh) => fresh.clock.install())
    await untilListed(page)
    const serial = (await serials(page))[60] ?? ''
    await page.getByRole('radio', { name: '100', exact: true }).focus()
    await page.mouse.wheel(0, 400)
    await page.waitForFunction(() => scrollY > 300)
    const place = await page.evaluate(() => scrollY)
    await sql(
      `with arrived as (insert into reported_configuration (organization_id, label) select organization_id, 'arrived.js' from device where serial_number = $1 returning id)
       update device set configuration_id = arrived.id from arrived where serial_number = $1`,
      [serial],
    )
    await page.clock.runFor(16_000)
    await rows(page).filter({ hasText: serial }).getByText('arrived.js').waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(place)
    expect(await page.locator(':focus').textContent()).toBe('100')
  })
})

describe('"Export to Excel"', () => {
  /** Presses the keys in the dialog, whose choice has the focus. */
  async function exportBy(page: Page, ...keys: string[]) {
    await page.getByRole('button', { name: 'Export to Excel' }).click()
    await page.getByRole('radio', { name: 'Excel workbook' }).and(page.locator(':focus')).waitFor()
    for (const key of keys) await page.keyboard.press(key)
  }

  test('[DSH-08 INP-07] offers a workbook first, and CSV, which has the readers of the filter in the order of the sort', async () => {
    const page = await dashboard('?search=radiology&sort=DeviceSerialNumber&order=Ascending')
    const query = { textFilter: 'radiology', ColumnName: 'DeviceSerialNumber', Direction: 'Ascending', PageSize: 100 } as const
    const { deviceList, totalCount } = await api('listDevices', { params, query })
    await exportBy(page)
    const formats = page.getByRole('group', { name: 'File format' }).getByRole('radio')
    expect(await Promise.all((await formats.all()).map((format) => format.isChecked()))).toEqual([true, false])
    expect(await axeFindings(page)).toEqual([])
    const [workbook] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export', exact: true }).click()])
    expect(workbook.suggestedFilename()).toBe('devices.xlsx')
    const sheet = await downloadedSheet(workbook)
    const serials = [...sheet.matchAll(/<c r="B(\d+)"[^>]*t="inlineStr"[^>]*><is><t>([^<]*)</g)].map(([, row, serial]) => [
      Number(row),
      serial,
    ])
    expect(serials.length).toBe(totalCount + 1)
    expect(serials.slice(1, 101)).toEqual(listSerials(deviceList).map((serial, index) => [index + 2, serial]))

    const [csv] = await Promise.all([page.waitForEvent('download'), exportBy(page, 'ArrowDown', 'Enter')])
    expect(csv.suggestedFilename()).toBe('devices.csv')
    const lines = (await downloadedText(csv)).trim().split('\r\n')
    expect(lines.length).toBe(totalCount + 1)
    expect(lines.slice(1, 101).map((line) => line.split(',')[1])).toEqual(listSerials(deviceList))
  })

  test('[INP-07] asks nothing of the server when its choice is left', async () => {
    const page = await dashboard()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await exportBy(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.locator(':focus').textContent()).toContain('Export to Excel')
    expect(await page.getByRole('button', { name: 'Export to Excel' }).getAttribute('aria-busy')).toBeNull()
    expect(asked.filter((path) => /\/(download|workbook)$/.test(path))).toEqual([])
  })

  test.each([
    ['attachment; filename="fleet 2026.csv"', 'fleet 2026.csv'],
    ['attachment', 'devices.csv'],
  ])('[DSH-08] names the file as the server does: %s', async (disposition, name) => {
    const page = await dashboard()
    await page.route('**/devices/download?*', (route) =>
      route.fulfill({ body: 'a\r\n', contentType: 'text/csv', headers: { 'content-disposition': disposition } }),
    )
    const [download] = await Promise.all([page.waitForEvent('download'), exportBy(page, 'ArrowDown', 'Enter')])
    expect(download.suggestedFilename()).toBe(name)
  })

  test('says why there is no file', async () => {
    const page = await dashboard()
    const json = { type: 'about:blank', title: 'Internal Server Error', status: 500, detail: 'The file could not be written.' }
    await page.route('**/devices/workbook?*', (route) => route.fulfill({ status: 500, json }))
    await exportBy(page, 'Enter')
    await page.getByText('Devices not exported').first().waitFor()
    await page.getByText('The file could not be written.').first().waitFor()
    await page.getByRole('button', { name: 'Export to Excel' }).waitFor()
  })
})
