import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings } from './support/axe.ts'
import { foreigner, manager, northfield, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

/** A person in two organizations. */

const { stack, pages } = await stackForFile(startStack())
const [harborline = ''] = (await (await stack.api(foreigner))('getCurrentUser', {})).organizationId
await stack.sql(
  `insert into member (organization_id, user_id, group_id, built_in_role)
   select own.organization_id, person.id, own.group_id, 'operator' from "user" person, member own
   where person.email = $1 and own.organization_id = (select id from organization where public_id = $2) limit 1`,
  [manager, harborline],
)
await stack.sql(`update "user" set active_organization_id = (select id from organization where public_id = $2) where email = $1`, [
  manager,
  northfield,
])

const names = { northfield: 'Northfield Regional Health', harborline: 'Harborline Logistics' }
const switcher = (page: Page) => page.getByRole('button', { name: /^Change the organization/ })
const isAbout = (page: Page, name: string) => switcher(page).getByText(name, { exact: true }).waitFor()
const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}`) })
const tabOf = async (page: Page, path: string): Promise<Page> => {
  const tab = await page.context().newPage()
  await tab.goto(`${stack.url}${path}`)
  return tab
}

/** Until new tabs begin with it, too. */
async function change(page: Page, name: string): Promise<void> {
  await switcher(page).click()
  const isPreferred = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().endsWith('/organization') && response.ok(),
  )
  await page.getByRole('link', { name: new RegExp(name) }).click()
  await isAbout(page, name)
  await isPreferred
}

test('[PPL-02] works in two organizations in two tabs: each keeps its own, a new one takes the preference', {
  timeout: 120_000,
}, async () => {
  const first = await pages.open('/codedm/zones')
  await isAbout(first, names.northfield)
  await field(first, 'Create a zone').fill('Of Northfield')
  const second = await tabOf(first, '/codedm/zones')
  await isAbout(second, names.northfield)
  const calls: [path: string, organization: string | undefined][] = []
  second.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push([pathname, request.headers()['lectern-organization']])
  })
  await change(second, names.harborline)
  expect(new URL(second.url()).search).toBe('')
  await second.getByRole('heading', { level: 1, name: 'Zones' }).waitFor()
  await second.getByText('ICU 3 North').first().waitFor({ state: 'detached' })
  expect(await field(second, 'Create a zone').inputValue()).toBe('')
  await expect.poll(() => calls.some(([path]) => path.includes(harborline))).toBe(true)
  const ofOthers = calls.filter(([path, named]) => path.includes(northfield) || (!path.includes(harborline) && named !== harborline))
  expect(ofOthers.filter(([path]) => !path.startsWith('/api/lectern/public'))).toEqual([])

  await first.reload()
  await isAbout(first, names.northfield)
  expect(await field(first, 'Create a zone').inputValue()).toBe('Of Northfield')
  await field(first, 'Create a zone').fill('')
  const third = await tabOf(first, '/group')
  await isAbout(third, names.harborline)
  await third.getByRole('heading', { level: 1, name: /^Harborline Logistics/ }).waitFor()

  // What either does is of its own organization.
  await first.goto(`${stack.url}/group`)
  await first.getByRole('button', { name: 'Add a group' }).click()
  await first.getByRole('textbox', { name: 'Group name' }).fill('Night shift of Northfield')
  await first.getByRole('button', { name: 'Add group' }).click()
  await first.getByText('Night shift of Northfield').first().waitFor()
  await third.reload()
  await third.getByRole('region', { name: 'Other groups' }).waitFor()
  expect(await third.getByText('Night shift of Northfield').count()).toBe(0)
  await change(second, names.northfield)
})

test('[PPL-02] a link names another organization, without becoming the preference; one that is not the reader’s is said to be none of theirs', async () => {
  const page = await pages.open(`/people?organization=${harborline}&sort=Address`)
  await isAbout(page, names.harborline)
  await page.waitForURL('**/people?sort=Address')
  await page.getByText('Your role is Operator.').waitFor()
  const other = await tabOf(page, '/people')
  await isAbout(other, names.northfield)
  const foreign = await tabOf(page, '/people?organization=0198c0de-0000-7000-8000-00000000ffff')
  await foreign.getByText('You do not belong to that organization').first().waitFor()
  await isAbout(foreign, names.northfield)
})

test('[PPL-02] what is entered in a form stays with the organization that it was entered in', async () => {
  const page = await pages.open('/codedm/zones')
  await field(page, 'Create a zone').fill('Of Northfield')
  await page.goto(`${stack.url}/codedm/zones?organization=${harborline}`)
  await isAbout(page, names.harborline)
  await field(page, 'Create a zone').waitFor()
  expect(await field(page, 'Create a zone').inputValue()).toBe('')
  await page.goto(`${stack.url}/codedm/zones?organization=${northfield}`)
  await isAbout(page, names.northfield)
  await page.getByText('What you entered here before is back, and not saved yet.').waitFor()
  expect(await field(page, 'Create a zone').inputValue()).toBe('Of Northfield')
})

test('[PPL-02] the switcher is used with the keyboard, and in the menu of a narrow window', async () => {
  const page = await pages.open('/codedm/rollouts')
  await isAbout(page, names.northfield)
  await switcher(page).focus()
  await page.keyboard.press('Enter')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /Harborline/ }).waitFor({ state: 'detached' })
  await expect.poll(() => switcher(page).evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await isAbout(page, names.harborline)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Rollouts')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('link', { name: new RegExp(names.northfield) }).click()
  await page.setViewportSize({ width: 1440, height: 900 })
  await isAbout(page, names.northfield)
})
