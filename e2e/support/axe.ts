import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { NodeResult, Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The looks in which a screen is judged: contrast depends on the theme, and what fits on the width. */
export const looks = [
  ['light', { width: 1440, height: 900 }],
  ['dark', { width: 390, height: 844 }],
] as const satisfies Look[]

type Look = readonly [theme: 'light' | 'dark', viewport: { width: number; height: number }]

/** Whether nothing moves or is dimmed any more: axe would judge passing colours. Endless animations, such as a skeleton's, do not count. */
const settled = () => {
  const isEndless = (animation: Animation) => animation.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY
  return document.querySelector('.table-dimmed') === null && document.getAnimations().every(isEndless)
}

/** Only violations are computed: listing all that is right takes longer than finding them. */
const options: RunOptions = { resultTypes: ['violations'], elementRef: false, selectors: false }

/** What depends on the theme alone: a page that was judged in one theme needs no more in the other. */
export const contrast: RunOptions = { runOnly: ['color-contrast'] }

/** The violations that axe finds on a page, or within a selector, once it has settled: rule and element, one line each. */
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
 * What axe finds in each look, and whether anything is wider than the screen. The page is judged in its present look, then turned to the
 * other, as by a user who changes theme and window. Throws where some of the state is lost by that: the test must set it up in each look.
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

/** Changes the look of an open page. */
export async function turn(page: Page, [colorScheme, viewport]: Look): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(viewport)
  // A page without a bar has no switch, and does not follow the system's theme.
  await page.evaluate((theme) => {
    document.documentElement.dataset.theme = theme
    // What listens to the window's size draws in the next frame.
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }, colorScheme)
}
