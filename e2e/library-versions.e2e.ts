import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { manager, northfield, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const path = '/codedm/configuration-library'
const params = { organizationId: northfield }
const { stack, pages } = await stackForFile(startStack())
const api = await stack.api(manager)
beforeEach(() => stack.sql('delete from saved_configuration'))

const save = async (name: string, commands: string[]) =>
  (await api('createLibraryEntry', { params, body: { name, device: 'CR2700', content: { kind: 'commands', commands } } })).id
const saveCfg = async (name: string, ...texts: string[]) => {
  const [text = '', ...later] = texts
  const { id } = await api('createLibraryEntry', { params, body: { name, device: 'CR2700', content: { kind: 'cfg', text } } })
  for (const next of later) await api('addLibraryVersion', { params: { ...params, id }, body: { content: { kind: 'cfg', text: next } } })
  return id
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const details = (page: Page) => page.locator('.saved-details')
const lines = (page: Page) => page.locator('.text-comparison li').allTextContents()

test('[NAM-04] the open entry has an address; an earlier version is shown, compared line by line, and restored', async () => {
  const id = await saveCfg('Golden', '<cfg>\n<a>1</a>\n</cfg>', '<cfg>\n<a>2</a>\n</cfg>')
  const page = await pages.open(`${path}?open=${id}&version=1`)
  await details(page).getByText('<a>1</a>').waitFor()
  await details(page).getByText('1 of 2').waitFor()
  // Within a table the chosen version once had no width and could not be read.
  await page
    .getByRole('combobox', { name: 'Version' })
    .getByText(/^Version 1, /)
    .waitFor()
  await button(page, 'Compare').last().click()
  await page.getByText('2 lines differ. − is only in Golden, version 1, + only in Golden.').waitFor()
  expect(await lines(page)).toEqual([
    '@Line 1, and 1',
    ' <cfg>',
    '−Only in the first: <a>1</a>',
    '+Only in the second: <a>2</a>',
    ' </cfg>',
  ])
  expect(await axeInLooks(page)).toEqual([])
  await button(page, 'Restore version 1').click()
  await page.getByText('Golden has it as version 3.').first().waitFor()
  await details(page).getByText('<a>1</a>').waitFor()
  expect(await api('getLibraryEntry', { params: { ...params, id } })).toMatchObject({ version: 3 })
})

test('a row opens and closes by a click anywhere in it, and stays open for clicks on what it holds; a later version is named', async () => {
  await saveCfg('Golden', '<a>1</a>', '<a>2</a>')
  const page = await pages.open(path)
  const row = page.getByRole('row').filter({ hasText: 'Golden' }).first()
  await row.getByText('Version 2', { exact: true }).waitFor()
  await row.getByText('CR2700').click()
  await details(page).getByText('<a>2</a>').click()
  await button(page, 'Close Golden').waitFor()
  await row.getByText('Golden').first().click()
  await details(page).waitFor({ state: 'detached' })
})

test('[NAM-04] an entry is renamed, gets a new version, and is found by an option inside', async () => {
  const id = await saveCfg('Golden', '<cfg>1</cfg>')
  await save('Plain', ['SYAZTCSEN1'])
  const page = await pages.open(`${path}?open=${id}`)
  await button(page, 'Rename or note').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ward 3')
  await page.getByRole('textbox', { name: /^Note/ }).fill('Wristbands')
  await button(page, 'Save').click()
  await details(page).getByText('Wristbands').waitFor()
  await button(page, 'New version').click()
  await page.getByRole('textbox', { name: 'CFG text' }).fill('<cfg>2</cfg>')
  await button(page, 'Save').click()
  await details(page).getByText('<cfg>2</cfg>').waitFor()
  expect(await api('getLibraryEntry', { params: { ...params, id } })).toMatchObject({ name: 'Ward 3', note: 'Wristbands', version: 2 })
  await page.getByRole('searchbox', { name: 'Search configurations' }).fill('aztec')
  await page.getByText('1 of 2 configurations').waitFor()
  await button(page, 'View Plain').waitFor()
})

test('[NAM-01] a text is saved in the library', async () => {
  const page = await pages.open(path)
  await button(page, 'Save a text').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Golden')
  await page.getByRole('textbox', { name: 'Text' }).fill('<cfg>1')
  await button(page, 'Save').click()
  await page
    .getByText(/must end with/)
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'Text' }).fill('<cfg>1</cfg>')
  await button(page, 'Save').click()
  await button(page, 'View Golden').waitFor()
})

test('[NAM-02] an entry is published to a zone from the library; the comparison then has what the zone runs', async () => {
  await save('Ward 3', ['CFR', 'SYAZTCSEN1'])
  const other = await save('Other', ['SYAZTCSEN0'])
  const zone = await api('createZone', { params: { ...params, location: 'Library ward' } })
  const page = await pages.open(path)
  await button(page, 'View Ward 3').click()
  await page.getByRole('link', { name: 'Publish to zones' }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForURL((url) => url.search === '')
  await page.getByRole('combobox', { name: 'Zone' }).click()
  await page.getByRole('option', { name: 'Library ward' }).click()
  await button(page, 'Next').click()
  await page.getByRole('radio', { name: 'From the library' }).waitFor()
  expect(await page.getByRole('radio', { name: 'From the library' }).isChecked()).toBe(true)
  await page.getByRole('combobox', { name: 'Saved configuration' }).getByText('Ward 3').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  const [entry] = await api('listLibrary', { params, query: { textFilter: 'Ward' } })
  const place = { ...params, location: zone.id, device: 'CR2700' as const }
  await api('publishLibraryVersion', { params: place, body: { configurationId: entry!.id, version: 1, when: 'now' } })
  const pair = new URLSearchParams({ compare: 'yes', a: other, b: `zone.${zone.id}.CR2700` })
  const compared = await pages.open(`${path}?${pair}`)
  await compared.getByText('2 of 2 differ').waitFor()
  const heads = await compared.getByRole('region', { name: 'Comparison' }).getByRole('columnheader').allTextContents()
  expect(heads).toEqual(['Option', 'Other', 'Library ward: Ward 3, version 1', 'Difference'])
})

test('[NAM-02] the builder publishes to zones: what is not saved is saved under a name first, and the wizard has that version', async () => {
  const chosen = new URLSearchParams({ config: JSON.stringify(['SYAZTCSEN1']) })
  const page = await pages.open(`/codedm/create-configuration/CR2700?${chosen}`)
  await button(page, 'Publish to zones').click()
  const dialog = page.getByRole('dialog', { name: 'Save before publishing' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('From the builder')
  expect(await axeInLooks(page)).toEqual([])
  await button(page, 'Save and choose zones').click()
  const isChosen = async (one: Page) => {
    await one.waitForURL((url) => url.pathname === '/codedm/apply-config' && url.search === '')
    await one.getByRole('checkbox', { name: 'CR2700', checked: true }).waitFor()
  }
  await isChosen(page)
  expect(await api('listLibrary', { params, query: { textFilter: 'builder' } })).toMatchObject([{ name: 'From the builder', version: 1 }])
  const again = await pages.open(`/codedm/create-configuration/CR2700?${chosen}`)
  await button(again, 'Publish to zones').click()
  await isChosen(again)
  expect(await api('listLibrary', { params, query: { textFilter: 'builder' } })).toHaveLength(1)
})
