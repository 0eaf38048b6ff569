import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, axeInLooks, looks, turn } from './support/axe.ts'
import { invite } from './support/invitation.ts'
import { manager, type Stack, startStack } from './support/processes/stack.ts'
import { registerAs, signUp, step, steps } from './support/sign-up.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const tasksUrl = /\/api\/lectern\/register$/
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

/** Replaces the server's list of tasks from its next reading on. */
async function listTasks(page: Page, ...tasks: string[]): Promise<void> {
  await page.unroute(tasksUrl)
  await page.route(tasksUrl, (route) => (route.request().method() === 'GET' ? route.fulfill({ json: tasks }) : route.continue()))
}

/** Holds requests back until the answer is called. */
async function hold(page: Page, url: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}

describe('the guard', () => {
  test('[REG-01 REG-02 REG-03] whoever has something left is sent to /register in place of where they wanted to go, and stays there', async () => {
    const page = await signUp(stack, 'guard@guard.example')
    await step(page, 'User Info').waitFor()
    const release = await hold(page, /register-page-[^/]*\.js/)
    const before = await page.evaluate(() => history.length)
    await page.goto(`${stack.url}/codedm/zones?search=x`)
    await page.getByText('Not registered, redirecting...', { exact: true }).waitFor()
    expect(await page.getByRole('heading').count()).toBe(0)
    release()
    await page.waitForURL(`${stack.url}/register`)
    await step(page, 'User Info').waitFor()
    expect(await page.evaluate(() => history.length)).toBe(before + 1)
    await page.reload()
    await step(page, 'User Info').waitFor()
    expect(new URL(page.url()).pathname).toBe('/register')
  })

  test('[REG-04 REG-15] whoever has nothing left sees what they asked for, once that is known, and has nothing to do on /register', async () => {
    const page = await stack.page(manager, '/codedm/zones')
    await step(page, 'Manage Your Zones').waitFor()
    const release = await hold(page, tasksUrl)
    // Whoever was here last, registered, does not wait for it again.
    await page.reload()
    await step(page, 'Manage Your Zones').waitFor()
    // In another browser it is not known.
    await page.addInitScript(() => localStorage.removeItem('member'))
    const asked = page.waitForRequest(tasksUrl)
    await page.reload()
    await asked
    expect(await page.getByRole('heading').count()).toBe(0)
    release()
    await step(page, 'Manage Your Zones').waitFor()
    await page.goto(`${stack.url}/register`)
    await page.waitForURL(`${stack.url}/product`)
  })

  test('[REG-17] when the tasks cannot be had, the error page says so, there and on /register', async () => {
    const page = await stack.page(manager, '/codedm/zones')
    await step(page, 'Manage Your Zones').waitFor()
    for (const path of ['/codedm/zones', '/register']) {
      await page.route(tasksUrl, (route) => route.fulfill({ status: 500, json: {} }))
      await page.goto(`${stack.url}${path}`)
      await step(page, 'Something went wrong').waitFor()
      await page.unroute(tasksUrl)
      await button(page, 'Try Again').click()
      await step(page, 'Something went wrong').waitFor({ state: 'detached' })
    }
  })
})

