import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { NodeResult, Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The looks in which a screen is judged: contrast hangs on the theme, what fits on the width. */
export const looks = [
  ['light', { width: 1440, height: 900 }],
  ['dark', { width: 390, height: 844 }],
] as const satisfies Look[]

type Look = readonly [theme: 'light' | 'dark', viewport: { width: number; height: number }]

/** Until nothing moves or is dimmed any more: axe would judge colours that are on their way. What never ends, such as a skeleton, may go on. */
const settled = () => {
  const isEndless = (animation: Animation) => animation.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY
  return document.querySelector('.table-dimmed') === null && document.getAnimations().every(isEndless)
}

/** Only what is wrong is worked out: the list of all that is right takes longer than finding it. */
const options: RunOptions = { resultTypes: ['violations'], elementRef: false, selectors: false }

/** What hangs on the theme alone: a page that was judged in one theme needs no more in the other. */
export const contrast: RunOptions = { runOnly: ['color-contrast'] }

/** What axe finds wrong with what a page shows, or what matches a selector, once it has settled: rule and element, one line each. */
export async function axeFindings(page: Page, within = 'html', only: RunOptions = {}): Promise<string[]> {
  await page.waitForFunction(settled)
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(source)
  const violations: (Pick<Result, 'id'> & { nodes: Pick<NodeResult, 'html'>[] })[] = await page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify({ ...options, ...only })}).then(({ violations }) =>
       violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

/** What is open over a page, or wrong in a form: the state that a test has set up. */
const state = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=alert], [aria-invalid=true]'

/**
 * What axe finds in each look, and whether anything is wider than the screen. An open page is judged in the look that it has and turned to the other,
 * where it stays, as by somebody who changes theme and window. Throws where less of the state is there by then: it needs to be set up in each look.
 */
export async function axeInLooks(page: Page): Promise<string[]> {
  const found: string[] = []
  const before = await page.locator(state).count()
  const isNarrow = page.viewportSize()?.width === looks[1][1].width
  for (const look of isNarrow ? looks.toReversed() : looks) {
    await turn(page, look)
    const [theme, { width }] = look
    for (const finding of await axeFindings(page)) found.push(`${theme}, ${width} px: ${finding}`)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    if (wide > width) found.push(`${theme}, ${width} px: the page is ${wide} px wide`)
    if ((await page.locator(state).count()) < before) throw new Error(`A part of the state is gone at ${width} px.`)
  }
  return found
}

/** Brings an open page into a look. */
export async function turn(page: Page, [colorScheme, viewport]: Look): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(viewport)
  // A page without a bar has no switch, and no ear for the system's theme.
  await page.evaluate((theme) => {
    document.documentElement.dataset.theme = theme
    // What listens to the window's size draws in the next frame.
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }, colorScheme)
}
