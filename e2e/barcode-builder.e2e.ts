import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  box,
  builderScreen,
  categories,
  choose,
  chooser,
  field,
  format,
  generate,
  next,
  options,
  untilLines,
} from './support/screens/builder-screen.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'

const { url, visit, build } = await builderScreen()
const supported = ['CR1100', 'CR2700', 'CR1500', 'CR5200', '1500DPM', 'CR8200', 'CR950']

describe('choosing the device', () => {
  test('[BLD-01 BLD-02] Next leads a supported device to its builder, and is of no use before one is chosen', async () => {
    const page = await visit(chooser)
    await page.getByRole('heading', { level: 1, name: 'Create a Device Configuration', exact: true }).waitFor()
    await page.getByText('Configure', { exact: true }).and(page.locator('.page-head-intro')).waitFor()
    expect(await page.getByRole('combobox', { name: 'Device' }).textContent()).toBe('Device')
    expect(await next(page).getAttribute('aria-disabled')).toBe('true')
    await choose(page, 'Device', 'V4500')
    await page.getByText('V4500 is not configured by a printed barcode.').waitFor()
    expect(await next(page).getAttribute('aria-disabled')).toBe('true')
    await next(page).click({ force: true })
    expect(new URL(page.url()).pathname).toBe(chooser)
    await choose(page, 'Device', 'CR2700')
    await next(page).click()
    await page.waitForURL(`**${chooser}/CR2700`)
    await page.getByText('Configure CR2700.').waitFor()
  })

  test('[BLD-03] each supported device has a builder', async () => {
    const page = await visit(chooser)
    for (const device of supported) {
      await showInApp(page, `${chooser}/${device}?show=symbologies`)
      await page.getByText(`Configure ${device}.`).waitFor()
      await format(page).waitFor()
      expect(new URL(page.url()).pathname).toBe(`${chooser}/${device}`)
    }
  })

  test('[BLD-03 BLD-04] what is no supported device leads back to the choice of one', async () => {
    const page = await visit('/codedm')
    for (const device of ['V4500', 'A271%2F2', 'CR900FD', 'cr2700']) {
      await showInApp(page, `${chooser}/${device}`)
      await page.waitForURL(`${url}${chooser}`)
      await page.getByRole('combobox', { name: 'Device' }).waitFor()
    }
  })
})

describe('what is shown', () => {
  test('[BLD-05 BLD-06 BLD-11] categories at the left, sections of options in the middle, about 25 groups of symbologies', async () => {
    const page = await build('communications')
    const names = await categories(page).getByRole('button').allInnerTexts()
    expect(names).toEqual([
      'Communications',
      'Custom Prefix and Suffix',
      'Scanner Functions',
      'Input Encoding and Output Conversion',
      'Simple Data Formatting',
      'Symbologies',
    ])
    expect(await options(page).getByRole('heading').allInnerTexts()).toContain('Keyboard')
    await categories(page).getByRole('button', { name: 'Symbologies' }).click()
    const groups = categories(page).getByRole('region', { name: 'Symbologies' }).getByRole('button')
    await groups.first().waitFor()
    expect(await groups.count()).toBeGreaterThanOrEqual(22)
    expect(await groups.count()).toBeLessThanOrEqual(28)
    await groups.getByText('Data Matrix').click()
    await page.getByRole('heading', { name: 'Data Matrix', exact: true }).waitFor()
    await box(page, 'Data Matrix').waitFor()
  })

  test('a window 900 pixels high has no scroll bar beside those of the columns', async () => {
    const page = await build('communications')
    expect(await page.evaluate(() => [innerHeight, document.documentElement.scrollHeight])).toEqual([900, 900])
  })

  test('[BLD-13 BLD-14] a device has its own options only; sections and groups without any are not there', async () => {
    const own = await build('communications', { device: 'CR2700' })
    const headings = (page: Page) => options(page).getByRole('heading').allInnerTexts()
    expect(await headings(own)).toContain('Bluetooth and charging base')
    expect(await headings(own)).not.toContain('RS-232')
    const other = await build('communications', { device: 'CR1100' })
    expect(await headings(other)).toContain('RS-232')
    expect(await headings(other)).not.toContain('Bluetooth and charging base')
    const small = await build('aztec', { device: 'CR950' })
    expect(await categories(small).getByRole('button', { name: 'Aztec' }).count()).toBe(1)
    expect(await categories(small).getByRole('button', { name: 'MaxiCode' }).count()).toBe(0)
  })

  test('an option without a public command cannot be chosen and says why; every option says how well its command is known', async () => {
    const page = await build('code-128')
    expect(await field(page, 'Code 128 maximum length').isDisabled()).toBe(true)
    const row = page.locator('#option-code-128-maximum-length')
    await row.getByText('Lectern does not know the command for this length.').waitFor()
    expect(await page.locator('.option-head').allInnerTexts()).toEqual([expect.stringMatching(/^Option\s+Evidence\s+Command$/)])
    expect(await row.locator('.evidence-word').textContent()).toMatch(/Unknown$/)
    expect(await page.locator('#option-code-128 .evidence-word').textContent()).toMatch(/Guide$/)
    expect(await page.locator('#option-code-128-minimum-length .evidence-word').textContent()).toMatch(/Operator$/)
    await options(page).getByText('The maker’s published guide has the command.').waitFor()
    const other = await build('code-128', { device: '1500DPM' })
    expect(await other.locator('#option-code-128 .evidence-word').textContent()).toMatch(/Inferred$/)
  })

  test('[BLD-22] an option of several values says "Not implemented"', async () => {
    const page = await build('code-128')
    await page.locator('#option-code-128-site-list').getByText('Not implemented').waitFor()
  })
})

