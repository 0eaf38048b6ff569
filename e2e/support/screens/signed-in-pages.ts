import type { BrowserContext, Page } from 'playwright-core'
import { manager, type Stack } from '../processes/stack.ts'

/** Pages of accounts that sign in once: later pages of the same account find its session. */
export function signedInPages(stack: Stack) {
  const contexts = new Map<string, BrowserContext>()
  return {
    /** A new page showing `path`. */
    async open(path: string, account = manager): Promise<Page> {
      const context = contexts.get(account)
      if (!context) {
        const first = await stack.page(account, path)
        contexts.set(account, first.context())
        return first
      }
      const page = await context.newPage()
      const signedIn = page.waitForResponse((response) => response.url() === `${stack.url}/oauth/token` && response.ok())
      await page.goto(`${stack.url}${path}`)
      await signedIn
      return page
    },
    closeAll: () => Promise.all([...contexts.values()].flatMap((context) => context.pages().map((page) => page.close()))),
  }
}
