import { loginScopes } from '@lectern/contract/http/permissions.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manager, type Stack, signIn, startStack } from './support/processes/stack.ts'
import { authorizations, readGrant } from './support/refused-token.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const zones = '/codedm/zones?from=a%26b'
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

async function visit(path: string): Promise<Page> {
  const page = await (await stack.browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await page.goto(`${stack.url}${path}`)
  return page
}

describe('a visitor of a protected page', () => {
  test('[ACC-01 ACC-02 ACC-05 ACC-07] is sent to the provider before anything of it is shown or called', async () => {
    const page = await (await stack.browser.newContext()).newPage()
    const called: string[] = []
    page.on('request', (request) => called.push(new URL(request.url()).pathname))
    const asked = authorizations(page)
    // The provider's page has the same origin, so it can read what the protected page has shown.
    await page.addInitScript(() => {
      if (!location.pathname.startsWith('/codedm')) return
      new MutationObserver(() => {
        sessionStorage.setItem('shown', `${sessionStorage.getItem('shown') ?? ''}${document.body?.textContent ?? ''}`)
      }).observe(document, { subtree: true, childList: true, characterData: true })
    })
    await page.goto(`${stack.url}${zones}`)
    await page.locator('input[name=password]').waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('shown'))).toMatch(
      /^(Lectern needs JavaScript\.|Lectern|Loading…|Signing in…|\{"providerName".*?\}|\s)*$/,
    )
    expect(called.filter((path) => path.startsWith('/api/'))).toEqual([])
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: 'lectern-web',
      audience: 'urn:lectern:api',
    })
    expect(asked[0]?.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    const expected =
      'access:analytics access:audit_log access:device-dashboard email global:access:analytics global:access:organizations manage:cfg manage:cfg-lib manage:firmware manage:licences manage:locations manage:people name openid profile offline_access'
    expect(asked[0]?.get('scope')?.split(' ').sort()).toEqual(expected.split(' ').sort())
    expect(loginScopes.split(' ').sort()).toEqual(expected.split(' ').sort())
    await page.context().close()
  })

  test('[ACC-02 ACC-03 ACC-04 ACC-12] comes back to path and query, signed in, with no code or state left', async () => {
    const page = await visit(zones)
    const addresses: string[] = []
    page.on('framenavigated', (frame) => frame === page.mainFrame() && addresses.push(frame.url()))
    await signIn(page, manager)
    await heading(page, 'Manage Your Zones').waitFor()
    expect(page.url()).toBe(`${stack.url}${zones}`)
    // The address is replaced, not added, so the way back does not lead through the callback.
    expect(addresses.some((address) => address.includes('code='))).toBe(true)
    await page.goBack()
    expect(page.url()).not.toContain('code=')
    await page.context().close()
  })

  test('[ACC-06] gets a refresh token', async () => {
    const page = await visit('/codedm')
    const answered = page.waitForResponse((response) => readGrant(response.request()) === 'authorization_code')
    await signIn(page, manager)
    expect(await (await answered).json()).toHaveProperty('refresh_token')
    await heading(page, 'Device Management').waitFor()
    await page.context().close()
  })

  test('[ACC-01] whose sign-in page is left unanswered sees nothing of any other path either', async () => {
    for (const path of ['/', '/codedm', '/codedm/device-dashboard', '/codedm/apply-config', '/codedm/config-success', '/nowhere']) {
      const page = await visit(path)
      await page.locator('input[name=password]').waitFor()
      await page.context().close()
    }
  })
})

