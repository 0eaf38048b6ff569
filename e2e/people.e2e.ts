import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { axeFindings, axeInLooks } from './support/axe.ts'
import { pressSlowly } from './support/press-slowly.ts'
import { foreigner, manager, member, northfield, startStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { step } from './support/sign-up.ts'
import { tabTo } from './support/tab-to.ts'

const { stack, pages } = await stackForFile(startStack())
const params = { organizationId: northfield }

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })
const findRow = (page: Page, text: string) => rows(page).filter({ hasText: text })
const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' })

async function choose(page: Page, field: string, option: string): Promise<void> {
  await dialog(page)
    .getByRole('combobox', { name: new RegExp(`^${field}`) })
    .click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Members of Northfield, whose accounts nobody has. */
const addMembers = (count: number, firstName = "'Given' || n", email = "'person' || n || '@many.example'") =>
  stack.sql(
    `with person as (
       insert into "user" (id, issuer, subject, email, email_verified, first_name, last_name)
       select gen_random_uuid(), 'nobody', ${email}, ${email}, true, ${firstName}, 'Family' || n from generate_series(1, $2::int) n returning id
     )
     insert into member (organization_id, user_id, group_id, built_in_role)
     select organization.id, person.id, (select min(id) from "group" where organization_id = organization.id), 'viewer'
     from organization, person where public_id = $1`,
    [northfield, count],
  )

test('[PPL-03] somebody is invited with a role, gets the link, joins, gets another role and is removed', { timeout: 120_000 }, async () => {
  const page = await pages.open('/people')
  await findRow(page, manager).getByText('You', { exact: true }).waitFor()
  await button(page, 'Invite a colleague').click()
  await dialog(page).getByRole('textbox', { name: 'E-mail address' }).fill(foreigner)
  await choose(page, 'Role', 'Operator')
  await dialog(page).getByText('Publish configurations to zones').waitFor()
  await button(page, 'Invite').click()
  await dialog(page)
    .getByRole('heading', { name: / is invited$/ })
    .waitFor()
  const link = (await dialog(page).locator('.mono').textContent()) ?? ''
  expect(link).toMatch(new RegExp(`^${stack.url}/join/\\d+\\?invitation=`))
  await button(page, 'Done').click()
  await closed(page)
  await page.getByRole('link', { name: 'Invitations' }).click()
  await findRow(page, foreigner).getByText('Operator').waitFor()
  await findRow(page, foreigner).getByText('Open', { exact: true }).waitFor()

  const guest = await pages.open(link.slice(stack.url.length), foreigner)
  await button(guest, 'Join').click()
  await step(guest, 'You joined Northfield Regional Health Products').waitFor()
  await guest.getByRole('link', { name: 'Continue' }).click()
  await guest.getByRole('banner').getByText('Northfield Regional Health').waitFor()

  await page.getByRole('link', { name: 'Members' }).click()
  const row = findRow(page, foreigner)
  await row.getByText('Operator').waitFor()
  await button(page, 'Change role: Harborline Manager').click()
  await choose(page, 'Role', 'Auditor')
  await button(page, 'Change role').click()
  await page.getByText('Harborline Manager is Auditor now').first().waitFor()
  await row.getByText('Auditor').waitFor()
  await closed(page)
  await button(page, 'Change role: Northfield Manager').click()
  await choose(page, 'Role', 'Viewer')
  await button(page, 'Change role').click()
  await dialog(page).getByText(`${manager} is the last Manager. Make another member Manager first.`).waitFor()
  await button(page, 'Cancel').click()
  await closed(page)
  await button(page, 'Remove Harborline Manager').click()
  await dialog(page).getByText('They no longer see anything of this organization.').waitFor()
  await button(page, 'Remove').click()
  await row.waitFor({ state: 'detached' })
  await page.getByText('Member removed').first().waitFor()

  // Whose tab is about it: they are shown their own, and why.
  await guest.reload()
  await guest.getByText('You do not belong to that organization').first().waitFor()
  await guest.getByRole('banner').getByText('Harborline Logistics').waitFor()
})

test('[PPL-03] an invitation is sent again, which shows its new link, and revoked, with the keyboard', async () => {
  const api = await stack.api(manager)
  const gid = (await api('getCurrentUser', {})).group!.gid
  const body = { email: 'again@elsewhere.example', roleId: 'viewer', groupId: gid }
  const { link } = await api('createInvitation', { params, body })
  const page = await pages.open('/people/invitations')
  await tabTo(page, 'Send again: again@elsewhere.example')
  await page.keyboard.press('Enter')
  await dialog(page)
    .getByRole('heading', { name: / is invited$/ })
    .waitFor()
  const shown = (await dialog(page).locator('.mono').textContent()) ?? ''
  expect([shown.includes('?invitation='), shown === link]).toEqual([true, false])
  await page.keyboard.press('Escape')
  await closed(page)
  await tabTo(page, 'Revoke the invitation of again@elsewhere.example')
  await page.keyboard.press('Enter')
  await dialog(page).getByText('Its link no longer works.').waitFor()
  await button(page, 'Revoke').press('Enter')
  await page.getByText('No invitation is open.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search invitations')
})

test('[PPL-03] members are searched, sorted and paged by the server, and the address says how', async () => {
  await addMembers(30)
  const page = await pages.open('/people?size=10')
  await page.getByText('of 32 members').waitFor()
  await page.getByRole('searchbox', { name: 'Search members' }).fill('person many')
  await page.getByText('of 30 members matching').waitFor()
  await page.getByRole('columnheader', { name: 'E-mail address' }).getByRole('button').click()
  await page.waitForURL('**/people?search=person+many&sort=Address')
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.waitForURL('**/people?search=person+many&sort=Address&page=2')
  await findRow(page, 'person21@many.example').waitFor()
  await page.reload()
  await findRow(page, 'person21@many.example').waitFor()
  expect(await rows(page).count()).toBe(10)
})

test('[PPL-04 PPL-06 SEE-07] a role of one’s own is made, given, changed and kept while a member has it; nobody grants what they lack', async () => {
  const page = await pages.open('/people/roles')
  await button(page, 'Add a role').click()
  // [SEE-07] Only what lets a member do more than all do.
  const offered = () =>
    dialog(page)
      .getByRole('checkbox')
      .evaluateAll((all) => all.map((one) => one.closest('label')?.textContent))
  await expect
    .poll(offered)
    .toEqual([
      ...['Publish configurations', 'Publish firmware, manage zones', 'Manage the library', 'Manage licences', 'Read the audit log'],
      'Manage people',
    ])
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('manager')
  await dialog(page).getByRole('checkbox', { name: 'Publish configurations' }).check()
  await dialog(page).getByRole('checkbox', { name: 'Manage people' }).press('Space')
  await button(page, 'Add role').click()
  await dialog(page).getByText('There is a role manager already.').waitFor()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Shift lead')
  await button(page, 'Add role').click()
  await page.getByText('Role added').first().waitFor()
  await closed(page)
  const role = (await (await stack.api(manager))('listRoles', { params })).roleList.find(({ name }) => name === 'Shift lead')!
  expect(role.permissions).toEqual(['manage:cfg', 'manage:people'])
  const { memberList } = await (await stack.api(manager))('listMembers', { params, query: { textFilter: member } })
  const memberId = memberList[0]!.memberId
  await (await stack.api(manager))('changeMemberRole', { params: { ...params, memberId }, body: { roleId: role.roleId } })
  onTestFinished(async () => {
    await (await stack.api(manager))('changeMemberRole', { params: { ...params, memberId }, body: { roleId: 'viewer' } })
  })
  await page.reload()
  await button(page, 'Delete the role Shift lead').click()
  await button(page, 'Delete').click()
  await dialog(page).getByText('1 member has the role Shift lead. Give them another role first.').waitFor()
  await button(page, 'Back').click()

  const lead = await pages.open('/people/roles', member)
  await button(lead, 'Edit the role Shift lead').click()
  const firmware = dialog(lead).getByRole('checkbox', { name: 'Publish firmware, manage zones' })
  expect([await firmware.isDisabled(), await dialog(lead).getByRole('checkbox', { name: 'Manage people' }).isEnabled()]).toEqual([
    true,
    true,
  ])
  expect(await firmware.getAttribute('aria-describedby').then((id) => lead.locator(`[id="${id}"]`).textContent())).toContain(
    'You do not have it yourself, so you cannot grant it.',
  )
  await dialog(lead).getByRole('checkbox', { name: 'Publish configurations' }).uncheck()
  await button(lead, 'Save').click()
  await lead.getByText('Role saved').first().waitFor()
  await closed(lead)
  await showInApp(lead, '/people')
  await button(lead, 'Invite a colleague').click()
  await dialog(lead).getByRole('combobox', { name: /^Role/ }).click()
  const choice = lead.getByRole('option', { name: 'Manager (permits more than you may)' })
  expect(await choice.getAttribute('aria-disabled')).toBe('true')
})

test('[PPL-06] a role that another manager has changed is not overwritten unasked: one loads theirs, or saves anyway', async () => {
  const api = await stack.api(manager)
  const { roleId } = await api('createRole', { params, body: { name: 'Porter', permissions: ['manage:cfg', 'manage:firmware'] } })
  onTestFinished(() => api('deleteRole', { params: { ...params, roleId } }))
  const stored = async () => (await api('listRoles', { params })).roleList.find((role) => role.roleId === roleId)
  const page = await pages.open('/people/roles')
  const name = dialog(page).getByRole('textbox', { name: 'Name' })
  const firmware = dialog(page).getByRole('checkbox', { name: 'Publish firmware, manage zones' })
  await button(page, 'Edit the role Porter').click()
  await name.fill('Night porter')
  await api('updateRole', { params: { ...params, roleId }, body: { name: 'Porter', permissions: ['manage:cfg'] } })
  await button(page, 'Save').click()
  await dialog(page).getByText('Another user has changed this role, so yours is not saved.').waitFor()
  expect([await name.inputValue(), await firmware.isChecked()]).toEqual(['Night porter', true])
  expect(await stored()).toMatchObject({ name: 'Porter', permissions: ['manage:cfg'] })
  expect(await axeFindings(page)).toEqual([])
  await button(page, 'Load the newer one').press('Enter')
  await expect.poll(() => name.inputValue()).toBe('Porter')
  expect(await firmware.isChecked()).toBe(false)
  await name.fill('Day porter')
  await api('updateRole', { params: { ...params, roleId }, body: { name: 'Porter', permissions: [] } })
  await button(page, 'Save').click()
  await button(page, 'Save anyway').press('Enter')
  await closed(page)
  expect(await stored()).toMatchObject({ name: 'Day porter', permissions: ['manage:cfg'] })
})

test.for(['radio', 'checkbox'] as const)(
  '[SEE-06] below a required field that is left empty, the first press chooses the %s',
  async (role) => {
    const page = await pages.open('/people/roles')
    await button(page, 'Add a role').click()
    const name = dialog(page).getByRole('textbox', { name: 'Name' })
    await expect.poll(() => name.evaluate((box) => box === document.activeElement)).toBe(true)
    const choice = dialog(page).getByRole(role, { name: role === 'radio' ? 'Only the zones that you choose' : 'Publish configurations' })
    await pressSlowly(choice)
    expect(await choice.isChecked()).toBe(true)
    await dialog(page).getByText('Name must not be empty.').waitFor()
  },
)

test('roles beyond ten are searched by name, and the address says how', async () => {
  const api = await stack.api(manager)
  for (const number of [1, 2, 3, 4, 5, 6, 7]) await api('createRole', { params, body: { name: `Ward ${number}`, permissions: [] } })
  const page = await pages.open('/people/roles')
  await page.getByRole('searchbox', { name: 'Search roles' }).fill('ward 7')
  await page.getByRole('heading', { level: 2, name: /^Operator/ }).waitFor({ state: 'detached' })
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([expect.stringContaining('Ward 7')])
  await page.waitForURL('**/people/roles?search=ward+7')
  await page.getByRole('searchbox', { name: 'Search roles' }).fill('ward 8')
  await page.getByText('No role matches.').waitFor()
  expect(await axeFindings(page)).toEqual([])
})

test('[U-36 PPL-03] a member without the permission sees who has it, and what they may do themselves', async () => {
  const page = await pages.open('/people', member)
  await page.getByRole('region', { name: 'Who manages people' }).getByRole('link', { name: manager }).waitFor()
  await page.getByText('Your role is Viewer.').waitFor()
  expect([await button(page, 'Invite a colleague').count(), await page.getByRole('link', { name: 'Roles' }).count()]).toEqual([0, 0])
  await showInApp(page, '/people/roles')
  await page.getByText(`This page needs the permission “Manage people”. Ask Northfield Manager (${manager}).`).waitFor()
})

test('[PPL-01] where tokens say what members may do, roles are shown, cannot be changed, and the page says why', async () => {
  const other = await startStack({ env: { ORGANIZATION_PERMISSIONS: 'token' } })
  onTestFinished(() => other.stop())
  await other.sql(`update idp_account set permissions = '{manage:people}' where email = $1`, [manager])
  const page = await other.page(manager, '/people')
  const why = page.getByText('Your identity provider says what members may do. Roles are shown here, and have no effect.')
  await why.waitFor()
  const change = findRow(page, member).getByRole('button', { name: 'Change role' })
  expect(await change.getAttribute('aria-disabled')).toBe('true')
  await change.click({ force: true })
  expect(await dialog(page).count()).toBe(0)
  await button(page, 'Invite a colleague').click()
  await dialog(page).getByText('Your identity provider says').waitFor()
  expect(await dialog(page).getByRole('combobox', { name: /^Role/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('heading', { level: 2, name: /^Operator/ }).waitFor()
  await why.waitFor()
  expect(await button(page, 'Add a role').count()).toBe(0)
})

test('axe finds nothing on the pages, with names of any length and direction, nor in their dialogs, nor where they fail', async () => {
  await addMembers(
    3,
    "case n when 1 then repeat('W', 80) when 2 then 'شريف عبد الرحمن' else '<b>Bob</b>' end",
    "'odd' || n || repeat('x', 60) || '@a.example'",
  )
  const page = await pages.open('/people?search=odd')
  const isFine = async () => expect(await axeInLooks(page), page.url()).toEqual([])
  await findRow(page, '<b>Bob</b> Family3').waitFor()
  await isFine()
  await button(page, /^Change role: W/).click()
  await dialog(page).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await closed(page)
  await showInApp(page, '/people/roles')
  await button(page, 'Add a role').click()
  await button(page, 'Add role').click()
  await page.getByText('Name must not be empty.').waitFor()
  await isFine()
  await page.keyboard.press('Escape')
  await closed(page)
  await isFine()
  await page.route('**/invitations?**', (route) => route.fulfill({ status: 500, json: {} }))
  await showInApp(page, '/people/invitations')
  await page.getByText('Error loading invitations').waitFor()
  await isFine()
})
