import type { Page } from 'playwright-core'
import { manager, type Stack } from './processes/stack.ts'

/** Where the browser finds the code of the zones page. */
export const zonesPageCode = '**/assets/zones-page-*.js'

/** Puts another page in the zones page's place: its code comes from a server whose newest version is broken. `window.timesBroken` counts what it throws. */
export async function breakZonesPage(page: Page, words = 'The zones page is broken'): Promise<void> {
  const code = `function ZonesPage() { if (window.isMended) return 'Mended'; window.timesBroken = (window.timesBroken ?? 0) + 1; throw new TypeError(${JSON.stringify(words)}) }`
  // A chunk that other chunks import from has its page below a letter that the build chooses.
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `page as ${letter}`)
  const body = `${code} const page = { default: ZonesPage }; export { ZonesPage as default, ${letters.join(', ')} }`
  await page.route(zonesPageCode, (route) => route.fulfill({ contentType: 'text/javascript', body }))
}

/** A signed-in page where the zones page is broken, showing it; `words` are what it throws. */
export async function brokenPage(stack: Stack, words?: string): Promise<Page> {
  const page = await stack.page(manager, '/codedm/zones', {}, (fresh) => breakZonesPage(fresh, words))
  await page.getByRole('heading', { name: 'Something went wrong', includeHidden: true }).waitFor()
  return page
}
