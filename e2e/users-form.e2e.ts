import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manager, type Stack, startStack } from './support/processes/stack.ts'
import { signUp, step } from './support/sign-up.ts'

/** The form that registration and profile have in common: names, country, phone. */

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const register = (page: Page) => page.getByRole('button', { name: 'Register', exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const country = (page: Page) => page.getByRole('combobox', { name: 'Country' })
/** A colour of the design, as the browser computes it. */
const token = (page: Page, name: string) =>
  page.evaluate((variable) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = `var(--${variable})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, name)
const look = (element: Locator, property: string) =>
  element.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property)

async function newcomer(email: string): Promise<Page> {
  const page = await signUp(stack, email)
  await step(page, 'User Info').waitFor()
  return page
}

/** Waits until the mask works, and leaves the field empty. */
async function untilMasked(phone: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await phone.fill('')
      await phone.pressSequentially('5035550188')
      return phone.inputValue()
    })
    .toBe('(503) 555-0188')
  await phone.fill('')
}

test('[REG-08 VAL-07 VAL-12 VAL-13] Register waits for a valid form; an error stands under its field in red, and the field is pink', async () => {
  const page = await newcomer('form@form.example')
  expect(await register(page).isDisabled()).toBe(true)
  const [first, last, phone] = [field(page, 'First name'), field(page, 'Last name'), field(page, 'Work phone')]
  await first.fill('A')
  await last.fill('O’Neill-Ñandú 3rd, 李')
  expect(await register(page).isDisabled()).toBe(true)
  expect(await page.locator('.field-error').count()).toBe(0)
  await phone.fill('123')
  await first.focus()
  await page.getByText(/^Work phone must be a phone number, such as/).waitFor()
  expect(await register(page).isDisabled()).toBe(true)
  await phone.fill('503 555 0188 x12')
  await expect.poll(() => register(page).isDisabled()).toBe(false)
  await expect.poll(() => page.locator('.field-error').count()).toBe(0)

  await first.fill('')
  const error = page.getByText('First name must not be empty.')
  await error.waitFor()
  await expect.poll(() => register(page).isDisabled()).toBe(true)
  const [above, below] = [await first.boundingBox(), await error.boundingBox()]
  expect(below!.y).toBeGreaterThanOrEqual(above!.y + above!.height)
  expect(await look(error, 'color')).toBe(await token(page, 'bad'))
  expect(await look(first, 'background-color')).toBe(await token(page, 'invalid-bg'))
  expect(await look(last, 'background-color')).not.toBe(await token(page, 'invalid-bg'))
  expect(await first.evaluate((input: HTMLInputElement) => input.validationMessage)).toBe('First name must not be empty.')
})

test('[VAL-05 VAL-06] the country is chosen from the list of countries by typing its name, and is sent as its two-letter code', async () => {
  const page = await newcomer('country@country.example')
  await country(page).click()
  const countries = await (await stack.api(manager))('listCountries', {})
  expect(countries.length).toBeGreaterThan(240)
  expect(await page.getByRole('option').allInnerTexts()).toEqual(countries.map(({ name }) => name))
  await page.getByRole('option', { name: 'Germany' }).waitFor()
  await page.keyboard.type('germ')
  await page.locator('[role=option][data-highlighted]', { hasText: 'Germany' }).waitFor()
  await page.keyboard.press('Enter')
  expect(await country(page).textContent()).toBe('Germany')
  await field(page, 'First name').fill('A')
  await field(page, 'Last name').fill('B')
  await field(page, 'Work phone').fill('+49 30 12345678')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/lectern/register'))
  await register(page).click()
  expect((await sent).postDataJSON().countryCode).toBe('DE')
  await step(page, 'Setup your organization').waitFor()
  const api = await stack.api(manager)
  for (const countryCode of ['D', 'DEU', ''])
    await expect(api('updateCurrentUser', { body: { countryCode } })).rejects.toThrow('must have exactly 2 characters')
})

test('[UIP-06] the open list keeps 10 px from the edges of the window', async () => {
  const page = await newcomer('edge@edge.example')
  await page.setViewportSize({ width: 1440, height: 520 })
  await country(page).scrollIntoViewIfNeeded()
  await country(page).click()
  const list = page.getByRole('listbox')
  await list.waitFor()
  const box = (await list.boundingBox())!
  expect(Math.min(Math.round(box.y), Math.round(520 - box.y - box.height))).toBe(10)
})

test('[VAL-08 VAL-09] the phone is free text under an international mask; what is too long is cut as it is typed', async () => {
  const page = await newcomer('phone@phone.example')
  const phone = field(page, 'Work phone')
  await untilMasked(phone)

  // A number without a code has the form's country, at first the United States.
  await phone.pressSequentially('503555018899')
  expect(await phone.inputValue()).toBe('(503) 555-0188')
  await field(page, 'First name').focus()
  expect(await phone.inputValue()).toBe('+1 503 555 0188')

  // Another country's number, whatever the form's country is.
  await phone.fill('')
  await phone.pressSequentially('+442079460958123')
  expect(await phone.inputValue()).toBe('+44 20 7946 0958')

  // A digit in the middle moves nothing, and one too many is refused.
  await phone.evaluate((input: HTMLInputElement) => input.setSelectionRange(5, 5))
  await phone.press('Backspace')
  expect(await phone.inputValue()).toBe('+44 0 7946 0958')
  await phone.pressSequentially('2')
  expect(await phone.inputValue()).toBe('+44 20 7946 0958')
  await phone.evaluate((input: HTMLInputElement) => input.setSelectionRange(5, 5))
  await phone.pressSequentially('9')
  expect(await phone.inputValue()).toBe('+44 20 7946 0958')

  // Not strict: an extension stays as typed, and deleted text is not put back.
  await phone.evaluate((input: HTMLInputElement) => input.setSelectionRange(99, 99))
  await phone.pressSequentially(' x12')
  await field(page, 'First name').focus()
  expect(await phone.inputValue()).toMatch(/^\+44 20 7946 0958 ?x12$/)
  await phone.fill('(503) 5')
  await phone.press('Backspace')
  await phone.press('Backspace')
  expect(await phone.inputValue()).toBe('(503)')

  // Then the country that is chosen.
  await country(page).click()
  await page.getByRole('option', { name: 'Germany' }).waitFor()
  await page.keyboard.type('germ')
  await page.locator('[role=option][data-highlighted]', { hasText: 'Germany' }).waitFor()
  await page.keyboard.press('Enter')
  await phone.fill('')
  await phone.pressSequentially('03012345678')
  await field(page, 'First name').focus()
  expect(await phone.inputValue()).toBe('+49 30 12345678')
})

test('[VAL-10] the metadata of the mask is fetched when a phone field shows, not before; without it the field still takes a number', async () => {
  const page = await stack.page(manager, '/product')
  await page.getByRole('link', { name: /^Profile/ }).waitFor()
  await page.waitForLoadState('networkidle')
  const metadata = /\/phone-mask-[^/]*\.js$/
  const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  expect((await loaded()).filter((name) => metadata.test(name))).toEqual([])
  const answer = page.waitForResponse(metadata)
  await page.getByRole('link', { name: /^Profile/ }).click()
  expect(await (await answer).text()).toContain('country_calling_codes')
  const scripts = (await loaded()).filter((name) => name.endsWith('.js') && !metadata.test(name))
  expect(scripts.length).toBeGreaterThan(2)
  for (const script of scripts) expect(await (await fetch(script)).text()).not.toContain('country_calling_codes')

  await page.route(metadata, (route) => route.abort())
  await page.reload()
  await field(page, 'Phone').fill('')
  await field(page, 'Phone').pressSequentially('5035550199')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Profile saved').first().waitFor()
  expect((await (await stack.api(manager))('getCurrentUser', {})).phone).toBe('5035550199')
})
