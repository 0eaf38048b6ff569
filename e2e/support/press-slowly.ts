import type { Locator } from 'playwright-core'

/**
 * Presses and releases at one point, as a hand does: what moves in between is noticed, and what the press causes is painted before the
 * release.
 */
export async function pressSlowly(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('What is to be pressed is not shown.')
  const page = target.page()
  // Near the upper edge, where a few pixels are enough to miss it.
  await page.mouse.move(box.x + box.width / 2, box.y + Math.min(3, box.height / 2))
  await page.mouse.down()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.mouse.up()
}
