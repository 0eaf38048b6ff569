import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeInLooks, looks, turn } from '../axe.ts'

const widths = [390, 834, 1440]

/** Nothing is wider than the window at any width, and axe finds nothing in any look. Where `PICTURES` names a folder, it has a picture of each. */
export async function isWhole(page: Page, what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 1000 })
    if (process.env.PICTURES)
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        await page.screenshot({ path: `${process.env.PICTURES}/${what}-${width}-${scheme}.png` })
      }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${what} at ${width}`).toBeLessThanOrEqual(0)
  }
  expect(await axeInLooks(page), what).toEqual([])
  await turn(page, looks[0])
}
