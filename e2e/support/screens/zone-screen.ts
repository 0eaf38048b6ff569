import type { Page } from 'playwright-core'
import { manager, northfield, type Prepare, startStack } from '../processes/stack.ts'
import { stackForFile } from './stack-for-file.ts'

export const params = { organizationId: northfield }

/** Starts the product for a test file. */
export async function zoneScreen() {
  const { stack, pages } = await stackForFile(startStack())
  const api = await stack.api(manager)
  return {
    api,
    sql: (text: string) => stack.sql(text),
    /** Opens a page that shows as much of the zones as `prepare` allows. */
    openPrepared: (prepare: Prepare): Promise<Page> => pages.open('/codedm/zones', manager, prepare),
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
