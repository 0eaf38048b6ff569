import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { NodeResult, Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The looks in which a screen is judged: contrast hangs on the theme, what fits on the width. */
export const looks = [
  ['light', { width: 1440, height: 900 }],
  ['dark', { width: 390, height: 844 }],
] as const

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
