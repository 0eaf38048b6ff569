import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The phrases that the README's numbered steps may use, and what they do in the page. */
const verbs: [RegExp, (page: Page, ...words: string[]) => Promise<unknown>][] = [
  [/^open \*\*(.+?)\*\*$/, open],
  [/^choose _(.+?)_ in _(.+?)_$/, chooseIn],
  [/^choose _(.+?)_$/, (page, name) => page.getByRole('radio', { name: name!, exact: true }).check()],
  // Figures follow the name.
  [/^tick _(.+?)_$/, (page, name) => page.getByRole('checkbox', { name: startingWith(name!) }).check()],
  [/^type `(.+?)` into _(.+?)_$/, type],
  [/^press _(.+?)_$/, press],
  [/^see _(.+?)_$/, (page, text) => page.getByText(text!).filter({ visible: true }).first().waitFor()],
]

const startingWith = (name: string): RegExp => new RegExp(`^${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`)

/** The numbered steps of a Markdown text, in order. */
export const listSteps = (text: string): string[] => [...text.matchAll(/^\d+\. (.+)$/gm)].map(([, step]) => step!)

/** Does what a step says. Throws where it has words that no verb knows. */
export async function take(page: Page, step: string): Promise<void> {
  for (const part of step.replace(/[.,:]$/, '').split(/(?:, | and )(?=(?:open|choose|tick|type|press|see) [*_`])/)) {
    const words = part.replace(/^\w/, (first) => first.toLowerCase())
    const found = verbs.find(([pattern]) => pattern.test(words))
    if (!found) throw new Error(`The README says "${part}", which no verb of its steps knows.`)
    await found[1](page, ...found[0].exec(words)!.slice(1))
  }
}

/** Opens a tab of Device Management, or a page beside it. */
async function open(page: Page, name = ''): Promise<void> {
  const link = page.getByRole('navigation').getByRole('link', { name, exact: true })
  if ((await link.count()) === 0) await page.getByRole('link', { name: 'Device Management' }).first().click()
  await link.first().click()
}

async function chooseIn(page: Page, option = '', field = ''): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

async function type(page: Page, text = '', field = ''): Promise<void> {
  const box = page.getByRole('textbox', { name: field, exact: true }).or(page.getByRole('searchbox', { name: field, exact: true }))
  await box.fill(text)
  await expect.poll(() => box.inputValue()).toBe(text)
}

async function press(page: Page, name = ''): Promise<void> {
  const dialog = page.getByRole('dialog')
  const within = (await dialog.count()) > 0 ? dialog : page
  const control = (role: 'button' | 'link') => within.getByRole(role, { name, exact: true })
  await control('button').or(control('link')).first().click()
}