describe('a refused sign-in', () => {
  /** Makes the provider respond to the authorization request with an error. */
  async function refused(query: Record<string, string>): Promise<Page> {
    const page = await (await stack.browser.newContext()).newPage()
    await page.route('**/authorize?*', (route) => {
      const state = new URL(route.request().url()).searchParams.get('state') ?? ''
      return route.fulfill({ status: 303, headers: { location: `${stack.url}/?${new URLSearchParams({ state, ...query })}` } })
    })
    await page.goto(`${stack.url}${zones}`)
    return page
  }

  test('[ACC-03 ACC-09 ACC-10 ACC-21 ACC-23] says "Login failed" with code and description, at the page that was asked for', async () => {
    const page = await refused({ error: 'access_denied', error_description: 'You may not enter.' })
    await heading(page, 'Login failed').waitFor()
    expect(await page.locator('main').textContent()).toContain('You may not enter.')
    expect(await page.locator('main').textContent()).toContain('access_denied')
    await page.waitForURL(`${stack.url}${zones}`)
    await page.unroute('**/authorize?*')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signIn(page, manager)
    await page.waitForURL(`${stack.url}${zones}`)
    await page.context().close()
  })

  test('[ACC-20 ACC-21] an answer with another state is refused with "Invalid state"', async () => {
    const page = await refused({ code: 'stolen', state: 'another' })
    await heading(page, 'Login failed').waitFor()
    expect(await page.locator('main').textContent()).toContain('Invalid state')
    await page.context().close()
  })

  test('[INP-08] a clock that is over an hour fast is named with what it says; a slow one signs in', async () => {
    const hour = 3_600_000
    for (const hours of [2, 24 * 40]) {
      const page = await visit('/codedm')
      await page.clock.setSystemTime(Date.now() + hours * hour)
      await signIn(page, manager)
      await heading(page, 'Login failed').waitFor()
      const year = new Date(Date.now() + hours * hour).getFullYear()
      await page
        .getByText(
          new RegExp(
            `The clock of this computer is wrong: it says \\d+ \\w+ ${year}.* Set date, time and time zone, then sign in again\\.`,
          ),
        )
        .waitFor()
      await page.context().close()
    }
    const page = await visit('/codedm')
    await page.clock.setSystemTime(Date.now() - 24 * hour)
    await signIn(page, manager)
    await heading(page, 'Device Management').waitFor()
    await page.context().close()
  })

  test('[ACC-31] an ID token is accepted 60 s past its time, and not later', async () => {
    const expiresIn = 3_600_000
    for (const [late, title] of [
      [30_000, 'Device Management'],
      [90_000, 'Login failed'],
    ] as const) {
      const page = await visit('/codedm')
      await page.clock.setSystemTime(Date.now() + expiresIn + late)
      await signIn(page, manager)
      await heading(page, title).waitFor()
      await page.context().close()
    }
  })
})

test.for([
  ['another sign-in', { nonce: 'another' }],
  ['another client', { aud: 'another' }],
])('an ID token of %s signs nobody in', async ([, claims]) => {
  const page = await visit('/codedm')
  await page.route('**/oauth/token', async (route) => {
    const response = await route.fetch()
    const tokens = (await response.json()) as { id_token: string }
    const [head, body = '', signature] = tokens.id_token.split('.')
    const changed = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), ...(claims as object) }
    const idToken = [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.')
    await route.fulfill({ response, json: { ...tokens, id_token: idToken } })
  })
  await signIn(page, manager)
  await heading(page, 'Login failed').waitFor()
  await page.context().close()
})

describe('a session', () => {
  test('[ACC-32] leaves a session-check cookie for 1 day', async () => {
    const page = await stack.page()
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'auth0.lectern-web.is.authenticated')
    expect(cookie?.expires).toBeGreaterThan(Date.now() / 1000 + 86_000)
    expect(cookie?.expires).toBeLessThan(Date.now() / 1000 + 86_401)
    await page.context().close()
  })

  test('[ACC-10 ACC-14] is found again after a reload, by a hidden frame and without a sign-in page', async () => {
    const page = await stack.page(manager, zones)
    await heading(page, 'Manage Your Zones').waitFor()
    const asked = authorizations(page)
    await page.reload()
    await heading(page, 'Manage Your Zones').waitFor()
    expect(asked.map((query) => [query.get('prompt'), query.get('response_mode')])).toEqual([['none', 'web_message']])
    await page.context().close()
  })

  test('[ACC-12] ends by logging out: nothing is shown any more, here or after a reload', async () => {
    const page = await stack.page(manager, '/codedm')
    await page.evaluate(() => localStorage.setItem('token', 'planted'))
    await page.getByRole('link', { name: /^Profile/ }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.locator('input[name=password]').waitFor()
    await page.goto(`${stack.url}/codedm`)
    await page.locator('input[name=password]').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await page.context().close()
  })

  test('[PER-01] works in the first of the person’s organizations', async () => {
    await stack.sql(
      `insert into member (organization_id, user_id, group_id, joined_at)
       select g.organization_id, u.id, g.id, now() + interval '1 day' from "user" u, "group" g
       where u.email = $1 and g.organization_id <> (select organization_id from member where user_id = u.id) order by g.id limit 1`,
      [manager],
    )
    const api = await stack.api()
    const { organizationId } = await api('getCurrentUser', {})
    expect(organizationId).toHaveLength(2)
    const page = await stack.page(manager, zones)
    const [first, second] = await Promise.all(organizationId.map((id) => api('getOrganization', { params: { organizationId: id } })))
    await page
      .getByRole('banner')
      .getByText(first?.name ?? '')
      .waitFor()
    expect(await page.getByText(second?.name ?? '').count()).toBe(0)
    await page.context().close()
  })
})
