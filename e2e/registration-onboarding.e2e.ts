import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { readInvitation } from './support/invitation.ts'
import { type Stack, staff, startStack } from './support/processes/stack.ts'
import { registerAs, signUp, step } from './support/sign-up.ts'

const company = 'Meadowbrook Clinics'
const group = `${company} Products`

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('[REG-20 REG-22] somebody new sets up their company, a colleague joins it by a link, and staff find, rename and delete its group', {
  timeout: 300_000,
}, async () => {
  const founder = await foundCompany()
  const colleague = await joinByLink(founder)
  await expectMembers(founder, ['founder@meadowbrook.example', 'colleague@partner.example'])
  await expectMembers(colleague, ['founder@meadowbrook.example', 'colleague@partner.example'])
  await addGroup(founder)
  await renameAndDeleteByStaff()
  await colleague.goto(`${stack.url}/group`)
  await step(colleague, 'Night shift').waitFor()
  await expectMembers(colleague, ['founder@meadowbrook.example', 'colleague@partner.example'])
  await colleague.goto(`${stack.url}/product`)
  await step(colleague, 'Night shift').waitFor()
  await colleague.getByText('CR2700', { exact: true }).first().waitFor()
})

/** Signs up and takes every step, then looks into Device Management. */
async function foundCompany(): Promise<Page> {
  const page = await signUp(stack, 'founder@meadowbrook.example', '/codedm')
  await step(page, 'User Info').waitFor()
  await registerAs(page, 'First', 'Founder')
  await page.getByRole('textbox', { name: 'Company name' }).fill(company)
  await button(page, 'Next').click()
  await page.getByRole('checkbox', { name: 'CR2700', exact: true }).check()
  await button(page, 'Next').click()
  await page.waitForURL(`${stack.url}/product`)
  await step(page, group).waitFor()
  await page.getByText('CR2700', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Device Management' }).first().click()
  await page.waitForURL(`${stack.url}/codedm`)
  await page.getByText(company).first().waitFor()
  await page.goto(`${stack.url}/codedm/zones`)
  await page.getByText('No zones yet.').waitFor()
  return page
}

/** A colleague whose mail domain has no owner signs up on the way to the founder's link. */
async function joinByLink(founder: Page): Promise<Page> {
  await founder.goto(`${stack.url}/group`)
  await button(founder, 'Invite a colleague').click()
  await founder.getByRole('dialog').getByRole('textbox', { name: 'E-mail address' }).fill('colleague@partner.example')
  await button(founder, 'Invite').click()
  await founder.getByText('colleague@partner.example is invited').first().waitFor()
  const link = await readInvitation(stack, 'colleague@partner.example')
  const page = await signUp(stack, 'colleague@partner.example', link)
  await step(page, `You joined ${group}`).waitFor()
  await page.getByRole('link', { name: 'Continue' }).click()
  await step(page, 'User Info').waitFor()
  await registerAs(page, 'Second', 'Colleague')
  await page.waitForURL(`${stack.url}/product`)
  await step(page, group).waitFor()
  return page
}

async function expectMembers(page: Page, emails: readonly string[]): Promise<void> {
  await page.goto(`${stack.url}/group`)
  const list = page.getByRole('region', { name: `Members (${emails.length})` })
  for (const email of emails) await list.getByText(email, { exact: true }).waitFor()
}

async function addGroup(page: Page): Promise<void> {
  await button(page, 'Add a group').click()
  await page.getByRole('textbox', { name: 'Group name' }).fill('Night shift')
  await button(page, 'Add group').click()
  await page.getByRole('region', { name: 'Other groups' }).getByText('Night shift').waitFor()
}

/** Staff find the company, rename its first group, and delete that: its members and products move to the other one. */
async function renameAndDeleteByStaff(): Promise<void> {
  const page = await stack.page(staff, '/admin/organizations')
  await page.getByRole('searchbox', { name: 'Search by organization' }).fill('meadowbrook')
  const card = page.getByRole('listitem').filter({ has: page.getByText(group, { exact: true }) })
  await card.getByText('2 Members in the group').waitFor()
  await card.getByRole('link', { name: `View Group ${group}` }).click()
  await step(page, group).waitFor()
  const members = page.getByRole('region', { name: 'Group Members (2 members)' })
  await members.getByText('Second Colleague', { exact: true }).waitFor()

  const dialog = page.getByRole('dialog')
  await button(page, 'Rename').click()
  await dialog.getByRole('textbox', { name: 'Group name' }).fill('Day shift')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await step(page, 'Day shift Group Products').waitFor()

  await button(page, 'Delete Group').click()
  await dialog.getByText('Its 2 members and 1 product move to the replacement group.').waitFor()
  await dialog.getByRole('radio', { name: 'Night shift (0 members)' }).click()
  await dialog.getByRole('button', { name: 'Delete Group' }).click()
  await step(page, 'Night shift Group Products').waitFor()
  await page.getByRole('region', { name: 'Group Members (2 members)' }).getByText('founder@meadowbrook.example').waitFor()
}
