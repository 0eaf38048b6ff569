import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import {
  box,
  builderScreen,
  choose,
  chooser,
  field,
  format,
  generate,
  next,
  options,
  readConfigParameter,
  untilLines,
} from './support/screens/builder-screen.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'

const { url, visit, build } = await builderScreen()
const reset = (page: Page) => format(page).getByRole('checkbox', { name: 'Reset (CFR) First' })

describe('the configuration', () => {
  test('[BLD-08 BLD-10] Generate Barcode hands the commands on, the reset first; Back and a reload find the choices', async () => {
    const page = await build('aztec')
    expect(await generate(page).getAttribute('aria-disabled')).toBe('true')
    await box(page, 'Aztec').click()
    await reset(page).check()
    await generate(page).click()
    await page.waitForURL(`**${chooser}/CR2700/success?**`)
    expect(readConfigParameter(page)).toEqual(['CFR', 'SYAZTCSEN1'])
    await page.goBack()
    await untilLines(page, ['01 Aztec: On SYAZTCSEN1'])
    expect(await reset(page).isChecked()).toBe(true)
    await page.reload()
    await untilLines(page, ['01 Aztec: On SYAZTCSEN1'])
    expect(await box(page, 'Aztec').getAttribute('aria-checked')).toBe('true')
    await reset(page).uncheck()
    await generate(page).click()
    await page.waitForURL(`**${chooser}/CR2700/success?**`)
    expect(readConfigParameter(page)).toEqual(['SYAZTCSEN1'])
  })

  test('[BLD-09] where nothing is chosen there is nothing to clear and nothing to publish', async () => {
    const page = await build('aztec')
    const clear = format(page).getByRole('button', { name: 'Clear', exact: true })
    const publish = page.getByRole('button', { name: 'Publish to zones' })
    for (const button of [clear, publish]) expect(await button.getAttribute('aria-disabled')).toBe('true')
    await box(page, 'Aztec').click()
    for (const button of [clear, publish]) await expect.poll(() => button.getAttribute('aria-disabled')).toBeNull()
  })

  test('[BLD-10] Back leads to the choice of the device, and Next from there to what was chosen', async () => {
    const page = await build('aztec', { commands: ['SYAZTCSEN1'] })
    await page.getByRole('link', { name: 'Back' }).click()
    await page.waitForURL(`${url}${chooser}`)
    await next(page).click()
    await untilLines(page, ['01 Aztec: On SYAZTCSEN1'])
  })

  test('[BLD-09] Clear empties all selections, and can be taken back', async () => {
    const page = await build('aztec', { commands: ['CFR', 'SYAZTCSEN1', 'FBGRSVO3', 'FBCBSVO3', 'FBCMSVO3', 'FBERSVO3', 'ZZZZSAB1'] })
    expect(await format(page).getByRole('listitem').count()).toBe(3)
    await format(page).getByRole('button', { name: 'Clear', exact: true }).click()
    await untilLines(page, [])
    expect(await reset(page).isChecked()).toBe(false)
    expect(await box(page, 'Aztec').getAttribute('aria-checked')).toBe('mixed')
    await page.waitForFunction(() => !location.search.includes('config'))
    await format(page).getByRole('button', { name: 'Undo clear' }).click()
    await format(page).getByText('Aztec: On').waitFor()
    expect(await format(page).getByRole('listitem').count()).toBe(3)
    expect(await reset(page).isChecked()).toBe(true)
  })

  test('a link opens its choices; commands that are no option stay, and are sent', async () => {
    const page = await build('aztec', { commands: ['SYAZTCSEN0', 'ZZZZSAB1', 'SYAZTCSEN1'] })
    await untilLines(page, ['01 Aztec: On SYAZTCSEN1', '02 Not in the catalogue ZZZZSAB1'])
    await page.getByText(/^1 command without effect left out.*SYAZTCSEN0$/).waitFor()
    await generate(page).click()
    await page.waitForURL('**/success?**')
    expect(readConfigParameter(page)).toEqual(['SYAZTCSEN1', 'ZZZZSAB1'])
    await page.goBack()
    await format(page).getByRole('button', { name: 'Remove ZZZZSAB1' }).click()
    await untilLines(page, ['01 Aztec: On SYAZTCSEN1'])
  })

  test('a link whose configuration is no list, or none of texts, says so and opens empty', async () => {
    const page = await visit(chooser)
    for (const commands of [{ a: 1 }, [1]]) {
      await showInApp(page, `${chooser}/CR2700?${new URLSearchParams({ show: 'aztec', config: JSON.stringify(commands) })}`)
      await page.getByText('The configuration in the address could not be read, so nothing is chosen.').waitFor()
      await untilLines(page, [])
    }
  })

  test('what is no command at all cannot become a barcode', async () => {
    const page = await build('aztec', { commands: ['hello'] })
    await format(page)
      .getByRole('alert')
      .getByText(/"hello" cannot be sent/)
      .waitFor()
    expect(await generate(page).getAttribute('aria-disabled')).toBe('true')
  })

  test('the panel says how full the symbol is, and how many a large configuration takes', async () => {
    const page = await build('prefix-suffix', { commands: ['SYAZTCSEN1'] })
    await format(page).getByText('16 of 2,953 bytes').waitFor()
    await format(page).getByRole('img', { name: 'Live preview of the barcode' }).waitFor()
    await format(page).getByText('21 × 21 modules').waitFor()
    await field(page, 'Prefix').fill('p'.repeat(2000))
    await field(page, 'Suffix').fill('s'.repeat(2000))
    await format(page).getByText('2 symbols', { exact: true }).waitFor()
    await field(page, 'Suffix').fill('s'.repeat(3000))
    await format(page).getByRole('alert').waitFor()
    expect(await generate(page).getAttribute('aria-disabled')).toBe('true')
  })
})

