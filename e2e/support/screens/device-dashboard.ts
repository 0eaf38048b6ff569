import type { Device } from '@lectern/contract/devices/devices.ts'
import type { Page } from 'playwright-core'
import { manager, northfield, type Prepare, startStack } from '../processes/stack.ts'
import { stackForFile } from './stack-for-file.ts'

export const params = { organizationId: northfield }
export const path = '/codedm/device-dashboard'

/** Starts the product for a test file. */
export async function deviceDashboard() {
  const { stack, pages } = await stackForFile(startStack())
  return {
    api: await stack.api(manager),
    apiOf: (account: string) => stack.api(account),
    sql: (text: string, values: unknown[]) => stack.sql(text, values),
    /** A page at any path, as any account. */
    visit: (path: string, account?: string, prepare?: Prepare) => pages.open(path, account, prepare),
    /** A page at the dashboard, once the list is there. */
    async dashboard(query = ''): Promise<Page> {
      const page = await pages.open(`${path}${query}`)
      await untilListed(page)
      return page
    },
  }
}

export const untilListed = (page: Page) => page.getByText(/of [\d,]+ devices?/).waitFor()
export const rows = (page: Page) => page.locator('tbody tr')
/** Of all rows: a key of the browser has those drawn that are far from the window. */
export async function serials(page: Page): Promise<string[]> {
  await page.keyboard.press('Control')
  await page.locator('.table-later').first().waitFor({ state: 'detached' })
  return rows(page).locator('td:nth-child(2) a').allInnerTexts()
}
export const listSerials = (devices: readonly Device[]) => devices.map(({ serialNumber }) => serialNumber)
export const tile = (page: Page, name: string) => page.getByRole('radio', { name })
export const isChosen = (page: Page, name: string) => page.getByRole('radio', { name, checked: true }).waitFor()

/** Queries of all lists asked for from now on. */
export function watchLists(page: Page): URLSearchParams[] {
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/devices')) asked.push(searchParams)
  })
  return asked
}

/** The query of the next first page that is asked for. */
export async function nextList(page: Page): Promise<Record<string, string>> {
  const request = await page.waitForRequest((each) => /\/devices\?.*PageNumber=0/.test(each.url()))
  return Object.fromEntries(new URL(request.url()).searchParams)
}