describe('the steps', () => {
  test('[REG-05 REG-06] are those of the server in its order, the first pending one open; further ones come after those seen', async () => {
    const page = await signUp(stack, 'order@order.example')
    await step(page, 'User Info').waitFor()
    await listTasks(page, 'JoinAGroup', 'InitialUserRegistration')
    await page.reload()
    await step(page, 'Join a group').waitFor()
    expect(await steps(page)).toEqual(['Join a group: current', 'User Info: upcoming'])
    await page.getByText('Step 1 of 2', { exact: true }).waitFor()
    await listTasks(page, 'SelectProducts', 'InitialUserRegistration')
    await button(page, 'Check again').click()
    await step(page, 'Select your products').waitFor()
    expect(await steps(page)).toEqual(['Join a group: done', 'User Info: upcoming', 'Select your products: current'])
    await page.getByText('Step 3 of 3', { exact: true }).waitFor()
  })

  test('[REG-07 REG-09 REG-12 REG-13 REG-15 REG-16 REG-18 REG-22 VAL-11] lead somebody new through to the portal', async () => {
    const page = await signUp(stack, 'first@acme.example')
    await step(page, 'User Info').waitFor()
    expect(await steps(page)).toEqual(['User Info: current', 'Setup your organization: upcoming'])
    expect(await field(page, 'Work email').inputValue()).toBe('first@acme.example')
    expect(await field(page, 'Work email').getAttribute('readonly')).not.toBeNull()
    await page.getByRole('combobox', { name: 'Country' }).getByText('United States of America', { exact: true }).waitFor()
    const sent = page.waitForRequest((request) => tasksUrl.test(request.url()) && request.method() === 'POST')
    await registerAs(page, 'First', 'Person')
    expect((await sent).postDataJSON()).toEqual({
      firstName: 'First',
      lastName: 'Person',
      countryCode: 'US',
      workEmail: 'first@acme.example',
      workPhoneNumber: '+1 503 555 0188',
    })

    await step(page, 'Setup your organization').waitFor()
    expect(await button(page, 'Next').isDisabled()).toBe(true)
    await field(page, 'Company name').fill('  ')
    expect(await button(page, 'Next').isDisabled()).toBe(true)
    await field(page, 'Company name').fill('Northfield regional health')
    await button(page, 'Next').click()
    await page.getByText('Northfield regional health is already registered.').waitFor()
    expect(await field(page, 'Company name').getAttribute('aria-invalid')).toBe('true')
    await field(page, 'Company name').fill('Acme')
    await button(page, 'Next').click()

    await step(page, 'Select your products').waitFor()
    expect(await steps(page)).toEqual(['User Info: done', 'Setup your organization: done', 'Select your products: current'])
    await page.getByText('What Acme Products works with.').waitFor()
    await page.getByRole('group', { name: 'Hardware' }).getByRole('checkbox', { name: 'CR2700' }).check()
    await page.getByRole('group', { name: 'Software' }).getByRole('checkbox').first().check()
    await button(page, 'Next').click()
    await page.waitForURL(`${stack.url}/product`)
    await step(page, 'Acme Products').waitFor()
  })

  test('[REG-14] products: Next waits for the group and for a choice, and a submit that gets past it says so', async () => {
    const page = await signUp(stack, 'choice@choice.example')
    await step(page, 'User Info').waitFor()
    await registerAs(page, 'Choice', 'Maker')
    await field(page, 'Company name').fill('Choice')
    await button(page, 'Next').click()
    const box = page.getByRole('checkbox', { name: 'CR2700' })
    await box.check()
    await expect.poll(() => button(page, 'Next').isDisabled()).toBe(false)
    await box.uncheck()
    expect(await button(page, 'Next').isDisabled()).toBe(true)
    await page.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit())
    await page.getByText('No products selected', { exact: true }).waitFor()

    await box.check()
    const release = await hold(page, /\/users\/current$/)
    await page.reload()
    await box.waitFor()
    expect(await box.isChecked()).toBe(true)
    expect(await button(page, 'Next').isDisabled()).toBe(true)
    release()
    await expect.poll(() => button(page, 'Next').isDisabled()).toBe(false)
  })

  test('[REG-10 REG-11 REG-19] whose company is registered reads how to join it, and goes on once that is done in another tab', async () => {
    const page = await signUp(stack, 'nurse@northfield.example')
    await step(page, 'User Info').waitFor()
    await registerAs(page, 'Night', 'Nurse')
    await step(page, 'Join a group').waitFor()
    expect(await steps(page)).toEqual(['User Info: done', 'Join a group: current'])
    await page.getByText('Whoever manages people at your company can invite you').waitFor()
    expect(await page.getByRole('main').locator('form, input, select, textarea').count()).toBe(0)
    await button(page, 'Check again').click()
    await expect.poll(() => button(page, 'Check again').getAttribute('aria-busy')).toBeNull()
    await step(page, 'Join a group').waitFor()

    const api = await stack.api(manager)
    const gid = (await api('getCurrentUser', {})).group?.gid ?? 0
    const link = await invite(stack, 'nurse@northfield.example', gid)
    const other = await page.context().newPage()
    await other.goto(`${stack.url}${link}`)
    await step(other, 'You joined Northfield Regional Health Products').waitFor()
    await button(page, 'Check again').click()
    await page.waitForURL(`${stack.url}/product`)
  })

  test('what was typed is there after a reload, and not for somebody else', async () => {
    const page = await signUp(stack, 'draft@draft.example')
    await field(page, 'First name').fill('Half')
    await field(page, 'Work phone').fill('+44 20')
    await page.reload()
    await expect.poll(() => field(page, 'First name').inputValue()).toBe('Half')
    expect(await field(page, 'Work phone').inputValue()).toBe('+44 20')
    await button(page, 'Log out').click()
    await page.locator('input[name=email]').waitFor()
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft/')))).toEqual([])
    const another = await signUp(stack, 'nodraft@draft.example')
    await field(another, 'First name').waitFor()
    expect(await field(another, 'First name').inputValue()).toBe('')
  })
})

test('axe finds nothing in any step', async () => {
  const page = await signUp(stack, 'axe@axe.example')
  const look = async () => expect(await axeInLooks(page), page.url()).toEqual([])
  await step(page, 'User Info').waitFor()
  await field(page, 'First name').focus()
  await field(page, 'Last name').focus()
  await page.getByText('First name must not be empty.').waitFor()
  await look()
  // The open list hides the rest of the page from everybody, and closes when the window changes its size.
  const list = page.getByRole('listbox')
  for (const one of looks) {
    await turn(page, one)
    await list.waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Country' }).click()
    await page.getByRole('option', { name: 'Germany' }).waitFor()
    expect(await axeFindings(page, '[role=listbox]'), one[0]).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await page.keyboard.press('Escape')
  await registerAs(page, 'Axe', 'Finder')
  await step(page, 'Setup your organization').waitFor()
  await look()
  await field(page, 'Company name').fill('Axe')
  await button(page, 'Next').click()
  await page.getByRole('checkbox', { name: 'CR2700' }).waitFor()
  await look()
  await listTasks(page, 'JoinAGroup')
  await page.reload()
  await step(page, 'Join a group').waitFor()
  await look()
})
