import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { manager, member } from './support/processes/stack.ts'
import { findSection, list, staffScreens } from './support/screens/directory-screen.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'

const { sql, open, organization, group, api } = await staffScreens({ PROVIDER_NAME: 'Harbour Scanners' })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search by organization' })
const names = (page: Page) => page.getByRole('heading', { level: 2 }).allInnerTexts()

test('[ADM-01 ADM-05] one section per organization with a card for each of its groups', async () => {
  const id = await organization('Cards Limited')
  const acute = await group(id, 'Acute Care', { members: 2 })
  await group(id, 'Pharmacy', { members: 1 })
  const page = await open(list)
  const section = findSection(page, 'Cards Limited')
  await section.getByText(id, { exact: true }).waitFor()
  const cards = section.getByRole('listitem')
  expect(await cards.allInnerTexts()).toEqual([
    expect.stringMatching(/^Acute Care\s+2 Members in the group\s+View Group$/),
    expect.stringMatching(/^Pharmacy\s+1 Members in the group\s+View Group$/),
  ])
  await section.getByRole('link', { name: 'View Group Acute Care' }).click()
  await page.waitForURL(`**${list}/${id}/groups/id/${acute}/details`)
})

test('[ADM-02] the heading names the provider; below it are the totals', async () => {
  const page = await open(list)
  await page.getByRole('heading', { level: 1, name: 'All Harbour Scanners Customer Groups' }).waitFor()
  const { organizations, groups, members } = await api('getDirectoryTotals', {})
  await page.getByText(`${organizations} organizations, ${groups} groups, ${members} members.`).waitFor()
})

test('[ADM-03] the search finds a part of a name in any case; the address holds it, and survives a reload', async () => {
  await organization('Zebra Crossing Clinics')
  await organization('Old ZEBRA Works')
  await organization('Zeb Raw')
  const page = await open(list)
  await page.getByText('View Group').first().waitFor()
  await search(page).fill('zEBRA')
  await page.getByText('2 organizations matching “zEBRA”').waitFor()
  expect(await names(page)).toEqual(['Old ZEBRA Works', 'Zebra Crossing Clinics'])
  expect(new URL(page.url()).search).toBe('?search=zEBRA')
  await page.reload()
  await page.getByText('2 organizations matching “zEBRA”').waitFor()
  expect(await search(page).inputValue()).toBe('zEBRA')
  await page.goBack()
  await page.getByText(/of [\d,]+ organizations$/).waitFor()
  expect(await search(page).inputValue()).toBe('')
})

test('a search that finds nothing says so and can be cleared', async () => {
  const page = await open(`${list}?search=100%25_nobody`)
  await page.getByText('No organization matches “100%_nobody”.').waitFor()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await findSection(page, 'Harborline Logistics').waitFor()
  expect(await search(page).inputValue()).toBe('')
  await expect.poll(() => search(page).evaluate((box) => box === document.activeElement)).toBe(true)
})

test('a response that comes late does not replace the newer one', async () => {
  await organization('Early Bird Ltd')
  await organization('Late Riser Ltd')
  const page = await open(list)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/admin/organizations?*textFilter=early*', async (route) => {
    const response = await route.fetch()
    await released
    // The page may have taken the request back by now.
    await route.fulfill({ response }).catch(() => undefined)
    answer()
  })
  const asked = page.waitForRequest('**/admin/organizations?*textFilter=early*')
  await search(page).fill('early')
  await asked
  await search(page).fill('late')
  await page.getByText('1 organization matching “late”').waitFor()
  release()
  await answered
  expect(await names(page)).toEqual(['Late Riser Ltd'])
})

