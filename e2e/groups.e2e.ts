import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { expireInvitations, invite, readInvitation } from './support/invitation.ts'
import { foreigner, manager, member, staff, startStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { registerAs, signUp, step } from './support/sign-up.ts'

const own = 'Northfield Regional Health Products'
const { stack, pages } = await stackForFile(startStack())
const api = await stack.api(manager)
const gid = (await api('getCurrentUser', {})).group?.gid ?? 0

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const members = (page: Page) => page.getByRole('region', { name: /^Members/ })
const otherGroups = (page: Page) => page.getByRole('region', { name: 'Other groups' })

const joinOwn = () => api('joinGroup', { params: { id: gid }, body: {} })

async function open(account = manager): Promise<Page> {
  const page = await pages.open('/group', account)
  await members(page).waitFor()
  return page
}

describe('the own group', () => {
  test('[REG-20] its member list has every member with initials, name and e-mail, and marks the user', async () => {
    const page = await open(member)
    await step(page, own).waitFor()
    const row = members(page).getByRole('listitem').filter({ hasText: member })
    expect(await row.locator('.avatar').textContent()).toBe('NM')
    await row.getByText('Northfield Member', { exact: true }).waitFor()
    await row.getByText('You', { exact: true }).waitFor()
    expect(await members(page).getByRole('listitem').filter({ hasText: manager }).getByText('You', { exact: true }).count()).toBe(0)
  })

  test('[PPL-05] a colleague of any mail domain is invited by e-mail, signs up with that address and joins; both see each other', async () => {
    const page = await open()
    await button(page, 'Invite a colleague').click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'E-mail address' }).fill('colleague@elsewhere.example')
    await button(page, 'Invite').click()
    await page.getByText('colleague@elsewhere.example is invited').first().waitFor()
    const link = await readInvitation(stack, 'colleague@elsewhere.example')
    expect(link).toContain(`/join/${gid}?invitation=`)

    const calls: string[] = []
    const colleague = await signUp(stack, 'colleague@elsewhere.example', link, (url) => calls.push(url))
    // Nothing else started on the way back from the sign-in that would lead elsewhere.
    await step(colleague, `You joined ${own}`).waitFor()
    const [first, second] = calls.filter((url) => url.includes('/api/lectern/'))
    expect([first, second]).toEqual([expect.stringMatching(/users\/current$/), expect.stringMatching(/\/join$/)])
    await colleague.getByRole('link', { name: 'Continue' }).click()
    await step(colleague, 'User Info').waitFor()
    await registerAs(colleague, 'New', 'Colleague')
    await colleague.waitForURL(`${stack.url}/product`)
    await colleague.goto(`${stack.url}/group`)
    await members(colleague).getByText('New Colleague', { exact: true }).waitFor()
    await page.reload()
    await members(page).getByText('New Colleague', { exact: true }).waitFor()
    await colleague.context().close()
  })

  test('[U-36] who may not invite reads whom to ask', async () => {
    const page = await open(member)
    await page.getByText(`Colleagues join by invitation. Ask Northfield Manager (${manager}).`).waitFor()
    expect(await button(page, 'Invite a colleague').count()).toBe(0)
  })

  test('[MAY-01] who may not change it is offered no change of it, nor of its products', async () => {
    const page = await open(member)
    await members(page).getByRole('listitem').first().waitFor()
    expect(await page.getByRole('button', { name: /Rename group|Add a group|Join this group/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Products', exact: true }).first().click()
    await page.getByRole('link', { name: 'Members', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /Edit Product List|Choose products/ }).count()).toBe(0)
  })

  test('can be renamed, and another one added; a blank name is refused at the field', async () => {
    const page = await open()
    await button(page, 'Rename group').click()
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Group name' })
    await name.fill('Bedside readers')
    await button(page, 'Rename').click()
    await step(page, 'Bedside readers').waitFor()
    await button(page, 'Add a group').click()
    await button(page, 'Add group').click()
    await page.getByText('Group name must not be empty.').waitFor()
    await name.fill('Pharmacy readers')
    await button(page, 'Add group').click()
    await otherGroups(page).getByText('Pharmacy readers').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await api('listGroups', {})).map((group) => group.name)).toEqual(['Bedside readers', 'Pharmacy readers'])
    await api('renameGroup', { params: { id: gid }, body: { name: own } })
  })

  test('[PPL-05] without an invitation whoever manages people joins another group of their own organization, after a question, and of no other organization', async () => {
    const { gid: other } = await api('createGroup', { body: { name: 'Theatre readers' } })
    await api('setGroupProducts', { params: { id: other }, body: { productIds: [2] } })
    const page = await open()
    const join = otherGroups(page).getByRole('button', { name: 'Join this group: Theatre readers' })
    await join.click()
    await page.getByText(`You leave ${own} and see the products of Theatre readers instead.`).waitFor()
    await button(page, 'Back').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await step(page, own).waitFor()
    await join.click()
    await button(page, 'Join').click()
    await step(page, 'Theatre readers').waitFor()
    await members(page).getByText('Northfield Manager', { exact: true }).waitFor()
    await otherGroups(page).getByText(own).waitFor()
    await api('joinGroup', { params: { id: gid }, body: {} })

    const outside = await pages.open(`/join/${other}`, foreigner)
    await button(outside, 'Join').click()
    await step(outside, 'You have not joined the group').waitFor()
    await outside.getByText('This link has no invitation in it.').waitFor()
    expect((await (await stack.api(foreigner))('getCurrentUser', {})).group?.name).toBe('Harborline Logistics Products')
  })

  test('says that it cannot be loaded, and loads when asked again', async () => {
    const page = await pages.open('/group', manager, (fresh) =>
      fresh.route('**/api/lectern/group?*', (route) => route.fulfill({ status: 500, json: {} })),
    )
    await button(page, 'Try Again').waitFor()
    await page.unroute('**/api/lectern/group?*')
    await button(page, 'Try Again').click()
    await members(page).waitFor()
  })
})

