import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { manager, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack } = await stackForFile(startStack())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const loses = (page: Page) => page.context().setOffline(true)
const returns = (page: Page) => page.context().setOffline(false)

/** A page of its own that has fetched the other pages ahead. */
async function openAhead(path: string): Promise<Page> {
  const page = await stack.page(manager, path)
  await page.evaluate(async () => {
    const files: string[] = await (await fetch('/fetch-ahead.json')).json()
    await Promise.all(files.map(async (file) => (await fetch(file)).arrayBuffer()))
  })
  return page
}

test('[STA-05] charts whose script cannot be loaded say "No connection", and are drawn when the connection is back', async () => {
  const page = await openAhead('/licences')
  await loses(page)
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await page.getByRole('alert').getByText('No connection', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Data', level: 1 }).waitFor()
  expect(await page.getByText('Something went wrong').count()).toBe(0)
  await returns(page)
  await page.getByRole('region', { name: 'Licence counts' }).getByRole('img').first().waitFor()
  expect(await page.getByText('No connection').count()).toBe(0)
  await page.context().close()
})

test('[STA-05] with the server down, Try Again loads the charts', async () => {
  const page = await stack.page(manager, '/licences')
  await page.route('**/assets/graphs-*', (route) => route.abort())
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await page.getByRole('alert').getByText('Error loading the charts').waitFor()
  await page.unrouteAll()
  await button(page, 'Try Again').click()
  await page.getByRole('region', { name: 'Licence counts' }).getByRole('img').first().waitFor()
  await page.context().close()
})