test('pages: the previous one stays, dimmed, until the next one is there; the address holds page and size', async () => {
  for (let number = 1; number <= 27; number++) await organization(`Paged ${String(number).padStart(2, '0')}`)
  const page = await open(`${list}?search=paged`)
  await page.getByText('1–10 of 27 organizations matching “paged”').waitFor()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/admin/organizations?*PageNumber=1*', async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.locator('[aria-busy=true]', { has: findSection(page, 'Paged 01') }).waitFor()
  release()
  await findSection(page, 'Paged 11').waitFor()
  expect(await names(page)).toEqual(Array.from({ length: 10 }, (_, index) => `Paged ${index + 11}`))
  expect(new URL(page.url()).search).toBe('?search=paged&page=2')
  await page
    .getByRole('radio', { name: '25' })
    .or(page.getByRole('button', { name: '25', exact: true }))
    .click()
  await page.getByText('1–25 of 27 organizations').waitFor()
  expect(new URL(page.url()).search).toBe('?search=paged&size=25')
  await page.goto(`${page.url()}&page=9`)
  await page.getByText('26–27 of 27 organizations').waitFor()
})

test('[ADM-04] an organization without a name shows its id, followed by "(organization registration not complete)"', async () => {
  await organization(null, 'org_nameless')
  await organization('', 'org_emptyname')
  const page = await open(`${list}?search=org_`)
  await page.getByText('2 organizations matching').waitFor()
  expect(await names(page)).toEqual([
    'org_emptyname (organization registration not complete)',
    'org_nameless (organization registration not complete)',
  ])
})

test('an organization with many groups shows the first twelve, and all on request', async () => {
  const id = await organization('Many Groups')
  for (let number = 1; number <= 14; number++) await group(id, `Ward ${number}`)
  const page = await open(`${list}?search=many%20groups`)
  const cards = findSection(page, 'Many Groups').getByRole('listitem')
  const more = page.getByRole('button', { name: 'Show all groups of Many Groups' })
  await more.waitFor()
  expect(await cards.count()).toBe(12)
  await page.route(`**/organization/${id}`, (route) => route.fulfill({ status: 500, json: {} }))
  await more.click()
  await page.getByText('The other groups could not be loaded.').waitFor()
  await page.unroute(`**/organization/${id}`)
  await more.click()
  await page.getByText('Ward 14').waitFor()
  expect(await cards.count()).toBe(14)
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('View Group Ward 13')
  expect(await more.count()).toBe(0)
})

test('names are text, whatever they hold', async () => {
  const id = await organization('<script>document.title = "taken"</script>')
  await group(id, '<img src=x onerror="document.title = 1">')
  const page = await open(`${list}?search=script`)
  const section = findSection(page, '<script>document.title = "taken"</script>')
  await section.getByText('<img src=x onerror="document.title = 1">').waitFor()
  expect(await section.locator('script, img').count()).toBe(0)
})

test.each([manager, member])(
  '[PER-06] %s is not allowed to see all organizations or a group of one, and nothing is requested',
  async (account) => {
    const id = await organization('Not For Customers')
    const gid = await group(id, 'Hidden Group')
    const page = await open('/product', account)
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(await page.getByRole('link', { name: 'All Organizations' }).count()).toBe(0)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const path of [list, `${list}/${id}/groups/id/${gid}/details`]) {
      await showInApp(page, path)
      await page.getByRole('heading', { level: 1, name: 'Not allowed' }).waitFor()
    }
    expect(asked.filter((path) => path.includes('/api/lectern/admin/') || path.includes(`/organization/${id}`))).toEqual([])
  },
)

test('axe finds nothing in any state, in either look', async () => {
  const id = await organization('Axe of looks')
  for (let number = 1; number <= 13; number++) await group(id, `Group ${number}`)
  await sql('update organization set has_epic_data = true where public_id = $1', [id])
  const page = await open(`${list}?search=axe%20of%20looks`)
  await page.getByText('Epic data').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await search(page).fill('no such organization')
  await page.getByText('No organization matches').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.route('**/api/lectern/admin/organizations?*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await page.getByText('Error loading organizations').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.unroute('**/api/lectern/admin/organizations?*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByText('No organization matches').waitFor()
})
