import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openRoute, samples } from './support/crawl.ts'
import { manager, member, staff, startStack } from './support/processes/stack.ts'
import { readRoutePatterns, toExpression } from './support/route-patterns.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { watchCalls } from './support/watch-calls.ts'

const { stack, pages } = await stackForFile(startStack())
/** Samples of everything that a list can lead to, such as a rollout or a saved configuration. */
beforeAll(() => samples(stack))

const everyone = [
  '/product',
  '/product/id/:productId/details',
  '/data',
  '/profile',
  '/support',
  '/support/new',
  '/support/:caseId',
  '/codedm',
  '/codedm/create-configuration',
  '/codedm/create-configuration/:device',
  '/codedm/read-configuration',
]
const members = [
  ...everyone,
  '/group',
  '/people',
  '/licences',
  '/licences/:id',
  '/readers',
  '/codedm/installation-instructions',
  '/codedm/zones',
  '/codedm/device-dashboard',
  '/codedm/devices/:serialNumber',
  '/codedm/rollouts',
  '/codedm/rollouts/:id',
  '/codedm/calendar',
  '/codedm/create-configuration/:device/success',
  '/codedm/configuration-library',
]
const managers = [
  ...members,
  '/people/invitations',
  '/people/roles',
  '/people/sign-in',
  '/codedm/publishing-settings',
  '/codedm/apply-config',
  '/codedm/set-up-reader',
  '/codedm/manage-firmware',
  '/codedm/audit-log',
]
const ofTheVendor = [
  ...everyone,
  '/admin/organizations',
  '/admin/organizations/:organizationId/groups/id/:groupId/details',
  '/admin/organizations/:organizationId/audit-log',
  '/admin/audit-log',
  '/admin/marketing',
  '/admin/firmware',
  '/admin/products',
]

/** Routes that no link leads to, and what does. */
const reachedByAction = {
  '/codedm/config-success': 'the end of both wizards, shown by Publish',
  '/codedm/activity-stream': 'behind the flag showActivityStream',
  '/codedm/analytics': 'behind the flag showDeviceAnalytics',
  '/register': 'where somebody is sent who has yet to register',
  '/join/:groupId': 'an invitation, which a colleague sends',
}

const refusals = ['Not allowed', 'No organization', 'No organization yet', 'Page not found']
/** Per route, as its addresses differ only by what they name: three show all that they lead to. */
const addressesPerRoute = 3

/** The paths of all links on a page, with its menu, cards and rows opened. */
async function listLinks(page: Page, calls: ReturnType<typeof watchCalls>): Promise<string[]> {
  const found = new Set<string>()
  const collect = async () => {
    const links = await page.locator('a[href]').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))
    for (const { origin, pathname } of links.map((link) => new URL(link))) if (origin === stack.url) found.add(decodeURI(pathname))
  }
  const main = page.getByRole('main')
  const closed = main.locator('button[aria-expanded=false]:not([role=combobox]):not([aria-haspopup])')
  // By their names, as a row that opens may close another.
  for (const name of new Set(await closed.evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent)))) {
    const control = closed.and(page.getByRole('button', { name, exact: true }))
    const count = await control.count()
    if (count === 0) continue
    await control.first().click()
    await vi.waitUntil(async () => (await control.count()) < count, { timeout: 10_000, interval: 20 })
    // What opens may have code and data of its own.
    await main.getByText('Loading...').first().waitFor({ state: 'detached' })
    await calls.settled()
    await collect()
  }
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await collect()
  return [...found]
}

/**
 * Follows links alone, from the products on.
 * @returns the routes that were shown, and pages among them that refuse the user
 */
async function follow(account: string): Promise<{ reached: string[]; refused: string[] }> {
  const patterns = await readRoutePatterns()
  const page = await pages.open('/product', account)
  const calls = watchCalls(page)
  const queue = ['/product']
  const seen = new Set(queue)
  const visits = new Map<string, number>()
  const refused: string[] = []
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const route = patterns.find((pattern) => toExpression(pattern).test(address ?? ''))
    if (route === undefined || (visits.get(route) ?? 0) >= addressesPerRoute) continue
    visits.set(route, (visits.get(route) ?? 0) + 1)
    await openRoute({ page, url: stack.url, calls }, encodeURI(address))
    const title = (await page.getByRole('heading', { level: 1 }).first().textContent()) ?? ''
    if (refusals.includes(title)) refused.push(`${address}: ${title}`)
    for (const link of await listLinks(page, calls)) {
      if (!seen.has(link)) queue.push(link)
      seen.add(link)
    }
  }
  return { reached: patterns.filter((pattern) => visits.has(pattern)), refused }
}

test('every route is listed here: as one that links lead somebody to, or with what leads to it', async () => {
  const listed = new Set([...managers, ...ofTheVendor, ...Object.keys(reachedByAction)])
  expect((await readRoutePatterns()).filter((pattern) => !listed.has(pattern))).toEqual([])
})

test('[WAY-01] reading back is linked in the tabs of Device Management, in the builder and in the library', async () => {
  const page = await pages.open('/codedm/zones')
  const linked = (role: 'main' | 'navigation', name?: string) =>
    page.getByRole(role, { name }).locator('a[href="/codedm/read-configuration"]').first().waitFor()
  await linked('navigation', 'Device Management')
  for (const path of ['create-configuration', 'create-configuration/CR2700', 'configuration-library']) {
    await showInApp(page, `/codedm/${path}`)
    await linked('main')
  }
})

describe.each([
  ['a manager', manager, managers],
  ['a member', member, members],
  ['staff without an organization', staff, ofTheVendor],
])('%s', (_, account, routes) => {
  test('[WAY-01 WAY-02] reaches every own route by links alone, and no page that refuses', { timeout: 600_000 }, async () => {
    const { reached, refused } = await follow(account)
    expect(refused).toEqual([])
    expect(reached.toSorted()).toEqual(routes.toSorted())
  })
})
