import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { manager, northfield, staff } from './support/processes/stack.ts'
import {
  deviceDashboard,
  isChosen,
  listSerials,
  nextList,
  params,
  path,
  serials,
  tile,
  untilListed,
  watchLists,
} from './support/screens/device-dashboard.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'

const { api, apiOf, sql, visit, dashboard } = await deviceDashboard()
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search devices' })

describe('the tiles', () => {
  test('[DSH-01] are four, with their totals', async () => {
    const page = await dashboard()
    const totals = await api('getDeviceTotals', { params })
    const tiles = page.getByRole('radiogroup', { name: 'Filter devices' }).getByRole('radio')
    expect(await tiles.locator('.tile-label').allInnerTexts()).toEqual(['All Devices', 'Offline', 'Battery Health', 'Warranty Expirations'])
    const counts = [totals.allDevices, totals.offline, totals.batteryHealth, totals.warrantyExpirations]
    expect(await tiles.locator('.tile-count').allInnerTexts()).toEqual(counts.map((count) => count.toLocaleString('en-US')))
    await tile(page, 'All Devices').getByText('12 zones').waitFor()
    await tile(page, 'All Devices').getByText('7 models').waitFor()
    await tile(page, 'Offline')
      .getByText(/^\d+(\.\d)?% of fleet$/)
      .waitFor()
  })

  test.each([
    ['Offline', 'onlyOffline', 'offline'],
    ['Battery Health', 'onlyBadBattery', 'batteryHealth'],
    ['Warranty Expirations', 'onlyWarrantyExpired', 'warrantyExpirations'],
  ] as const)('[DSH-02] %s shows only its readers, All Devices every one again', async (name, filter, total) => {
    const page = await dashboard()
    const asked = nextList(page)
    await tile(page, name).click()
    const query = await asked
    expect(query).toMatchObject({ [filter]: 'true', PageNumber: '0' })
    expect(Object.keys(query).filter((key) => key.startsWith('only'))).toEqual([filter])
    const count = (await api('getDeviceTotals', { params }))[total].toLocaleString('en-US')
    await page.getByText(`of ${count} devices`).waitFor()
    const { deviceList } = await api('listDevices', { params, query: { [filter]: true } })
    expect(await serials(page)).toEqual(listSerials(deviceList))
    await tile(page, 'All Devices').click()
    await isChosen(page, 'All Devices')
    const all = (await api('getDeviceTotals', { params })).allDevices.toLocaleString('en-US')
    await page.getByText(`of ${all} devices`).waitFor()
  })

  test('[DSH-02] are moved through with the arrow keys', async () => {
    const page = await dashboard()
    await tile(page, 'All Devices').focus()
    // Held, as by a finger: the key must still be down when focus arrives.
    await page.keyboard.down('ArrowRight')
    await isChosen(page, 'Offline')
    await page.keyboard.up('ArrowRight')
    await page.getByText(/of 1\d\d devices/).waitFor()
  })

  test('[DSH-06 DSH-07] say "..." while their totals load and "?" when that failed', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const page = await visit(path, manager, (fresh) =>
      fresh.route('**/devices/totals', async (route) => {
        await released
        await route.fulfill({ status: 500, json: {} })
      }),
    )
    const counts = page.locator('.tile-count')
    await counts.getByText('...').nth(3).waitFor()
    expect(await counts.evaluateAll((all) => all.map((each) => each.getAttribute('title')))).toEqual(Array(4).fill('loading...'))
    release()
    await counts.getByText('?').nth(3).waitFor()
    expect(await counts.evaluateAll((all) => all.map((each) => each.getAttribute('title')))).toEqual(Array(4).fill('error loading data'))
  })
})

