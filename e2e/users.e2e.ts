import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { manager, member, signIn, staff, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { step } from './support/sign-up.ts'

const { stack, pages } = await stackForFile(startStack())

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const save = (page: Page) => button(page, 'Save')

async function open(account = manager): Promise<Page> {
  const page = await pages.open('/profile', account)
  await field(page, 'First name').waitFor()
  return page
}

test('[PRF-01 PRF-03] shows names, e-mail, country and phone; the e-mail is read-only and a tooltip says why', async () => {
  const page = await open()
  await step(page, 'Profile').waitFor()
  expect(await field(page, 'First name').inputValue()).toBe('Northfield')
  expect(await field(page, 'Last name').inputValue()).toBe('Manager')
  expect(await field(page, 'Phone').inputValue()).toBe('+1 503 555 0100')
  await page.getByRole('combobox', { name: 'Country' }).getByText('United States of America', { exact: true }).waitFor()
  const email = field(page, 'Email')
  expect(await email.inputValue()).toBe(manager)
  expect(await email.getAttribute('readonly')).not.toBeNull()
  expect(await page.getByRole('tooltip').count()).toBe(0)
  await email.focus()
  await page.getByRole('tooltip', { name: 'You cannot change your email address' }).waitFor({ state: 'attached' })
  await field(page, 'First name').focus()
  await page.getByRole('tooltip').waitFor({ state: 'detached' })
  await email.hover()
  await page.getByRole('tooltip').waitFor({ state: 'attached' })
})

test('is asked for once', async () => {
  const calls: string[] = []
  const page = await pages.open('/profile', manager, (fresh) => {
    fresh.on('request', (request) => request.url().endsWith('/users/current') && calls.push(request.method()))
  })
  await field(page, 'First name').waitFor()
  await page.waitForLoadState('networkidle')
  expect(calls).toEqual(['GET'])
})

test('[PRF-04] Cancel brings back what was', async () => {
  const page = await open()
  await field(page, 'First name').fill('')
  await field(page, 'Last name').fill('Another')
  await field(page, 'Phone').fill('12')
  await page.getByRole('combobox', { name: 'Country' }).click()
  await page.keyboard.type('germ')
  await page.keyboard.press('Enter')
  await button(page, 'Cancel').click()
  expect(await field(page, 'First name').inputValue()).toBe('Northfield')
  expect(await field(page, 'Last name').inputValue()).toBe('Manager')
  expect(await field(page, 'Phone').inputValue()).toBe('+1 503 555 0100')
  await page.getByRole('combobox', { name: 'Country' }).getByText('United States of America', { exact: true }).waitFor()
  expect(await page.locator('.field-error').count()).toBe(0)
})

test('[PRF-05 VAL-07 VAL-08] Save waits for a first name; last name and phone may be any text, or none', async () => {
  const page = await open()
  await field(page, 'First name').fill(' ')
  await expect.poll(() => save(page).isDisabled()).toBe(true)
  await field(page, 'Last name').fill('')
  await page.getByText('First name must not be empty.').waitFor()
  await field(page, 'First name').fill('N')
  await expect.poll(() => save(page).isDisabled()).toBe(false)
  await field(page, 'Phone').fill('the front desk, ask for 12')
  expect(await save(page).isDisabled()).toBe(false)
  await field(page, 'Phone').fill('')
  expect(await save(page).isDisabled()).toBe(false)
  await button(page, 'Cancel').click()
})

test('[PRF-06] Save stores the profile: it is there after a reload, and colleagues see it', async () => {
  const page = await open(member)
  await field(page, 'First name').fill('Øyvind')
  await field(page, 'Last name').fill('')
  await field(page, 'Phone').fill('+47 22 12 34 56')
  await page.getByRole('combobox', { name: 'Country' }).click()
  await page.getByRole('option', { name: 'Norway' }).waitFor()
  await page.keyboard.type('norw')
  await page.locator('[role=option][data-highlighted]', { hasText: 'Norway' }).waitFor()
  await page.keyboard.press('Enter')
  await save(page).click()
  await page.getByText('Profile saved', { exact: true }).first().waitFor()
  await page.reload()
  await expect.poll(() => field(page, 'First name').inputValue()).toBe('Øyvind')
  expect(await field(page, 'Last name').inputValue()).toBe('')
  expect(await field(page, 'Phone').inputValue()).toBe('+47 22 12 34 56')
  expect(await page.getByRole('combobox', { name: 'Country' }).textContent()).toBe('Norway')
  await page.getByRole('link', { name: 'Members and invitation link' }).click()
  await page.waitForURL(`${stack.url}/group`)
  await page.getByText('Øyvind', { exact: true }).waitFor()
})

test('[PRF-07] while it is saved the form is dim and takes neither clicks nor keys; then focus is back, and nothing is sent twice', async () => {
  const page = await open()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let sent = 0
  await page.route('**/users/current', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    sent += 1
    await released
    await route.continue()
  })
  const last = field(page, 'Last name')
  await last.fill('Busy')
  await last.press('Enter')
  const fields = page.locator('form [aria-busy=true]').filter({ has: page.locator('input') })
  await fields.waitFor()
  expect(await fields.evaluate((element) => (element as HTMLElement).inert)).toBe(true)
  await expect.poll(() => fields.evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(1)
  const box = (await page.locator('input[autocomplete=family-name]').boundingBox())!
  await page.mouse.click(box.x + 20, box.y + 10)
  await page.keyboard.type('more')
  expect(await page.locator('input[autocomplete=family-name]').inputValue()).toBe('Busy')
  await page.keyboard.press('Enter')
  release()
  await page.getByText('Profile saved', { exact: true }).first().waitFor()
  expect(await last.inputValue()).toBe('Busy')
  await expect.poll(() => last.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(sent).toBe(1)
  await (await stack.api(manager))('updateCurrentUser', { body: { lastName: 'Manager' } })
})

test('[VAL-12] what the server refuses stands under its field; a failure stands in the form, and what was typed stays', async () => {
  const page = await open()
  await field(page, 'Last name').fill('Refused')
  const errors = [{ field: 'lastName', message: 'must not have control characters' }]
  const problem = { type: 'about:blank', title: 'Bad request', status: 400, detail: 'lastName must not have control characters', errors }
  await page.route('**/users/current', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 400, json: problem }) : route.continue(),
  )
  await save(page).click()
  const error = page.getByText('Last name must not have control characters.')
  await error.waitFor()
  expect(await field(page, 'Last name').getAttribute('aria-invalid')).toBe('true')
  const [above, below] = [await field(page, 'Last name').boundingBox(), await error.boundingBox()]
  expect(below!.y).toBeGreaterThanOrEqual(above!.y + above!.height)
  await page.unroute('**/users/current')
  await page.route('**/users/current', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await field(page, 'Last name').fill('Failed')
  await save(page).click()
  await page.getByRole('alert').getByText('The server responded with 500.').waitFor()
  expect(await field(page, 'Last name').inputValue()).toBe('Failed')
})

test('changes are not left behind without a question', async () => {
  const page = await open()
  await field(page, 'First name').fill('Unsaved')
  await page.getByRole('link', { name: 'Members and invitation link' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
  await button(page, 'Stay').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await field(page, 'First name').inputValue()).toBe('Unsaved')
  await page.getByRole('link', { name: 'Members and invitation link' }).click()
  await button(page, 'Leave').click()
  await page.waitForURL(`${stack.url}/group`)
})

test('staff have a profile and no group; a profile that cannot be loaded says so', async () => {
  let broken = true
  const page = await pages.open('/profile', staff, (fresh) =>
    fresh.route('**/users/current', (route) => (broken ? route.fulfill({ status: 500, json: {} }) : route.continue())),
  )
  await button(page, 'Try Again').waitFor()
  broken = false
  await button(page, 'Try Again').click()
  await field(page, 'First name').waitFor()
  expect(await page.getByText('Your group').count()).toBe(0)
})

test('[PRF-02] Log out ends the session: the way back leads to the sign-in', async () => {
  const page = await stack.page(member, '/profile')
  await button(page, 'Log out').click()
  await page.locator('input[name=password]').waitFor()
  await page.goto(`${stack.url}/profile`)
  await page.locator('input[name=password]').waitFor()
})

test('axe finds nothing', async () => {
  const page = await open()
  await field(page, 'First name').fill('')
  await field(page, 'Last name').focus()
  await page.getByText('First name must not be empty.').waitFor()
  expect(await axeInLooks(page)).toEqual([])
})

// The last test, as it changes the password that the others sign in with.
test('[SES-02] a password is changed from the profile, and the account signs in with the new one alone', async () => {
  const page = await open(member)
  await page.getByRole('link', { name: 'Change your password' }).click()
  await page.getByLabel('Your password').fill('lectern-demo')
  await page.getByLabel('New password').fill('correct horse')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByRole('heading', { name: 'Password saved' }).waitFor()
  await page.getByRole('link', { name: 'Continue to Lectern' }).click()
  await signIn(page, member)
  await page.getByText('The e-mail or the password is wrong.').waitFor()
  await signIn(page, member, 'correct horse')
  await page.getByRole('banner').getByRole('link', { name: 'Device Management' }).waitFor()
  await page.context().close()
})
