import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stack, startStack } from './support/processes/stack.ts'
import { emulatePointerLock } from './support/screens/pointer-lock.ts'
import { button, makeCfg, newZone, select, signedIn } from './support/screens/publish-wizard.ts'

let stack: Stack
let zone: { id: string; name: string }
let open: (path?: string) => Promise<Page>
beforeAll(async () => {
  stack = await startStack()
  zone = await newZone(stack, 'Capture')
  open = signedIn(stack)
})
afterAll(() => stack?.stop())

const box = (page: Page) => page.getByRole('textbox', { name: 'CR2700 configuration text' })
const state = (page: Page, words: string) => page.getByRole('status').getByText(words).waitFor()

/** The page of a model, its box empty and not focused. */
async function capturePage(model: 'CR1500' | 'CR2700' | 'A271/2' | 'V4500' = 'CR2700'): Promise<Page> {
  const page = await open()
  await select(page, zone.name, [model])
  await button(page, 'Next').click()
  await page.getByRole('heading', { name: `Configure ${model}` }).waitFor()
  await page.getByRole('textbox', { name: `${model} configuration text` }).waitFor()
  await emulatePointerLock(page)
  return page
}

/** From now on time passes on the page only by its test clock. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(60_000)
}

test('[CFG-08 CFG-13] what a golden-standard reader types goes into the box, wherever on the page the scan begins', async () => {
  const page = await capturePage()
  await state(page, 'Waiting for the configuration')
  await page.getByRole('radio', { name: /CFG/ }).focus()
  await page.keyboard.type(makeCfg('scan'))
  expect(await box(page).inputValue()).toBe(makeCfg('scan'))
  await state(page, 'Complete')
  await page.getByText(`${makeCfg('scan').length} characters.`).waitFor()
  expect(await button(page, 'Next').getAttribute('aria-disabled')).toBeNull()
})

test('[CFG-13] "<" pressed outside the box clears and focuses it; pressed inside it is only typed', async () => {
  const page = await capturePage()
  await box(page).fill(makeCfg('old'))
  await page.getByRole('heading', { level: 1 }).click()
  await expect.poll(() => box(page).evaluate((element) => element === document.activeElement)).toBe(false)
  await page.keyboard.press('<')
  expect(await box(page).inputValue()).toBe('')
  await expect.poll(() => box(page).evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('<a><b')
  expect(await box(page).inputValue()).toBe('<a><b')
})

test('[INP-03] a second scan replaces the first, whether it ends with Enter or begins outside the box, and Undo brings it back', async () => {
  const page = await capturePage()
  await box(page).focus()
  await stopClock(page)
  const scan = async (text: string) => {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await page.clock.runFor(2_000)
  }
  await scan(makeCfg('first'))
  await scan(makeCfg('second'))
  expect(await box(page).inputValue()).toBe(`${makeCfg('second')}\n`)
  await state(page, 'Complete')
  await state(page, 'The new scan replaces what was here.')
  await button(page, 'Undo').click()
  expect(await box(page).inputValue()).toBe(`${makeCfg('first')}\n`)
  expect(await page.getByText('The new scan replaces').count()).toBe(0)
  await page.getByRole('radio', { name: /CFG/ }).focus()
  await scan(makeCfg('third'))
  expect(await box(page).inputValue()).toBe(`${makeCfg('third')}\n`)
  await button(page, 'Undo').click()
  expect(await box(page).inputValue()).toBe(`${makeCfg('first')}\n`)
})

test('[INP-03] what is typed by hand replaces nothing, and two elements cannot be published', async () => {
  const page = await capturePage()
  await box(page).focus()
  await stopClock(page)
  await page.keyboard.type(makeCfg('one'))
  for (const key of makeCfg('two')) {
    await page.clock.runFor(120)
    await page.keyboard.type(key)
  }
  expect(await box(page).inputValue()).toBe(makeCfg('one') + makeCfg('two'))
  await page.clock.runFor(1_000)
  await page.getByRole('alert').getByText('The configuration has more than one element').waitFor()
  expect(await button(page, 'Next').getAttribute('aria-disabled')).toBe('true')
})

test('[INP-03] text that was typed for another keyboard is refused with the layouts', async () => {
  const page = await capturePage()
  await box(page).focus()
  await page.keyboard.type(';cfg:1;-cfg:')
  await page.getByRole('alert').getByText('the reader types as for a US keyboard, and the PC takes it as a German one').waitFor()
})

test('[CFG-10] a leading "<" is put before typed and pasted text that lacks it', async () => {
  const page = await capturePage()
  await box(page).pressSequentially('cfg')
  expect(await box(page).inputValue()).toBe('<cfg')
  await box(page).fill('')
  expect(await box(page).inputValue()).toBe('')
  await box(page).fill(makeCfg('pasted').slice(1))
  expect(await box(page).inputValue()).toBe(makeCfg('pasted'))
})

test('[CFG-11] the pointer is held by the box while text is typed, and released 500 ms after the last character', async () => {
  const page = await capturePage()
  const holder = () => page.evaluate(() => document.pointerLockElement?.tagName)
  await page.getByText('Esc releases it').waitFor()
  await stopClock(page)
  await page.keyboard.type('<cfg>o')
  await state(page, 'Receiving. Pointer held until the scan ends')
  expect(await holder()).toBe('TEXTAREA')
  await page.clock.runFor(499)
  await page.keyboard.type('ne')
  await page.clock.runFor(499)
  expect(await holder()).toBe('TEXTAREA')
  await page.clock.runFor(1)
  expect(await holder()).toBeUndefined()
  await state(page, 'Stopped before the end')
  expect(await box(page).inputValue()).toBe('<cfg>one')
})

test('[CFG-12] it is released at once when the first element is closed, and when the text becomes shorter', async () => {
  const page = await capturePage()
  await stopClock(page)
  const holds = () => page.evaluate(() => document.pointerLockElement !== null)
  await page.keyboard.type('<cfg><a></a></cfg')
  expect(await holds()).toBe(true)
  await page.keyboard.type('>')
  expect(await holds()).toBe(false)
  await button(page, 'Clear').click()
  await page.keyboard.type('<cfg><a')
  expect(await holds()).toBe(true)
  await page.keyboard.press('Backspace')
  expect(await holds()).toBe(false)
  expect(await box(page).inputValue()).toBe('<cfg><')
})

test('[CFG-08] a text from the clipboard fills the box; without leave to read it, the page says how to paste', async () => {
  const page = await capturePage()
  await button(page, 'Paste').click()
  await page.getByText('The browser does not let this page read the clipboard.').waitFor()
  expect(await box(page).inputValue()).toBe('')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText(' \n'))
  await button(page, 'Paste').click()
  await page.getByText('There is no text in the clipboard.').waitFor()
  await page.evaluate((text) => navigator.clipboard.writeText(text), `\n${makeCfg('clipboard')}`)
  await button(page, 'Paste').click()
  await state(page, 'Complete')
  expect(await box(page).inputValue()).toBe(makeCfg('clipboard'))
  await page.context().clearPermissions()
})

test.each([
  ['<cfg><a></a>', 'Waiting for </cfg>', 'The configuration is not closed: it must end with </cfg>.'],
  ['12 34', 'does not start with a tag', 'The configuration does not start with a tag, such as <cfg>.'],
])('a text that is no closed CFG is said, and Next stays closed: %j', async (text, near, reason) => {
  const page = await capturePage()
  await box(page).fill(text)
  await page.getByText(near).first().waitFor()
  await page.getByText(reason).first().waitFor()
  expect(await button(page, 'Next').getAttribute('aria-disabled')).toBe('true')
  await button(page, 'Next').click({ force: true })
  await page.getByRole('heading', { name: 'Configure CR2700' }).waitFor()
})

test('[EVI-02] of a reader that no document tells to send its configuration nothing is drawn, and the page says so', async () => {
  const page = await capturePage('V4500')
  await page.getByRole('heading', { level: 2, name: 'Nothing to scan' }).waitFor()
  await state(page, 'Waiting for the configuration')
  await page.getByText('No public document says what makes a V4500 send its configuration, so none of the 3 parts is drawn.').waitFor()
  const list = page.getByRole('list', { name: 'Parts of the barcode' })
  expect(await list.getByRole('listitem').allTextContents()).toEqual([
    'Part 1, not published',
    'Part 2, not published',
    'Part 3, not published',
  ])
  expect(await list.getByRole('button').count()).toBe(0)
  expect(
    await page
      .getByRole('main')
      .getByRole('img', { name: /barcode/ })
      .count(),
  ).toBe(0)
})

test('[EVI-02] the first part for a charging base is the documented relay through its reader, and no other is drawn', async () => {
  const page = await capturePage('A271/2')
  await page
    .getByText(
      'Part 1 of 5: the reader that is paired with the charging base sends the configuration of the base, as keystrokes. Its commands are published; that they are this part is inferred. The commands of parts 2, 3, 4 and 5 are not public, so they are not drawn.',
    )
    .waitFor()
})

test.each([
  ['CR2700', 2, 2],
  ['A271/2', 5, 1],
  ['CR1500', 3, 1],
] as const)('[CFG-09] the scan barcode of %s has %i parts, of which %i are known and drawn', async (model, parts, drawn) => {
  const page = await capturePage(model)
  const list = page.getByRole('list', { name: 'Parts of the barcode' })
  expect(await list.getByRole('listitem').count()).toBe(parts)
  expect(await list.getByRole('button').count()).toBe(drawn)
  const code = page.getByRole('img', { name: `Part 1 of the barcode for ${model}` })
  const { width } = (await code.boundingBox())!
  const modules = Number((await code.getAttribute('viewBox'))!.split(' ')[2])
  expect(width % modules).toBe(0)
  expect(await code.locator('path').evaluate((path) => getComputedStyle(path).fill)).toBe('rgb(11, 13, 15)')
  if (drawn < parts) await page.getByText('are not public, so they are not drawn').waitFor()
  else {
    await list.getByRole('button', { name: '2' }).click()
    await page.getByText('that they are this part is inferred').waitFor()
  }
})
