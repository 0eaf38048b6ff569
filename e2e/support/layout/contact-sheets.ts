import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import type { Thumbnail } from './walk.ts'

/** Git ignores it. */
export const sheetFolder = fileURLToPath(new URL('../../../test-results/screens', import.meta.url))

/** `/codedm/zones` and `/codedm/rollouts/:id` are of the groups `codedm-zones` and `codedm-rollouts`. */
const groupOf = (route: string) =>
  route
    .split('/')
    .slice(1, 3)
    .filter((part) => !part.startsWith(':'))
    .join('-')

/** Writes one picture for each group of routes: a thumbnail of every window. */
export async function writeContactSheets(browser: Browser, data: string, thumbnails: readonly Thumbnail[]): Promise<void> {
  await mkdir(sheetFolder, { recursive: true })
  const page = await browser.newPage({ viewport: { width: 2000, height: 1000 } })
  for (const [group, members] of Map.groupBy(thumbnails, ({ route }) => groupOf(route))) {
    const figures = members.map(
      ({ route, mode, image }) =>
        `<figure><img src="data:image/jpeg;base64,${image.toString('base64')}"><figcaption>${route}<br>${mode}</figcaption></figure>`,
    )
    await page.setContent(
      `<style>body { margin: 8px; display: flex; flex-wrap: wrap; gap: 8px; font: 11px sans-serif; background: #888 }
       figure { margin: 0 } img { height: 320px; display: block }</style>${figures.join('')}`,
    )
    await writeFile(join(sheetFolder, `${data}-${group}.png`), await page.screenshot({ fullPage: true }))
  }
  await page.close()
}
