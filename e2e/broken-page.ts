import type { Page } from 'playwright-core'
import type { Stack } from './stack.ts'

/** Where the browser finds the code of the zones page. */
export const zonesPageCode = '**/assets/zones-page-*.js'

/** Puts another page in the zones page's place: its code comes from a server whose newest version is broken. */
export async function breakZonesPage(page: Page, render = 'throw new TypeError("The zones page is broken")'): Promise<void> {
  const body = `export default function ZonesPage() { if (!window.isMended) { ${render} } return 'Mended' }`
  await page.route(zonesPageCode, (route) => route.fulfill({ contentType: 'text/javascript', body }))
}

/** A signed-in page where the zones page is broken, showing it. */
export async function brokenPage(stack: Stack, path = '/codedm/zones', render?: string): Promise<Page> {
  const page = await stack.page()
  await breakZonesPage(page, render)
  await page.goto(`${stack.url}${path}`)
  await page.getByRole('heading', { name: 'Something went wrong', includeHidden: true }).waitFor()
  return page
}
