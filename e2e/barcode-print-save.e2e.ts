import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { manager, northfield, staff, startStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { bytesIn, pixelsOfPng, sheetPath, toBytes } from './support/symbol-reading.ts'

const { stack, pages } = await stackForFile(startStack())

const commands = ['CFR', 'FBGRSVO20', 'FBCBSVO20', 'FBCMSVO20', 'FBERSVO20', 'SYAZTCSEN1', 'ZZZZSAB1']
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Save configuration' })
const isRefused = async (page: Page, name: string) => (await button(page, name).getAttribute('aria-disabled')) === 'true'

/** Opens the sheet of some commands and waits until its symbols have been read back. */
async function open(config: unknown = commands, account = manager): Promise<Page> {
  const page = await pages.open(sheetPath('CR2700', config), account)
  await page.getByText('Reads back exactly').waitFor()
  return page
}

test('[PRN-01 PRN-02] shows device, options with their commands and the barcode; the description leads to the library', async () => {
  const page = await open()
  await page.getByRole('heading', { level: 1, name: 'Print / Save', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'CR2700 configuration' }).waitFor()
  const lines = await page.locator('.print-sheet .option-lines li').allInnerTexts()
  expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual([
    '00 Reset (CFR) First CFR Evidence: Guide',
    expect.stringMatching(/^01 .*Medium FBGRSVO20 FBCBSVO20 FBCMSVO20 FBERSVO20 Evidence: Guide$/),
    expect.stringMatching(/^02 Aztec.*: On SYAZTCSEN1 Evidence: Listing$/),
    '03 Not in the catalogue ZZZZSAB1',
  ])
  await page.getByRole('img', { name: 'Configuration barcode, CR2700, 2 options, 1 other command' }).waitFor()
  await page.getByText('Northfield Regional Health. Generated').waitFor()
  await page.getByRole('link', { name: 'Configuration Library', exact: true }).click()
  await page.waitForURL('**/codedm/configuration-library')
})

test('Back to builder leads to the same selection', async () => {
  const page = await open()
  await page.getByRole('link', { name: 'Back to builder' }).click()
  await page.getByRole('heading', { name: 'Configuration Format' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/codedm/create-configuration/CR2700')
  expect(await page.getByRole('checkbox', { name: 'Reset (CFR) First' }).isChecked()).toBe(true)
  await page.getByText('SYAZTCSEN1').waitFor()
})

describe('[PRN-03] leads back to the builder', () => {
  const refused = [
    ['no JSON', '["CFR"'],
    ['no list', '{"0":"CFR"}'],
    ['a list of other things than strings', '["CFR",1]'],
    ['an empty list', '[]'],
    ['what is no command', '["hello"]'],
    ['a command with a control character', '["SYAZTCSEN1\\u0003CFR"]'],
    ['a reset that undoes what stands before it', '["SYAZTCSEN1","CFR"]'],
  ] as const
  test('from what is no configuration', async () => {
    const page = await pages.open('/codedm/configuration-library')
    const library = page.getByRole('heading', { level: 1, name: 'Configuration Library' })
    await library.waitFor()
    for (const [name, config] of refused) {
      await showInApp(page, sheetPath('CR2700', config))
      await page.waitForURL((url) => url.pathname === '/codedm/create-configuration/CR2700')
      await page.getByRole('heading', { name: 'Configuration Format' }).waitFor()
      await page.goBack()
      await library.waitFor()
      expect(new URL(page.url()).pathname, name).toBe('/codedm/configuration-library')
    }
  })

  test('from an address without a configuration', async () => {
    const page = await pages.open('/codedm/create-configuration/CR2700/success')
    await page.waitForURL((url) => url.pathname === '/codedm/create-configuration/CR2700')
  })

  test('and from a device that takes no barcode to the choice of one', async () => {
    const page = await pages.open(sheetPath('V4500', commands))
    await page.waitForURL((url) => url.pathname === '/codedm/create-configuration')
  })
})

describe('Download', () => {
  test('[PRN-05 LIM-08] saves config.png of the specified size, which another reader reads byte for byte', async () => {
    const page = await open()
    const waiting = page.waitForEvent('download')
    await button(page, 'Download').click()
    const download = await waiting
    expect(download.suggestedFilename()).toBe('config.png')
    const pixels = await pixelsOfPng(download)
    const bytes = toBytes(commands)
    expect({ width: pixels.width, height: pixels.height }).toEqual({ width: 300, height: 350 })
    expect(bytesIn(pixels)).toEqual(bytes)
    const isDark = (y: number) => pixels.data.subarray(y * pixels.width * 4, (y + 1) * pixels.width * 4).some((value) => value < 100)
    const captioned = Array.from({ length: 50 }, (_, row) => row + pixels.height - 50).filter(isDark)
    expect(captioned.length, 'rows of the caption').toBeGreaterThan(8)
    expect(captioned.length, 'rows of the caption').toBeLessThan(22)
  })

  test('a selection too large for one symbol is several, numbered and in order', async () => {
    const large = ['CFR', ...Array.from({ length: 400 }, (_, index) => `ZZZZSAB${index}`)]
    const page = await pages.open(sheetPath('CR2700', large))
    await page.getByText('Reads back exactly').waitFor()
    await page.getByRole('img', { name: /1 of 2, scan in order$/ }).waitFor()
    await page.getByRole('img', { name: /2 of 2, scan in order$/ }).waitFor()
    const downloads: Parameters<typeof pixelsOfPng>[0][] = []
    page.on('download', (download) => downloads.push(download))
    await button(page, 'Download').click()
    await expect.poll(() => downloads.length, { timeout: 60_000 }).toBe(2)
    const files = downloads.toSorted((a, b) => a.suggestedFilename().localeCompare(b.suggestedFilename()))
    expect(files.map((file) => file.suggestedFilename())).toEqual(['config-1.png', 'config-2.png'])
    const read = await Promise.all(files.map(async (file) => bytesIn(await pixelsOfPng(file)) ?? []))
    const first = read[0]!.filter((byte) => byte === 3).length
    expect(read).toEqual([toBytes(large.slice(0, first)), toBytes(large.slice(first))])
  })
})

describe('Save', () => {
  test('[PRN-07 PRN-08] asks for a name, waits for one that is not blank, and the configuration is in the library', async () => {
    const page = await open()
    await button(page, 'Save').click()
    await dialog(page).waitFor()
    const save = dialog(page).getByRole('button', { name: 'Save', exact: true })
    const name = dialog(page).getByRole('textbox', { name: 'Name' })
    expect(await dialog(page).getByRole('button').allInnerTexts()).toEqual(['Cancel', 'Save'])
    expect(await save.isDisabled()).toBe(true)
    await name.fill('  \t ')
    expect(await save.isDisabled()).toBe(true)
    await name.fill('  Wristband v7 ')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await button(page, 'Save').click()
    await name.fill('  Wristband v7 ')
    await save.click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('Configuration saved').first().waitFor()
    await button(page, 'Open the library').click()
    await page.waitForURL('**/codedm/configuration-library?open=*')
    await page.getByRole('row', { name: /Wristband v7.*CR2700/ }).waitFor()
    const saved = await (await stack.api(manager))('listSavedConfigurations', { params: { organizationId: northfield } })
    expect(saved).toMatchObject([{ name: 'Wristband v7', device: 'CR2700', commands }])
  })

  test('a name that is taken is said at the field, which keeps it', async () => {
    const api = await stack.api(manager)
    await api('saveConfiguration', { params: { organizationId: northfield, deviceName: 'CR2700', name: 'Taken' }, body: ['SYAZTCSEN0'] })
    const page = await open()
    await button(page, 'Save').click()
    const name = dialog(page).getByRole('textbox', { name: 'Name' })
    await name.fill('Taken')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('There is already a configuration named "Taken" for the CR2700.').waitFor()
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    expect(await name.inputValue()).toBe('Taken')
  })

  test('[PRN-06] is only there when an organization is known', async () => {
    const page = await open(commands, staff)
    expect(await button(page, 'Print').count()).toBe(1)
    expect(await button(page, 'Save').count()).toBe(0)
  })
})

describe('the self-check', () => {
  const failed = (page: Page) => page.getByRole('alert').filter({ hasText: 'It is therefore neither printed nor downloaded.' })

  async function openTampered(tamper: () => void): Promise<{ page: Page; errors: string[] }> {
    const page = await pages.open('/codedm/configuration-library')
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.addInitScript(tamper)
    await page.goto(`${stack.url}${sheetPath('CR2700', commands)}`)
    await failed(page).waitFor()
    return { page, errors }
  }

  test('[PRN-09] a canvas without a context is an error, and "QR code generation failed" is logged', async () => {
    const { page, errors } = await openTampered(() => {
      HTMLCanvasElement.prototype.getContext = () => null
    })
    expect(errors).toEqual([expect.stringContaining('QR code generation failed')])
    await failed(page).getByText('This browser gives no canvas to draw on.').waitFor()
    expect([await isRefused(page, 'Print'), await isRefused(page, 'Download')]).toEqual([true, true])
  })

  test('[PRN-04] a picture that does not read back is neither printed nor downloaded, not even by the browser’s own command', async () => {
    const { page } = await openTampered(() => {
      const original = CanvasRenderingContext2D.prototype.fillText
      CanvasRenderingContext2D.prototype.fillText = function (this: CanvasRenderingContext2D, text: string, x: number, y: number) {
        original.call(this, text, x, y)
        this.fillRect(60, 60, 120, 120)
      }
    })
    await failed(page).getByText('could not be read back').waitFor()
    expect([await isRefused(page, 'Print'), await isRefused(page, 'Download')]).toEqual([true, true])
    await page.emulateMedia({ media: 'print' })
    await page.getByText('This barcode has not been read back, so it is not printed.').waitFor()
    expect(await page.getByRole('img', { name: /^Configuration barcode/ }).count()).toBe(0)
  })

  test('a drawing for print that says something else is refused', async () => {
    const { page } = await openTampered(() => {
      const original = XMLSerializer.prototype.serializeToString
      XMLSerializer.prototype.serializeToString = function (node: Node) {
        return original.call(this, node).replace(/M\d+ \d+h(\d+)v\1h-\1z/g, '')
      }
    })
    expect(await isRefused(page, 'Print')).toBe(true)
  })
})

describe('looks and hands', () => {
  test('axe finds nothing, in either look', async () => {
    const page = await open()
    await page.getByText('Reads back exactly').waitFor()
    expect(await axeInLooks(page)).toEqual([])
    await button(page, 'Save').click()
    await dialog(page).waitFor()
    expect(await axeInLooks(page)).toEqual([])
  })

  test('[PRN-04] it is printed and saved with the keyboard alone', async () => {
    const page = await open()
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes')
    })
    await button(page, 'Download').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('body[data-printed=yes]').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await dialog(page).waitFor()
    await page.keyboard.type('By keyboard')
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => button(page, 'Save').evaluate((element) => element === document.activeElement)).toBe(true)
  })
})
