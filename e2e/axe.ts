import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

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

/** What axe finds wrong with what a page shows, once it has settled: rule and element, one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.waitForFunction(settled)
  await page.evaluate(source)
  const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
