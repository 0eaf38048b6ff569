import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { manager, member, northfield, staff, startStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const path = '/codedm/configuration-library'
const organizationId = northfield
const volumeLow = ['FBGRSVO3', 'FBCBSVO3', 'FBCMSVO3', 'FBERSVO3']
const { stack, pages } = await stackForFile(startStack())
const api = await stack.api(manager)
beforeEach(() => stack.sql('delete from saved_configuration'))

const save = (name: string, commands: string[], deviceName: 'CR2700' | 'CR1100' = 'CR2700') =>
  api('saveConfiguration', { params: { organizationId, deviceName, name }, body: commands })
const saved = () => api('listSavedConfigurations', { params: { organizationId } })
/** A configuration of a reader that the builder no longer knows. */
async function saveForeign(name: string): Promise<void> {
  await save(name, ['CFR', 'SYAZTCSEN1'])
  await stack.sql("update saved_configuration set device = 'CR900FD', created_at = '2023-02-19T08:40:00Z' where name = $1", [name])
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const details = (page: Page) => page.locator('.saved-details')
const listed = async (page: Page) => (await details(page).getByRole('listitem').allTextContents()).map((text) => text.trim())
const names = (page: Page) => page.locator('tbody tr:not(.table-detail) td:first-child').allTextContents()
const compared = (page: Page) => page.getByRole('region', { name: 'Comparison' })
const comparedLines = async (page: Page) =>
  Promise.all((await compared(page).locator('tbody tr').all()).map((row) => row.getByRole('cell').allTextContents()))

async function open(name: string): Promise<Page> {
  const page = await pages.open(path)
  await button(page, `View ${name}`).click()
  await details(page).waitFor()
  return page
}

test('[LIB-01 LIB-02 ENT-24] the library names its configurations with device and creation date, the newest first', async () => {
  await save('First', ['SYAZTCSEN1'])
  await stack.sql("update saved_configuration set created_at = '2025-11-20T09:44:30Z'")
  await save('Second', ['SYAZTCSEN0'], 'CR1100')
  const page = await pages.open(path)
  await page.getByRole('heading', { level: 1, name: 'Configuration Library', exact: true }).waitFor()
  await page.getByText('Access Saved Configurations.').waitFor()
  await button(page, 'View First').waitFor()
  const heads = await page.getByRole('columnheader').allTextContents()
  expect(heads).toEqual(['Configuration Name', 'Device', 'Creation Date', 'View QR, Print, More Info'])
  expect(await names(page)).toEqual(['Second', 'First'])
  expect(await page.getByRole('row').filter({ hasText: 'First' }).getByRole('cell').nth(1).textContent()).toBe('CR2700')
  await page.getByText(/^20 Nov 2025, \d\d:44$/).waitFor()
  await button(page, 'Configuration Name').click()
  await page.locator('th[aria-sort=ascending]').waitFor()
  expect(await names(page)).toEqual(['First', 'Second'])
})

test('[LIB-03] a row opens to its options, its barcode and a button that deletes; one at a time', async () => {
  await save('Wristband', ['CFR', ...volumeLow, 'ZZZZSAB1'])
  await save('Other', ['SYAZTCSEN1'])
  const page = await open('Wristband')
  expect(await listed(page)).toEqual([
    '00Reset (CFR) FirstCFREvidence: Guide',
    `01Beep volume: Low${volumeLow.join('')}Evidence: Guide`,
    '02Not in the catalogueZZZZSAB1',
  ])
  await details(page).getByRole('img', { name: 'Configuration barcode, Wristband' }).waitFor()
  await details(page).getByRole('button', { name: 'Delete' }).waitFor()
  await button(page, 'View Other').click()
  await details(page).getByText('Aztec: On').waitFor()
  expect(await details(page).count()).toBe(1)
  await button(page, 'Close Other').click()
  await details(page).waitFor({ state: 'detached' })
})

test('[EVI-01] an open row and a comparison say how well each command is known on its reader, and warn of what is inferred', async () => {
  await save('Old hand', ['SYAZTCSEN0'], 'CR1100')
  await save('Wristband', ['SYAZTCSEN0'])
  const page = await open('Old hand')
  expect(await listed(page)).toEqual(['01Aztec: OffSYAZTCSEN0Evidence: Inferred'])
  await details(page).getByText('The option sends commands that are inferred, not documented.').waitFor()
  await details(page).getByText('The command is inferred from others. Try it on one reader first.').waitFor()
  await details(page).getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('combobox', { name: 'Second configuration' }).click()
  await page.getByRole('option', { name: 'Wristband (CR2700)' }).click()
  await compared(page).waitFor()
  expect(await comparedLines(page)).toEqual([
    ['Reset (CFR) First', 'No', 'No', 'Same'],
    ['Aztec', 'Off Evidence: Inferred', 'Off Evidence: Guide', 'Same'],
  ])
  const keyed = page.getByRole('region', { name: 'Compare' }).getByRole('definition')
  expect(await keyed.allTextContents()).toEqual([
    'The maker’s published guide has the command.',
    'The command is inferred from others. Try it on one reader first.',
  ])
})

test('[LIB-06] the Prefix/Suffix area of an open row is empty, whatever its prefix', async () => {
  await save('Prefixed', ['CDOPSPX"AB"', 'CDOPSFO1'])
  const page = await open('Prefixed')
  await details(page).getByText('Prefix: AB').waitFor()
  const area = details(page).getByRole('region', { name: 'Prefix/Suffix', includeHidden: true })
  expect(await area.count()).toBe(1)
  expect(await area.textContent()).toBe('')
})

test('an open row leads to the builder with its options, and to its barcode', async () => {
  await save('Wristband', ['CFR', 'SYAZTCSEN1', 'ZZZZSAB1'])
  const page = await open('Wristband')
  const print = new URL((await page.getByRole('link', { name: 'Print / Save' }).getAttribute('href')) ?? '', stack.url)
  expect(print.pathname).toBe('/codedm/create-configuration/CR2700/success')
  expect(JSON.parse(print.searchParams.get('config') ?? '')).toEqual(['CFR', 'SYAZTCSEN1', 'ZZZZSAB1'])
  await page.getByRole('link', { name: 'Open in the builder' }).click()
  const format = page.getByRole('region', { name: 'Configuration Format' })
  await format.getByText('Aztec: On').waitFor()
  await format.getByText('ZZZZSAB1').waitFor()
  expect(await format.getByRole('checkbox', { name: 'Reset (CFR) First' }).isChecked()).toBe(true)
})

test('[LIB-04 PER-08] a deleted configuration goes at once, and Undo saves it again under its name', async () => {
  await save('Kept', ['SYAZTCSEN1'])
  await save('Gone <b>by mistake</b>', ['CFR', 'SYAZTCSEN0'])
  const page = await open('Gone <b>by mistake</b>')
  await details(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Configuration deleted', { exact: true }).waitFor()
  await button(page, 'View Gone <b>by mistake</b>').or(button(page, 'Close Gone <b>by mistake</b>')).waitFor({ state: 'detached' })
  expect((await saved()).map(({ name }) => name)).toEqual(['Kept'])
  await button(page, 'Undo').click()
  await page.getByText('Configuration restored', { exact: true }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Gone <b>by mistake</b>' }).first().waitFor()
  expect(await saved()).toMatchObject([
    { name: 'Gone <b>by mistake</b>', device: 'CR2700', commands: ['CFR', 'SYAZTCSEN0'] },
    { name: 'Kept' },
  ])
})

test('one that somebody else has deleted says so, and goes from the list', async () => {
  await save('Gone', ['SYAZTCSEN1'])
  const page = await open('Gone')
  await stack.sql('delete from saved_configuration')
  await details(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No saved configurations.').waitFor()
  await page
    .getByText(/no such configuration|not found/i)
    .first()
    .waitFor()
})

test('[LIB-05] of a device that is not supported the row says so, and what is deleted can be restored', async () => {
  await saveForeign('Legacy wristband')
  const page = await open('Legacy wristband')
  await details(page).getByText('config not supported for device', { exact: true }).waitFor()
  expect(await listed(page)).toEqual(['00Reset (CFR) FirstCFR', '01Not in the catalogueSYAZTCSEN1'])
  expect(await details(page).getByRole('link').count()).toBe(0)
  await details(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No saved configurations.').waitFor()
  expect(await saved()).toEqual([])
  await button(page, 'Undo').click()
  await button(page, 'View Legacy wristband').or(button(page, 'Close Legacy wristband')).waitFor()
})

test('[MAY-01] what was deleted is listed below the library, and restored from there with its versions', async () => {
  await save('Wristband', ['SYAZTCSEN1'])
  const page = await open('Wristband')
  await details(page).getByRole('button', { name: 'Delete' }).click()
  const deleted = page.getByRole('region', { name: 'Deleted configurations (1)' })
  await deleted.getByText(/^Wristband$/).waitFor()
  await deleted.getByText('A deleted configuration can be restored for 30 days.').waitFor()
  await save('Wristband', ['SYAZTCSEN0'])
  await page.reload()
  await button(page, 'Restore Wristband').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await button(page, 'Restore Wristband').click()
  await button(page, 'View Wristband (2)').or(button(page, 'Close Wristband (2)')).waitFor()
  await deleted.waitFor({ state: 'detached' })
  expect((await saved()).map(({ name }) => name).sort()).toEqual(['Wristband', 'Wristband (2)'])
})

test('[MAY-01] who did not make a configuration, and may not manage the library, is offered no change of it', async () => {
  await save('Wristband', ['SYAZTCSEN1'])
  const page = await pages.open(path, member)
  await button(page, 'View Wristband').click()
  await details(page).getByRole('button', { name: 'Compare' }).waitFor()
  expect(
    await details(page)
      .getByRole('button', { name: /Delete|Rename|Restore/ })
      .count(),
  ).toBe(0)
})

test('[LIB-07] with nothing saved the library leads to the builder', async () => {
  const page = await pages.open(path)
  await page.getByText('No saved configurations.', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Make a new one', exact: true }).click()
  await page.waitForURL(`${stack.url}/codedm/create-configuration`)
})

test('[PER-08] somebody without an organization sees no library, and no call for one is made', async () => {
  const called: string[] = []
  const page = await pages.open(path, staff, (fresh) => {
    fresh.on('request', (request) => called.push(new URL(request.url()).pathname))
  })
  await page.getByRole('heading', { level: 1, name: 'No organization' }).waitFor()
  expect(called).toContain('/api/lectern/users/current')
  expect(called.filter((each) => each.includes('/configuration'))).toEqual([path])
})

test('the list is searched by name and device, and narrowed to one device', async () => {
  await save('Wristband', ['SYAZTCSEN1'])
  await save('Vial label', ['SYAZTCSEN1'], 'CR1100')
  const page = await pages.open(path)
  const search = page.getByRole('searchbox', { name: 'Search configurations' })
  await search.fill('1100')
  await page.getByText('1 of 2 configurations').waitFor()
  expect(await names(page)).toEqual(['Vial label'])
  await page.waitForURL(`**${path}?search=1100`)
  await page.reload()
  await page.getByText('1 of 2 configurations').waitFor()
  await page.getByRole('combobox', { name: 'Device' }).click()
  await page.getByRole('option', { name: 'CR2700' }).click()
  await page.getByText('No configuration matches.').waitFor()
  await page.waitForURL(`**${path}?search=1100&device=CR2700`)
  await button(page, 'Show all').click()
  await page.getByText('2 configurations', { exact: true }).waitFor()
  await page.waitForURL(`**${path}`)
})

test('a comparison leaves the search as it is', async () => {
  await save('Wristband', ['SYAZTCSEN1'])
  await save('Vial label', ['SYAZTCSEN1'], 'CR1100')
  const page = await pages.open(`${path}?search=label`)
  await page.getByText('1 of 2 configurations').waitFor()
  await button(page, 'Compare').click()
  await page.getByRole('combobox', { name: 'First configuration' }).waitFor()
  await page.getByText('1 of 2 configurations').waitFor()
  await button(page, 'Close the comparison').click()
  await page.waitForURL(`**${path}?search=label`)
})

describe('comparing two configurations', () => {
  test('shows option by option what each sets, and commands that the catalogue does not know as they are', async () => {
    await save('Old', ['CFR', 'SYAZTCSEN1', ...volumeLow, 'ZZZZSAB1'])
    await save('New', ['SYAZTCSEN0', ...volumeLow, 'ZZZZSAB1', 'ZZZZSAC1'])
    const page = await open('Old')
    await details(page).getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('combobox', { name: 'Second configuration' }).click()
    await page.getByRole('option', { name: 'New (CR2700)' }).click()
    await compared(page).waitFor()
    expect(await compared(page).getByRole('columnheader').allTextContents()).toEqual(['Option', 'Old', 'New', 'Difference'])
    const volume = ['Beep volume', 'Low Evidence: Guide', 'Low Evidence: Guide', 'Same']
    const known = ['ZZZZSAB1 not in the catalogue', 'Sent', 'Sent', 'Same']
    const differences = [
      ['Reset (CFR) First', 'Yes Evidence: Guide', 'No', 'Different'],
      ['Aztec', 'On Evidence: Listing', 'Off Evidence: Guide', 'Different'],
      ['ZZZZSAC1 not in the catalogue', 'Not sent', 'Sent', 'Different'],
    ]
    expect(await comparedLines(page)).toEqual([differences[0], volume, differences[1], known, differences[2]])
    await page.getByText('3 of 5 differ').waitFor()
    await page.getByRole('checkbox', { name: 'Only differences' }).check()
    expect(await comparedLines(page)).toEqual(differences)
    await page.reload()
    await compared(page).waitFor()
    await button(page, 'Close the comparison').click()
    await compared(page).waitFor({ state: 'detached' })
    expect([...new URL(page.url()).searchParams.keys()]).toEqual(['open'])
  })

  test('goes across devices, and says when both set the same', async () => {
    await save('Same', ['SYAZTCSEN1'])
    await save('Same', ['SYAZTCSEN1'], 'CR1100')
    const page = await pages.open(path)
    await button(page, 'Compare').click()
    for (const [label, name] of [
      ['First', 'Same (CR2700)'],
      ['Second', 'Same (CR1100)'],
    ] as const) {
      await page.getByRole('combobox', { name: `${label} configuration` }).click()
      await page.getByRole('option', { name }).click()
    }
    await page.getByText('No differences, for CR2700 and CR1100').waitFor()
    await page.getByRole('checkbox', { name: 'Only differences' }).check()
    await page.getByText('They set the same.').waitFor()
  })
})

test('when the library cannot be loaded, the page says so and tries again', async () => {
  const page = await pages.open('/codedm')
  await page.route('**/library', (route) => route.fulfill({ status: 500, json: { status: 500, title: 'Out of order' } }))
  await page.getByRole('link', { name: 'Library', exact: true }).click()
  await page.getByText('Error loading the saved configurations').waitFor()
  await page.unroute('**/library')
  await button(page, 'Try Again').click()
  await page.getByText('No saved configurations.').waitFor()
})

test('axe finds nothing in any state, in either look', async () => {
  await save('Wristband', ['CFR', ...volumeLow, 'ZZZZSAB1'])
  await save('Other', ['SYAZTCSEN1'])
  await saveForeign('Legacy wristband')
  const page = await pages.open(path)
  await button(page, 'View Wristband').click()
  await details(page).getByRole('img').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await button(page, 'View Legacy wristband').click()
  await details(page).getByText('config not supported for device').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  const ids = Object.fromEntries((await api('listLibrary', { params: { organizationId } })).map(({ name, id }) => [name, id]))
  const pair = new URLSearchParams({ compare: '', a: ids.Wristband ?? '', b: ids.Other ?? '' })
  await showInApp(page, `${path}?${pair}`)
  await page.getByText(/^\d of \d differ$/).waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await stack.sql('delete from saved_configuration')
  await showInApp(page, path)
  await page.getByText('No saved configurations.').waitFor()
  expect(await axeInLooks(page)).toEqual([])
})
