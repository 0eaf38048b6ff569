import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foreigner, manager, member, type Stack, startStack } from './support/processes/stack.ts'
import { accessToken } from './support/sign-in.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const zones = '/codedm/zones'
const heading = (page: Page) => page.getByRole('heading', { name: 'Manage Your Zones' })
const signInPage = (page: Page) => page.locator('input[name=password]')
const profile = (page: Page, email: string) => page.getByRole('link', { name: `Profile, ${names[email]}` })
let names: Record<string, string> = {}

beforeAll(async () => {
  const rows = await stack.sql<{ email: string; name: string }>('select email, name from idp_account')
  names = Object.fromEntries(rows.map(({ email, name }) => [email, name]))
})

/** A page that opens with a token stored. */
async function openWith(token: string): Promise<Page> {
  const context = await stack.browser.newContext()
  const page = await context.newPage()
  await page.addInitScript((value) => {
    if (window === window.top && localStorage.getItem('token') === null) localStorage.setItem('token', value)
  }, token)
  await page.goto(`${stack.url}${zones}`)
  return page
}

/** Stores a token from another tab of the same browser. */
async function storeElsewhere(page: Page, token: string | null) {
  const tab = await page.context().newPage()
  await tab.goto(`${stack.url}/favicon.svg`)
  await tab.evaluate((value) => (value === null ? localStorage.removeItem('token') : localStorage.setItem('token', value)), token)
  await tab.close()
}

/** A token whose session has been signed out. */
async function signedOutToken(): Promise<string> {
  const token = await accessToken(stack.url, manager)
  await stack.sql(`delete from idp_record where model in ('Session', 'Grant', 'RefreshToken')`)
  return token
}

const changed = async () => {
  const [head, body, signature] = (await accessToken(stack.url, manager)).split('.')
  const claims = JSON.parse(Buffer.from(body ?? '', 'base64url').toString()) as Record<string, unknown>
  return [head, Buffer.from(JSON.stringify({ ...claims, exp: 9_999_999_999 })).toString('base64url'), signature].join('.')
}

describe('a stored token', () => {
  test('[ACC-17 ENT-33] is read at start and logs its user in, with its permissions', async () => {
    const page = await openWith(await accessToken(stack.url, manager))
    await heading(page).waitFor()
    await profile(page, manager).waitFor()
    await page.getByRole('link', { name: 'Configure', exact: true }).waitFor()
    await page.context().close()
  })

  test.each([
    ['no token at all', async () => 'x'],
    ['changed', changed],
    ['of a session that was signed out', signedOutToken],
  ])('[ACC-17] is not honoured: %s', async (_, make) => {
    const page = await openWith(await make())
    await signInPage(page).waitFor()
    await page.context().close()
  })

  test('[ACC-18] stored in another tab is read again and logs its user in', async () => {
    const page = await stack.page(member, zones)
    await profile(page, member).waitFor()
    expect(await page.getByRole('link', { name: 'Configure', exact: true }).count()).toBe(0)
    await storeElsewhere(page, await accessToken(stack.url, manager))
    await profile(page, manager).waitFor()
    await page.getByRole('link', { name: 'Configure', exact: true }).waitFor()
    await page.context().close()
  })

  test('of another organization, stored in another tab, leaves nothing on the screen of the person before', async () => {
    const page = await stack.page(member, zones)
    await page.getByText('ED Triage').waitFor()
    await page.getByRole('banner').getByText('Northfield Regional Health').waitFor()
    await storeElsewhere(page, await accessToken(stack.url, foreigner))
    await page.getByRole('banner').getByText('Harborline Logistics').waitFor()
    await page.getByText('ED Triage').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('[ACC-19] makes cached device-management data stale, and nothing else', async () => {
    const page = await stack.page(manager, zones)
    await page.getByText('Show all').waitFor()
    const token = await accessToken(stack.url, manager)
    const called: string[] = []
    page.on('request', (request) => {
      if (request.headers().authorization === `Bearer ${token}`) called.push(new URL(request.url()).pathname)
    })
    await storeElsewhere(page, token)
    await expect.poll(() => called.filter((path) => /\/(locations\/list|summary)$/.test(path))).toHaveLength(2)
    // Only the check of the token itself makes calls outside device management.
    expect(called.filter((path) => !path.startsWith('/api/codedm/')).sort()).toEqual(['/api/lectern/users/current', '/userinfo'])
    await page.context().close()
  })

  test('[ACC-18] removed in another tab, ends its session', async () => {
    const page = await openWith(await accessToken(stack.url, manager))
    await heading(page).waitFor()
    await storeElsewhere(page, null)
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await page.context().close()
  })
})

test('[ACC-17] where the setting is off, no stored token is honoured', async () => {
  const other = await startStack({ env: { LOCAL_TOKEN: 'off' } })
  try {
    const page = await other.browser.newPage()
    await page.addInitScript((value) => localStorage.setItem('token', value), await accessToken(other.url, manager))
    await page.goto(`${other.url}${zones}`)
    await signInPage(page).waitFor()
  } finally {
    await other.stop()
  }
})
