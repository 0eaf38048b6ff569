import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloadedBytes } from './support/downloaded.ts'
import { renderPages } from './support/pdf-pages.ts'
import { manager, type Stack, startStack } from './support/processes/stack.ts'
import { box, choose, chooser, format, generate } from './support/screens/builder-screen.ts'
import { bytesIn, toBytes } from './support/symbol-reading.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** The lines that name the options of a configuration, on a sheet or read from one. */
const lines = async (page: Page, within: string): Promise<string[]> => {
  const items = page.locator(`${within} li`)
  await items.first().waitFor()
  return (await items.allInnerTexts()).map((line) => line.replace(/\s+/g, ' ').trim())
}

/** Saves what the sheet shows under a name. */
async function saveAs(page: Page, name: string): Promise<void> {
  await button(page, 'Save').click()
  const dialog = page.getByRole('dialog', { name: 'Save configuration' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Configuration saved').first().waitFor()
}

test('from options to paper, into the library, beside another, and back from the picture: the options stay the same', async () => {
  const page = await stack.page(manager, '/codedm')
  await page.goto(`${stack.url}${chooser}/CR2700?${new URLSearchParams({ show: 'aztec' })}`)
  await format(page).waitFor()
  await box(page, 'Aztec').click()
  await box(page, 'Reset (CFR) First').check()
  await generate(page).click()
  await page.getByText('Reads back exactly').waitFor()
  const commands = ['CFR', 'SYAZTCSEN1']
  const built = await lines(page, '.print-sheet .option-lines')

  const [sheet] = await renderPages(await page.pdf({ format: 'A4' }), 203)
  expect(bytesIn(sheet!)).toEqual(toBytes(commands))
  const waiting = page.waitForEvent('download')
  await button(page, 'Download').click()
  const png = await downloadedBytes(await waiting)
  await saveAs(page, 'Ward 4')

  await page.getByRole('link', { name: 'Back to builder' }).click()
  await format(page).getByText('SYAZTCSEN1').waitFor()
  await format(page).getByRole('button', { name: 'Aztec: On' }).click()
  await box(page, 'Aztec').click()
  await generate(page).click()
  await page.getByText('Reads back exactly').waitFor()
  await saveAs(page, 'Ward 5')
  await button(page, 'Open the library').first().click()
  await page.waitForURL(/\/configuration-library\?open=/)

  // Whichever of the two its message has opened.
  await page.goto(`${stack.url}/codedm/configuration-library`)
  await button(page, 'View Ward 4').click()
  await page.locator('.saved-details').getByRole('button', { name: 'Compare' }).click()
  await choose(page, 'Second configuration', 'Ward 5 (CR2700)')
  const comparison = page.getByRole('region', { name: 'Comparison' })
  await comparison.locator('tbody tr').first().waitFor()
  const compared = await comparison
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)))
  expect(compared).toContainEqual([expect.stringMatching(/^Aztec/), 'On Evidence: Listing', 'Off Evidence: Guide', 'Different'])

  await page.goto(`${stack.url}/codedm/read-configuration`)
  await page.locator('input[type=file]').setInputFiles({ name: 'config.png', mimeType: 'image/png', buffer: png })
  // A barcode does not show for which reader it was built.
  await page.getByRole('combobox', { name: 'Device', exact: true }).click()
  await page.getByRole('option', { name: /^CR1100/ }).click()
  const read = await lines(page, '.option-lines')
  expect(built).toEqual(['00 Reset (CFR) First CFR Evidence: Guide', '01 Aztec: On SYAZTCSEN1 Evidence: Listing'])
  expect(read).toEqual(['00 Reset (CFR) First CFR Evidence: Listing', '01 Aztec: On SYAZTCSEN1 Evidence: Listing'])
  await page.getByRole('link', { name: 'Open in the builder' }).click()
  await format(page).getByText('SYAZTCSEN1').waitFor()
  expect(JSON.parse(new URL(page.url()).searchParams.get('config') ?? '')).toEqual(commands)
})
