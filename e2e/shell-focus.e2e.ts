import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { manager, northfield, startStack } from './support/processes/stack.ts'
import { button, makeCfg, newZone, saveCfg, select } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startStack())

/** Waits until the page's heading has the focus, and nothing else announces its name. */
async function isAnnounced(page: Page, name: string): Promise<void> {
  await page.locator('h1:focus', { hasText: name }).waitFor()
  const live = await page.locator('[role=status], [role=alert], [aria-live]').allInnerTexts()
  expect(live.filter((text) => text.includes(name))).toEqual([])
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()

test('[STA-01] a tab, Back and Forward put the focus on the heading of the page; the first page and a filter do not', async () => {
  const page = await pages.open('/codedm/zones', manager)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await focused(page)).toBe('BODY')
  await link(page, 'Rollouts').click()
  await isAnnounced(page, 'Rollouts')
  await link(page, 'Devices').click()
  await isAnnounced(page, 'Device Dashboard')
  await page.getByRole('searchbox').fill('icu')
  await page.waitForURL(/icu/)
  expect(await focused(page)).toBe('INPUT')
  await link(page, 'Library').click()
  await isAnnounced(page, 'Library')
  await page.goBack()
  await isAnnounced(page, 'Device Dashboard')
  await page.goForward()
  await isAnnounced(page, 'Library')
})

test('[STA-01] each step of a wizard and the success page have the focus on their heading', async () => {
  const zone = await newZone(stack, 'Focus')
  const page = await pages.open('/codedm/apply-config', manager)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await focused(page)).toBe('BODY')
  await select(page, zone.name, ['CR2700', 'CR1500'])
  await button(page, 'Next').click()
  await isAnnounced(page, 'Configure CR2700')
  await saveCfg(page, 'CR2700', makeCfg('one'))
  await isAnnounced(page, 'Configure CR1500')
  await page.goBack()
  await isAnnounced(page, 'Configure CR2700')
  await page.goForward()
  await isAnnounced(page, 'Configure CR1500')
  await saveCfg(page, 'CR1500', makeCfg('two'))
  await isAnnounced(page, 'Review Your Device Configuration Selections')
  await button(page, 'Publish').click()
  await page.waitForURL(/config-success/)
  await isAnnounced(page, 'Configure Zones')
})

test('[STA-01] a page that fails at first has it once it is there, unless the user is elsewhere by then', async () => {
  const api = await stack.api()
  const zone = await newZone(stack, 'Late')
  await api('publishCfg', { params: { organizationId: northfield, location: zone.id, device: 'CR2700' }, body: { cfg: makeCfg('late') } })
  const page = await pages.open('/codedm/rollouts', manager)
  const first = page.locator('tbody a').first()
  const title = await first.innerText()
  await page.route(/\/rollouts\/[\w-]+(\/events)?$/, (route) =>
    route.fulfill({ status: 503, json: { status: 503, title: 'Busy', type: 'about:blank' } }),
  )
  await first.click()
  await page.getByText('Error loading the rollout').waitFor({ timeout: 30_000 })
  await page.unroute(/\/rollouts\/[\w-]+(\/events)?$/)
  // The page may have tried again by itself.
  await button(page, 'Try Again')
    .click({ timeout: 5_000 })
    .catch(() => undefined)
  await isAnnounced(page, title)
})

test('[STA-01] while a dialog is open the focus stays in it', async () => {
  const page = await pages.open('/codedm/rollouts', manager)
  await link(page, 'Zones').click()
  await isAnnounced(page, 'Manage Your Zones')
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
  await page.goBack()
  await isAnnounced(page, 'Rollouts')
})
