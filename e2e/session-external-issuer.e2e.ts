import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import type { Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openContext } from './support/processes/browser.ts'
import { type IssuerProcess, startIssuerProcess } from './support/processes/issuer-process.ts'
import { freePort } from './support/processes/program.ts'
import { caller, manager, type Stack, signIn, startStack } from './support/processes/stack.ts'
import { authorizations, readGrant } from './support/refused-token.ts'
import { accessToken } from './support/sign-in.ts'
import { createAccount, registerAs, step } from './support/sign-up.ts'

/** Shorter than the 60 s by which the web counts a token as expired early: every call of the API renews it first. */
const accessTokenSeconds = 50
const organization = '0198c0de-0009-7000-8000-000000000001'
const zones = '/codedm/zones?from=a%26b'

let issuer: IssuerProcess
let portal: Stack
/** Another name of the portal's, so that the issuer is another site to a browser, not only another origin. */
let otherSite: string

beforeAll(async () => {
  const [port, issuerPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  otherSite = `http://portal.localhost:${port}`
  issuer = await startIssuerProcess({
    port: issuerPort,
    applications: [url, otherSite],
    permissions: customerPermissions,
    accessTokenSeconds,
  })
  portal = await startStack({ env: { PORT: String(port), PUBLIC_URL: url, AUTH_DOMAIN: issuer.url, EMBEDDED_IDP: '', DEMO: 'off' } })
  await portal.sql('insert into organization (public_id, name) values ($1, $2)', [organization, 'Northfield Regional Health'])
  await portal.sql(`insert into "group" (organization_id, name) select id, 'Readers' from organization`)
  await portal.sql('insert into group_product (organization_id, group_id, product_id) select organization_id, id, 2 from "group"')
  await caller(portal.url, await issuedToken())('getCurrentUser', {})
  await portal.sql(`update "user" set first_name = 'Northfield', last_name = 'Manager'`)
  await join(manager)
})
afterAll(async () => {
  await portal?.stop()
  await issuer?.stop()
})

const complaints: string[] = []
afterEach(() => {
  // The browser reports everything that it blocked between origins.
  expect(complaints.splice(0).filter((text) => /Content Security Policy|CORS|frame-ancestors|X-Frame-Options/.test(text))).toEqual([])
})

const issuedToken = () => accessToken(issuer.url, manager, 'lectern-demo', portal.url)
const decodeClaims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
const readBearer = async (request: Request) => (await request.headerValue('authorization'))?.replace('Bearer ', '') ?? ''
const isZoneList = (request: Request) => request.method() === 'GET' && new URL(request.url()).pathname.endsWith('/locations/list')

/** Makes a person who has signed in before a member of the organization. */
const join = (email: string) =>
  portal.sql(
    `insert into member (organization_id, user_id, group_id)
     select g.organization_id, u.id, g.id from "user" u, "group" g where u.email = $1`,
    [email],
  )

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const signInPage = (page: Page) => page.locator('input[name=password]')

async function blankPage(): Promise<Page> {
  const context = await openContext(portal.browser)
  context.on('console', (message) => complaints.push(message.text()))
  return context.newPage()
}

/** A page that has signed in and shows the zones. */
async function zonesPage(url = portal.url): Promise<Page> {
  const page = await blankPage()
  await page.goto(`${url}${zones}`)
  await signIn(page, manager)
  await heading(page, 'Manage Your Zones').waitFor()
  return page
}

/** Ends the browser's sign-in at the issuer without the page's knowledge. */
async function signOutElsewhere(page: Page): Promise<void> {
  const address = `${issuer.url}/v2/logout?client_id=lectern-web`
  const asked = await (await page.context().request.get(address)).text()
  const proof = /name="proof" value="([^"]*)"/.exec(asked)?.[1] ?? ''
  const answer = await page.context().request.post(address, { form: { proof }, maxRedirects: 0 })
  expect(answer.status()).toBe(303)
}