describe('choosing options', () => {
  test('[BLD-07 BLD-12 BLD-16 BLD-17] more than three choices are a dropdown; "No change" takes the choice back', async () => {
    const page = await build('scanner-functions')
    const volume = page.getByRole('combobox', { name: 'Beep volume', exact: true })
    expect(await volume.textContent()).toBe('No change')
    await volume.click()
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['No change', 'Low', 'Medium', 'High', 'Off'])
    await page.getByRole('option', { name: 'Low' }).click()
    await untilLines(page, ['01 Beep volume: Low FBGRSVO3 FBCBSVO3 FBCMSVO3 FBERSVO3'])
    await choose(page, 'Beep volume', 'No change')
    await untilLines(page, [])
  })

  test('[BLD-16 BLD-17] three choices or fewer are radio buttons, with "No change"', async () => {
    const page = await build('data-matrix')
    const group = page.getByRole('group', { name: 'Data Matrix polarity' })
    expect(await group.getByRole('radio').count()).toBe(3)
    expect(await group.getByRole('radio', { name: 'No change' }).isChecked()).toBe(true)
    await group.getByRole('radio').nth(1).check()
    await format(page).getByRole('listitem').getByText('Data Matrix polarity').waitFor()
    await group.getByRole('radio', { name: 'No change' }).check()
    await untilLines(page, [])
  })

  test('[BLD-15] a switch with both commands goes from unset to on, to off, to unset', async () => {
    const page = await build('aztec')
    const aztec = box(page, 'Aztec')
    expect(await aztec.getAttribute('aria-checked')).toBe('mixed')
    await aztec.click()
    await untilLines(page, ['01 Aztec: On SYAZTCSEN1'])
    expect(await aztec.getAttribute('aria-checked')).toBe('true')
    await aztec.click()
    await untilLines(page, ['01 Aztec: Off SYAZTCSEN0'])
    expect(await aztec.getAttribute('aria-checked')).toBe('false')
    await aztec.click()
    await untilLines(page, [])
    expect(await aztec.getAttribute('aria-checked')).toBe('mixed')
  })

  test('[BLD-18 BLD-19 BLD-20] a number stands in its command, a new one takes its place, none removes it; 0 is the least', async () => {
    const page = await build('scanner-functions', { device: 'CR1500' })
    const delay = field(page, 'Scan delay with motion')
    await delay.fill('250')
    await untilLines(page, ['01 Scan delay with motion: 250 ms RDSTSSD250 CDVASBD1'])
    await delay.fill('1000000000')
    await untilLines(page, ['01 Scan delay with motion: 1000000000 ms RDSTSSD1000000000 CDVASBD1'])
    await delay.fill('0')
    await untilLines(page, ['01 Scan delay with motion: None RDSTSSD0'])
    await delay.fill('-1')
    await page.getByText('The value must be 0 or more.').waitFor()
    expect(await delay.getAttribute('aria-invalid')).toBe('true')
    await format(page).getByText('Not sent: must be 0 or more').waitFor()
    expect(await generate(page).getAttribute('aria-disabled')).toBe('true')
    await delay.fill('many')
    await page.getByText('The value must be a whole number.').waitFor()
    await delay.fill('')
    await untilLines(page, [])
    expect(await delay.getAttribute('aria-invalid')).toBeNull()
  })

  test('[BLD-20] a decode length whose command comes from CATALOGUE_FILE has the minimum 0 and no maximum', async () => {
    const page = await build('code-128')
    const minimum = field(page, 'Code 128 minimum length')
    await minimum.fill('0')
    await untilLines(page, ['01 Code 128 minimum length: 0 characters SYC128SMN0'])
    await minimum.fill('1000000')
    await untilLines(page, ['01 Code 128 minimum length: 1000000 characters SYC128SMN1000000'])
    await minimum.fill('-1')
    await page.getByText('The value must be 0 or more.').waitFor()
  })

  test('[BLD-18 BLD-19] a text stands in its command with what could end it escaped; presets and control characters go in by name', async () => {
    const page = await build('prefix-suffix')
    const suffix = field(page, 'Suffix')
    await suffix.fill('a"/b')
    await untilLines(page, ['01 Suffix: a"/b CDOPSSX"a/22/2fb" CDOPSFO1'])
    await choose(page, 'Suffix, presets', 'Comma')
    await untilLines(page, ['01 Suffix: Comma CDOPSSX"," CDOPSFO1'])
    await choose(page, 'Suffix, insert a control character', '␉ Tab')
    await untilLines(page, ['01 Suffix: ,␉ CDOPSSX",/09" CDOPSFO1'])
    expect(await suffix.inputValue()).toBe(',␉')
    await suffix.fill('€')
    await page.getByText('"€" cannot be sent to a reader. Use Latin-1 characters only.', { exact: true }).waitFor()
    await suffix.fill('')
    await untilLines(page, [])
  })

  test('a switch with one command is on or unchanged', async () => {
    const page = await build('gocode')
    const gocode = page.getByRole('checkbox', { name: 'GoCode, mirror images included: On' })
    expect(await gocode.isChecked()).toBe(false)
    await gocode.check()
    await format(page).getByText('GoCode, mirror images included: On').waitFor()
    await gocode.uncheck()
    await untilLines(page, [])
  })

  test('options that set the same to different values are named before printing', async () => {
    const page = await build('data-formatting')
    await choose(page, 'Data conversion', 'None')
    await categories(page).getByRole('button', { name: 'Custom Prefix and Suffix' }).click()
    await field(page, 'Prefix').fill('AB')
    await format(page)
      .getByText('"Prefix: AB" and "Data conversion: None" set CDOPFO to different values; the reader keeps the second.')
      .waitFor()
    expect(await generate(page).getAttribute('aria-disabled')).toBeNull()
  })
})