test('with the keyboard alone an option is found, chosen, and made a barcode', async () => {
  const page = await build('communications')
  const search = page.getByRole('searchbox', { name: 'Find an option' })
  await search.focus()
  await page.keyboard.type('volume')
  await page.getByRole('heading', { name: '1 option found' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('region', { name: 'Found options' }).locator('button:focus').waitFor()
  await page.keyboard.press('Enter')
  const volume = page.getByRole('combobox', { name: 'Beep volume', exact: true })
  await page.waitForFunction(() => document.activeElement?.closest('#option-beep-volume') !== null)
  await page.keyboard.press('Enter')
  await page.locator('[role=option][data-highlighted]').waitFor()
  await page.keyboard.type('hi')
  await page.locator('[role=option][data-highlighted]', { hasText: 'High' }).waitFor()
  await page.keyboard.press('Enter')
  await untilLines(page, ['01 Beep volume: High FBGRSVO100 FBCBSVO100 FBCMSVO100 FBERSVO100'])
  expect(await volume.textContent()).toBe('High')
  await generate(page).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/success?**')
})

test('a search goes over names, choices, places, commands and setting codes, and says when nothing matches', async () => {
  const page = await build('communications')
  const search = page.getByRole('searchbox', { name: 'Find an option' })
  const found = page.getByRole('region', { name: 'Found options' })
  for (const text of ['code 128 minimum', 'SYC128SMN', 'symbologies minimum code 128']) {
    await search.fill(text)
    await found.getByRole('button', { name: /^Code 128 minimum length/ }).waitFor()
  }
  await search.fill('no such thing')
  await found.getByText('No option of this reader matches “no such thing”.').waitFor()
  await search.press('Escape')
  await options(page).waitFor()
})

test('when the options cannot be loaded, the page says so and tries again', async () => {
  const page = await visit(chooser)
  await page.route('**/api/codedm/catalogue', (route) => route.fulfill({ status: 500, json: { status: 500, title: 'Out of order' } }))
  await choose(page, 'Device', 'CR2700')
  await next(page).click()
  await page.getByText('Error loading the options').waitFor()
  await page.unroute('**/api/codedm/catalogue')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await format(page).waitFor()
})

test('axe finds nothing in any state, in either look', async () => {
  const page = await visit(chooser)
  await page.getByRole('combobox', { name: 'Device' }).waitFor()
  expect(await axeInLooks(page)).toEqual([])
  const config = JSON.stringify(['CFR', 'CDOPSPX"A"', 'CDOPSFO1', 'CDOPSFO0', 'ZZZZSAB1', 'hello'])
  for (const show of ['prefix-suffix', 'code-128', 'communications']) {
    await showInApp(page, `${chooser}/CR2700?${new URLSearchParams({ config, show })}`)
    await options(page).waitFor()
    expect(await axeInLooks(page)).toEqual([])
  }
  await page.getByRole('searchbox', { name: 'Find an option' }).fill('code')
  await page.getByRole('region', { name: 'Found options' }).waitFor()
  expect(await axeInLooks(page)).toEqual([])
})