describe('signing in at another origin', () => {
  test('[ACC-02 ACC-03 ACC-04 ACC-05 ACC-37] goes there by redirect, and comes back to the page asked for', async () => {
    const page = await blankPage()
    const asked = authorizations(page)
    await page.goto(`${portal.url}${zones}`)
    await signInPage(page).waitFor()
    expect(new URL(page.url()).origin).toBe(issuer.url)
    expect(asked[0]?.get('code_challenge_method')).toBe('S256')
    await signIn(page, manager)
    await heading(page, 'Manage Your Zones').waitFor()
    expect(page.url()).toBe(`${portal.url}${zones}`)
    await page.getByRole('textbox', { name: 'Create a zone' }).fill('Emergency Ward 4')
    await page.getByRole('button', { name: 'Create zone' }).click()
    await page.getByText('Zone created', { exact: true }).waitFor()
    expect(await portal.sql('select name from zone')).toEqual([{ name: 'Emergency Ward 4' }])
    await page.context().close()
  })

  test('[ACC-37] somebody new signs up there, is known by issuer and subject, and works once they belong to an organization', async () => {
    const email = 'new@newcomer.example'
    const page = await blankPage()
    await page.goto(`${portal.url}${zones}`)
    const [called] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith('/api/lectern/register')),
      createAccount(page, email, () => issuer.readMessage(email)),
    ])
    await step(page, 'User Info').waitFor()
    const { iss, sub } = decodeClaims(await readBearer(called))
    const rows = await portal.sql('select issuer, subject, email, email_verified from "user" where subject = $1', [sub])
    expect(rows).toEqual([{ issuer: `${issuer.url}/`, subject: sub, email, email_verified: true }])
    expect(iss).toBe(`${issuer.url}/`)
    await registerAs(page, 'New', 'Comer')
    await step(page, 'Setup your organization').waitFor()
    await join(email)
    await page.goto(`${portal.url}${zones}`)
    await heading(page, 'Manage Your Zones').waitFor()
    await page.context().close()
  })
})

