import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Caller, manager, northfield, type Stack, startStack } from '../processes/stack.ts'
import { signedInPages } from './signed-in-pages.ts'

export const params = { organizationId: northfield }

/** Starts the product for a test file; what it answers can be used inside tests. */
export function zoneScreen() {
  let stack: Stack
  let api: Caller
  let pages: ReturnType<typeof signedInPages>
  beforeAll(async () => {
    stack = await startStack()
    api = await stack.api(manager)
    pages = signedInPages(stack)
  })
  afterEach(() => pages.closeAll())
  afterAll(() => stack?.stop())
  return {
    api: ((name, args) => api(name, args)) as Caller,
    sql: (text: string) => stack.sql(text),
    /** A page showing the zones. */
    async open(account = manager): Promise<Page> {
      const page = await pages.open('/codedm/zones', account)
      await untilListed(page)
      return page
    },
  }
}

export const untilListed = (page: Page) => page.getByText(/showing \d+/).waitFor()
export const nameField = (page: Page) => page.getByRole('textbox', { name: 'Create a zone' })

export async function create(page: Page, name: string): Promise<void> {
  await nameField(page).fill(name)
  await page.getByRole('button', { name: 'Create zone' }).click()
}