describe('a link', () => {
  test('asks a member before it moves them', async () => {
    const before = (await api('getCurrentUser', {})).group?.gid
    const page = await open()
    const calls: string[] = []
    page.on('request', (request) => request.method() === 'POST' && request.url().endsWith('/join') && calls.push(request.url()))
    const { gid: other } = await api('createGroup', { body: { name: 'Asked first' } })
    await showInApp(page, `/join/${other}`)
    await step(page, 'Join this group?').waitFor()
    await page.getByText(`You are in ${own}.`).waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL(`${stack.url}/product`)
    expect([calls, (await api('getCurrentUser', {})).group?.gid]).toEqual([[], before])
  })

  test('joins once, though the page renders many times', async () => {
    const page = await open()
    const calls: string[] = []
    page.on('request', (request) => request.method() === 'POST' && request.url().endsWith('/join') && calls.push(request.url()))
    const { gid: other } = await api('createGroup', { body: { name: 'Joined once' } })
    await showInApp(page, `/join/${other}`)
    await button(page, 'Join').click()
    await step(page, 'You joined Joined once').waitFor()
    expect(calls).toHaveLength(1)
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL(`${stack.url}/product`)
    await joinOwn()
  })

  test('says to whoever is in the group already that they are, and joins nothing', async () => {
    const page = await open()
    await showInApp(page, `/join/${gid}?invitation=x`)
    await step(page, `You are in ${own}`).waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL(`${stack.url}/product`)
  })

  test('[PPL-05] says in words why it does not serve: expired, changed, of another address, its group gone', async () => {
    const { gid: gone } = await api('createGroup', { body: { name: 'Short-lived' } })
    const toGone = await invite(stack, 'gone@elsewhere.example', gone)
    await (await stack.api(staff))('deleteGroup', { params: { id: gone }, body: { replacementGroupId: gid } })
    const ofAnother = await invite(stack, 'another@elsewhere.example', gid)
    const link = await invite(stack, foreigner, gid)
    await expireInvitations(stack, foreigner)
    const refusals: [string, string, string][] = [
      [foreigner, link, `This invitation has expired. Ask Northfield Manager (${manager}) for a new link.`],
      [foreigner, link.slice(0, -4), 'This invitation is not valid'],
      [foreigner, ofAnother, 'This invitation is for another e-mail address. Sign in with the address that it was sent to.'],
      [foreigner, toGone, 'This invitation is not valid'],
      [staff, ofAnother, "The vendor's staff belong to no customer's organization."],
    ]
    for (const [account, path, sentence] of refusals) {
      const page = await pages.open(path, account)
      if (account !== staff) await button(page, 'Join').click()
      await step(page, 'You have not joined the group').waitFor()
      await page.getByText(sentence).waitFor()
      await page.getByText(`You are signed in as ${account}.`).waitFor()
      await page.getByRole('link', { name: 'Continue to Lectern' }).click()
      await page.waitForURL(`${stack.url}/product`)
    }
  })

  test('can be tried again when the server could not be reached', async () => {
    const page = await open()
    const { gid: other } = await api('createGroup', { body: { name: 'Tried again' } })
    const link = `/join/${other}`
    await page.route('**/join', (route) => route.fulfill({ status: 500, json: {} }))
    await showInApp(page, link)
    await button(page, 'Join').click()
    await button(page, 'Try Again').waitFor()
    await page.unroute('**/join')
    await button(page, 'Try Again').click()
    await step(page, 'You joined Tried again').waitFor()
    await joinOwn()
  })
})

test('axe finds nothing in any state', async () => {
  const page = await open()
  const look = async () => expect(await axeInLooks(page), page.url()).toEqual([])
  const { gid: other } = await api('createGroup', { body: { name: 'Axe readers' } })
  await button(page, 'Invite a colleague').click()
  await page.getByRole('dialog').waitFor()
  await look()
  await button(page, 'Cancel').click()
  await button(page, 'Add a group').click()
  await button(page, 'Add group').click()
  await page.getByText('Group name must not be empty.').waitFor()
  await look()
  await button(page, 'Cancel').click()
  await page.reload()
  await button(page, 'Join this group: Axe readers').click()
  await page.getByRole('dialog').waitFor()
  await look()
  await showInApp(page, `/join/${other}?invitation=x`)
  await step(page, 'Join this group?').waitFor()
  await look()
  await button(page, 'Join').click()
  await step(page, 'You have not joined the group').waitFor()
  await look()
  await page.goto(`${stack.url}/join/${other}`)
  await button(page, 'Join').click()
  await step(page, 'You joined Axe readers').waitFor()
  await look()
  await page.reload()
  await step(page, 'You are in Axe readers').waitFor()
  await look()
})