describe('a session with another origin', () => {
  test('[ACC-10 ACC-14] is found again after a reload by a hidden frame of the issuer, without a sign-in page', async () => {
    const page = await zonesPage()
    const asked = authorizations(page)
    const places: string[] = []
    page.on('framenavigated', (frame) => frame === page.mainFrame() && places.push(new URL(frame.url()).origin))
    const framed = page.waitForRequest((request) => request.url().startsWith(`${issuer.url}/authorize?`))
    await page.reload()
    await heading(page, 'Manage Your Zones').waitFor()
    expect((await framed).frame()).not.toBe(page.mainFrame())
    expect(asked.map((query) => [query.get('prompt'), query.get('response_mode')])).toEqual([['none', 'web_message']])
    expect(new Set(places)).toEqual(new Set([portal.url]))
    await page.context().close()
  })

  test('[ACC-06 ACC-12 ACC-13] renews its access token by the refresh token, and the API takes the new one', async () => {
    const page = await blankPage()
    await page.goto(`${portal.url}/codedm`)
    const granted = page.waitForResponse((answer) => readGrant(answer.request()) === 'authorization_code')
    await signIn(page, manager)
    const { access_token: first } = (await (await granted).json()) as { access_token: string }
    await heading(page, 'Device Management').waitFor()
    const renewed = page.context().waitForEvent('response', (answer) => readGrant(answer.request()) === 'refresh_token')
    const listed = page.waitForResponse((answer) => isZoneList(answer.request()))
    await page.getByRole('link', { name: 'Zones', exact: true }).click()
    const [renewal, list] = [await renewed, await listed]
    expect([renewal.url(), renewal.status(), list.status()]).toEqual([`${issuer.url}/oauth/token`, 200, 200])
    const used = await readBearer(list.request())
    expect(used).not.toBe(first)
    expect(decodeClaims(used)).toMatchObject({ iss: `${issuer.url}/`, sub: decodeClaims(first).sub, grant: decodeClaims(first).grant })
    await page.context().close()
  })

  test('[ACC-11 ACC-14 ACC-16] that was ended at the issuer ends here, and a pop-up goes on with it', async () => {
    const page = await zonesPage()
    await signOutElsewhere(page)
    await page.getByRole('link', { name: 'Devices', exact: true }).click()
    await heading(page, 'Your session has ended').waitFor()
    const opened = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Sign in with a pop-up' }).click()
    const popup = await opened
    await signInPage(popup).waitFor()
    expect(new URL(popup.url()).origin).toBe(issuer.url)
    await signIn(popup, manager)
    await page.getByRole('searchbox').waitFor()
    expect(new URL(page.url()).pathname).toBe('/codedm/device-dashboard')
    await page.context().close()
  })

  test('[ACC-12 ACC-37] is signed out at the issuer, and comes back signed out', async () => {
    const page = await zonesPage()
    const left = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/v2/logout')
    await page.getByRole('link', { name: /^Profile/ }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    const answer = await left
    expect([new URL(answer.url()).origin, answer.status(), await answer.headerValue('location')]).toEqual([
      issuer.url,
      303,
      `${portal.url}/`,
    ])
    await signInPage(page).waitFor()
    await page.goto(`${portal.url}${zones}`)
    await signInPage(page).waitFor()
    expect(new URL(page.url()).origin).toBe(issuer.url)
    await page.context().close()
  })

  test('[ACC-04 ACC-16] goes on after a reload by redirect and without a form where the issuer is another site', async () => {
    const page = await zonesPage(otherSite)
    const asked = authorizations(page)
    let forms = 0
    page.on('response', (answer) => new URL(answer.url()).pathname.startsWith('/login/') && forms++)
    await page.reload()
    await page.waitForURL(`${otherSite}${zones}`)
    await heading(page, 'Manage Your Zones').waitFor()
    // A browser sends no cookie to another site's frame, so the frame has no session.
    expect(asked.map((query) => query.get('prompt'))).toEqual(['none', null])
    expect(forms).toBe(0)
    await page.context().close()
  })

  test('[ACC-17] of a stored token is honoured while its sign-in stands at the issuer, whatever the API says', async () => {
    const page = await zonesPage()
    const listed = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith('/devices'))
    await page.getByRole('link', { name: 'Devices', exact: true }).click()
    const token = await readBearer(await listed)
    const openWith = async () => {
      const other = await blankPage()
      await other.addInitScript((value) => localStorage.setItem('token', value), token)
      await other.goto(`${portal.url}${zones}`)
      return other
    }
    const honoured = await openWith()
    await heading(honoured, 'Manage Your Zones').waitFor()
    await signOutElsewhere(page)
    await caller(portal.url, token)('getCurrentUser', {})
    await signInPage(await openWith()).waitFor()
    for (const context of portal.browser.contexts()) await context.close()
  })
})

describe('a portal with an issuer elsewhere', () => {
  test.each([
    ['GET', '/authorize?client_id=lectern-web&response_type=code'],
    ['GET', '/v2/logout?client_id=lectern-web'],
    ['GET', '/userinfo'],
    ['GET', '/login/x'],
    ['GET', '/reset-password'],
    ['GET', '/change-password'],
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/.well-known/jwks.json'],
    ['POST', '/oauth/token'],
    ['POST', '/oauth/revoke'],
  ])('[ACC-37] is no provider itself: %s %s', async (method, path) => {
    const web = await (await fetch(portal.url)).text()
    const answer = await fetch(`${portal.url}${path}`, { method, redirect: 'manual' })
    expect(answer.headers.getSetCookie()).toEqual([])
    if (answer.status === 200) expect(await answer.text()).toBe(web)
    else expect(answer.status).toBe(404)
    expect(await portal.sql('select 1 from idp_key union all select 1 from idp_record')).toEqual([])
  })

  test('[PER-19] takes tokens of its issuer and of nobody else, as a portal that is its own issuer does', async () => {
    const embedded = await startStack()
    try {
      const [own, foreign] = [await issuedToken(), await accessToken(embedded.url, manager)]
      expect((await caller(portal.url, own)('getCurrentUser', {})).email).toBe(manager)
      expect((await caller(embedded.url, foreign)('getCurrentUser', {})).email).toBe(manager)
      await expect(caller(portal.url, foreign)('getCurrentUser', {})).rejects.toThrow('401')
      await expect(caller(embedded.url, own)('getCurrentUser', {})).rejects.toThrow('401')
    } finally {
      await embedded.stop()
    }
  })
})