describe('the search', () => {
  test('[DSH-03 DSH-04] replaces the tile, and a tile replaces the search', async () => {
    const page = await dashboard('?show=battery')
    expect(await search(page).getAttribute('placeholder')).toBe('device, zone, etc...')
    await isChosen(page, 'Battery Health')
    await search(page).pressSequentially('icu 2')
    await page.getByText('devices matching “icu 2”').waitFor()
    await isChosen(page, 'All Devices')
    expect(new URL(page.url()).search).toBe('?search=icu+2')
    const { totalCount } = await api('listDevices', { params, query: { textFilter: 'icu 2' } })
    await page.getByText(`of ${totalCount} devices matching`).waitFor()
    const asked = nextList(page)
    await tile(page, 'Offline').click()
    expect(await asked).not.toHaveProperty('textFilter')
    await isChosen(page, 'Offline')
    expect(await search(page).inputValue()).toBe('')
  })

  test('asks once somebody has stopped typing, not for every letter', async () => {
    const page = await dashboard()
    const asked = watchLists(page)
    await search(page).pressSequentially('radiology', { delay: 20 })
    await page.getByText('devices matching “radiology”').waitFor()
    const texts = new Set(asked.map((query) => query.get('textFilter')))
    expect(texts).toEqual(new Set(['radiology']))
  })

  test('[SCL-03] shows its rows before it has counted them, and leads further meanwhile', async () => {
    const page = await dashboard()
    const counted = Promise.withResolvers<void>()
    await page.route(/\/devices\?(?!.*count=none).*textFilter=/, async (route) => {
      await counted.promise
      await route.continue()
    })
    await search(page).fill('61')
    await page.getByText('1–10 of the devices matching “61”, which are being counted …').waitFor()
    const query = { textFilter: '61', ColumnName: 'LastSeen', Direction: 'Descending' } as const
    const first = await api('listDevices', { params, query })
    expect(first.totalCount).toBeGreaterThan(100)
    expect(await serials(page)).toEqual(listSerials(first.deviceList))
    expect(await page.getByRole('button', { name: 'Last page' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('11–20 of the devices').waitFor()
    counted.resolve()
    await page.getByText(`11–20 of ${first.totalCount.toLocaleString('en-US')} devices matching “61”`).waitFor()
    expect(await serials(page)).toEqual(listSerials((await api('listDevices', { params, query: { ...query, PageNumber: 1 } })).deviceList))
  })

  test('that finds nothing says so and can be cleared', async () => {
    const page = await dashboard()
    await search(page).fill('no such reader')
    await page.getByText('No readers match “no such reader”.').waitFor()
    await page.getByRole('button', { name: 'Clear search' }).last().click()
    await page.getByText(/of 4,\d{3} devices/).waitFor()
    expect(await search(page).inputValue()).toBe('')
  })
})

describe('when the server fails', () => {
  test('[DSH-05] says "Error loading devices", and can be tried again', async () => {
    const page = await visit(path, manager, (fresh) => fresh.route('**/devices?*', (route) => route.fulfill({ status: 500, json: {} })))
    await page.getByRole('alert').getByText('Error loading devices', { exact: true }).waitFor()
    await page.unroute('**/devices?*')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await page.getByText(/of 4,\d{3} devices/).waitFor()
  })

  test('[DSH-05] while a list is shown, keeps it and says that it is not fresh', async () => {
    const page = await visit(path, manager, (fresh) => fresh.clock.install())
    await untilListed(page)
    const shown = await serials(page)
    await page.route('**/devices?*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.clock.runFor(16_000)
    await page.getByRole('alert').getByText('Error loading devices').waitFor()
    expect(await serials(page)).toEqual(shown)
    await page.unroute('**/devices?*')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })
})

test('[PER-09] somebody without an organization sees no devices, and no call for any is made', async () => {
  const called: string[] = []
  const page = await visit(path, staff, (fresh) => fresh.on('request', (request) => called.push(new URL(request.url()).pathname)))
  await page.getByRole('heading', { name: 'No organization' }).waitFor()
  expect(called).toContain('/api/lectern/users/current')
  expect(called.filter((each) => each.startsWith('/api/codedm'))).toEqual([])
  expect(await page.getByRole('button', { name: 'Export to Excel' }).count()).toBe(0)
})

test('on a telephone the readers are a list of records with a Sort select', async () => {
  const page = await dashboard()
  await page.setViewportSize({ width: 390, height: 844 })
  const records = page.getByRole('list', { name: 'Device table' }).getByRole('listitem')
  await records.nth(9).waitFor()
  expect(await page.getByRole('table').count()).toBe(0)
  await page.getByRole('combobox', { name: 'Sort by' }).click()
  await page.getByRole('option', { name: 'Serial Number, ascending' }).click()
  const query = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending' } as const
  const [first] = (await api('listDevices', { params, query })).deviceList
  await records
    .first()
    .getByText(first?.serialNumber ?? '')
    .waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('axe finds nothing, in either look', async () => {
  const answer = (how: (route: Route) => unknown) => async (page: Page) => {
    for (const calls of ['**/devices?*', '**/devices/totals']) await page.route(calls, how)
  }
  const page = await visit(
    path,
    manager,
    answer(() => {}),
  )
  await page.locator('.tile-count').getByText('...').first().waitFor()
  await page.locator('.skeleton').first().waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await answer((route) => route.fulfill({ status: 500, json: {} }))(page)
  await page.reload()
  await page.getByText('Error loading devices').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await untilListed(page)
  expect(await axeInLooks(page)).toEqual([])
  await search(page).fill('icu')
  await page.getByText('matching “icu”').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await search(page).fill('no such reader')
  await page.getByText('No readers match').waitFor()
  expect(await axeInLooks(page)).toEqual([])
})

const banner = (page: Page) => page.getByText('All readers are simulated: they do not exist.', { exact: true })
const marks = (within: Page | Locator) => within.getByText('Simulated', { exact: true }).filter({ visible: true })

test('[AGT-04 SEE-09] where all readers are simulated one banner on every page says so, and nothing else does', async () => {
  const page = await dashboard()
  await banner(page).waitFor()
  const all = (await api('getDeviceTotals', { params })).allDevices.toLocaleString('en-US')
  await page.getByRole('banner').getByText(`12 zones · ${all} readers`, { exact: true }).waitFor()
  await page.locator('tbody tr').first().getByRole('link').first().click()
  await page.getByText('What this reader should run, what it reports, and what became of it.').waitFor()
  const isOnlyBanner = async () => {
    await banner(page).waitFor()
    expect(
      await page
        .getByText(/simulated/i)
        .filter({ visible: true })
        .allInnerTexts(),
      page.url(),
    ).toHaveLength(1)
  }
  await isOnlyBanner()
  await showInApp(page, '/codedm/zones')
  await page
    .getByRole('row', { name: /ED Triage/ })
    .getByText('1 of 1')
    .waitFor()
  await isOnlyBanner()
  await showInApp(page, '/data')
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  await isOnlyBanner()
  await showInApp(page, '/product/id/2/details')
  await page
    .getByRole('region', { name: 'In your fleet' })
    .getByText(/^[\d,]+$/)
    .first()
    .waitFor()
  await isOnlyBanner()
  await showInApp(page, '/codedm/apply-config')
  await page.getByRole('combobox', { name: 'Zone' }).click()
  await page.getByRole('option', { name: 'ED Triage' }).click()
  await page.getByRole('checkbox', { name: /^CR2700/ }).check()
  await page.getByText(/^[\d,]+ readers in ED Triage/).waitFor()
  await isOnlyBanner()

  const { simulated } = await (await apiOf(staff))('getSimulatedReaders', {})
  const charts = await visit('/data', staff)
  await charts.getByText(`${simulated.toLocaleString('en-US')} readers are simulated:`).waitFor()
})

test('[AGT-04 SEE-09] where some are, an icon with a name marks them in dashboard, reader, zones, wizard and rollouts; pages that count say how many', async () => {
  const real = (await api('listDevices', { params })).deviceList[0]!.serialNumber
  await sql('update device set simulated = false where serial_number = $1', [real])
  onTestFinished(async () => {
    await sql('update device set simulated = true where serial_number = $1', [real])
  })
  const { allDevices, simulated } = await api('getDeviceTotals', { params })
  expect(simulated).toBe(allDevices - 1)
  const all = allDevices.toLocaleString('en-US')
  const some = (allDevices - 1).toLocaleString('en-US')
  const page = await dashboard()
  await page.getByText(`${some} readers are simulated:`).waitFor()
  await page.getByRole('banner').getByText(`12 zones · ${all} readers`, { exact: true }).waitFor()
  expect(await banner(page).count()).toBe(0)
  const rows = page.locator('tbody tr')
  expect(await marks(rows.filter({ hasText: real })).count()).toBe(0)
  const marked = rows.filter({ hasNotText: real }).first()
  await marks(marked).waitFor()
  expect((await marks(marked).boundingBox())!.width).toBe(16)
  await marked.getByRole('link').first().click()
  await page.getByText('This reader is simulated: it does not exist.').waitFor()
  await marks(page.getByRole('complementary', { name: 'Reader' })).waitFor()

  const zones = await visit('/codedm/zones')
  const triage = zones.getByRole('row', { name: /ED Triage/ })
  await marks(triage).waitFor()
  await zones.getByRole('button', { name: '1 of 1 host PC online in ED Triage' }).click()
  await marks(zones.getByRole('dialog')).waitFor()
  await zones.getByRole('button', { name: 'Close' }).click()
  await showInApp(zones, '/data')
  await zones.getByText(`${some} readers are simulated:`).waitFor()
  await showInApp(zones, '/product/id/2/details')
  await zones
    .getByRole('region', { name: 'In your fleet' })
    .getByText(/^[\d,]+ \([\d,]+ simulated\)$/)
    .waitFor()

  const zone = (await api('listZones', { params })).find(({ name }) => name === 'ED Triage')!
  const { readers, hosts } = (await api('listZoneOverviews', { params })).find(({ zoneId }) => zoneId === zone.id)!
  const { count, simulated: here = 0 } = readers.find(({ deviceType }) => deviceType === 'CR2700')!
  const wizard = await visit('/codedm/apply-config')
  await wizard.getByRole('combobox', { name: 'Zone' }).click()
  await wizard.getByRole('option', { name: 'ED Triage' }).click()
  await marks(wizard.locator('.field-hint', { hasText: '1 of 1 host PC online.' })).waitFor()
  await wizard.getByRole('checkbox', { name: /^CR2700/ }).check()
  await wizard.getByText(`${count.toLocaleString('en-US')} readers (${here.toLocaleString('en-US')} simulated) in ED Triage`).waitFor()

  await api('publishCfg', {
    params: { ...params, location: zone.id, device: 'CR2700' },
    body: { cfg: '<cfg>1</cfg>', updateTime: '02:00' },
  })
  const rollouts = await visit('/codedm/rollouts')
  const rollout = rollouts.locator('tbody tr').first()
  await marks(rollout).waitFor()
  await rollout.getByRole('link').first().click()
  await rollouts.getByText('Simulated readers are counted.').waitFor()

  const { deviceList } = await api('listDevices', { params })
  const other = deviceList.find(({ serialNumber }) => serialNumber !== real)!.serialNumber
  await api('createReader', { params: { customerid: northfield }, body: { sn: other } })
  const log = await visit('/codedm/audit-log')
  const entry = (text: string) => log.getByRole('button', { name: text })
  await marks(entry(`registered the reader ${other}`)).waitFor()
  expect(await marks(entry('set the configuration of CR2700 in ED Triage')).count()).toBe(0)

  // Its readers stay.
  await api('removeHost', { params: { ...params, host: hosts[0]!.id } })
  const emptied = (await visit('/codedm/zones')).getByRole('row', { name: /ED Triage/ })
  await emptied.getByText('None yet', { exact: true }).waitFor()
  await marks(emptied).waitFor()
})
