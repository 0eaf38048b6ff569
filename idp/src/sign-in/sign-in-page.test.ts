import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { authorization, manager, startProvider, type TestProvider } from '../testing/test-provider.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const pictures = process.env.PICTURES

let provider: TestProvider
let browser: Browser
beforeAll(async () => {
  provider = await startProvider()
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] })
})
afterAll(async () => {
  await browser?.close()
  await provider?.close()
})

function findChromium(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const places = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  const found = process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place))
  if (!found) throw new Error('No Chromium found: install it, or name it in CHROMIUM_PATH.')
  return found
}

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const

/** Opens a page in a context of its own. `complaints` has everything that the browser complains about. */
async function open(path: string, look: (typeof looks)[number] = looks[0]) {
  const context = await browser.newContext({ colorScheme: look.colorScheme, viewport: look.viewport, bypassCSP: false })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(new URL(path, provider.url).href)
  await page.evaluate('document.fonts.ready')
  return { page, complaints, close: () => context.close() }
}

async function violations(page: Page): Promise<string[]> {
  const found = (await page.evaluate(`${axe}; axe.run()`)) as { violations: { id: string; nodes: { html: string }[] }[] }
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}

async function shoot(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) })
}

describe.each(looks)('in $name', (look) => {
  test('the pages have no accessibility violations, no complaints of the browser and no sideways scroll', async () => {
    const { page, complaints, close } = await open(authorization(provider.url).path, look)
    const check = async (name: string) => {
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await shoot(page, `${name}.${look.name}`)
    }
    await check('sign-in')
    expect(complaints).toEqual([])
    await page.getByLabel('E-mail').fill(manager.email)
    await page.getByLabel('Password').fill('not this one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The e-mail or the password is wrong.').waitFor()
    await check('sign-in-refused')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('E-mail').fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Enter an e-mail address').waitFor()
    await check('sign-up-refused')
    const email = `${look.name}@newcomer.example`
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText(`We have sent a message to ${email}.`).waitFor()
    await check('sign-up')
    const sent = await vi.waitUntil(() => provider.messages.find(({ to }) => to === email), { timeout: 20_000 })
    await page.goto(/http\S+/.exec(sent.text)![0])
    await check('create-account')
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Save the password' }).click()
    await page.getByText(`Sign in as ${email}.`).waitFor()
    await check('account-created')
    await page.goto(new URL(authorization(provider.url).path, provider.url).href)
    await page.getByLabel('E-mail').fill(manager.email)
    expect(await page.getByLabel('Password').getAttribute('type')).toBe('password')
    await page.getByLabel('Password').fill(manager.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${provider.url}/?code=*`)
    await page.goto(`${provider.url}/change-password`)
    await page.getByLabel('Your password').fill('not this one')
    await page.getByLabel('New password').fill('password123')
    await page.getByRole('button', { name: 'Save the password' }).click()
    await page.getByText('This is one of the most common passwords.').waitFor()
    await check('change-password-refused')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 })
    await page.goto(`${provider.url}/passkeys`)
    await page.getByLabel('Your password').fill('not this one')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('This is not your password.').waitFor()
    vi.useRealTimers()
    await check('passkeys-confirm-refused')
    await page.goto(`${provider.url}/reset-password`)
    await check('reset-password')
    await page.goto(`${provider.url}/v2/logout?returnTo=https://evil.example`)
    await check('sign-out-refused')
    await page.goto(`${provider.url}/v2/logout`)
    await page.getByText('Sign out of Lectern?').waitFor()
    await check('sign-out')
    // The browser may report only the refusals.
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([])
    await close()
  })
})

test('[API-IDP-01] a person signs in with the keyboard alone, without scripts, and lands in the application', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(new URL(authorization(provider.url).path, provider.url).href)
  // The page moves the focus there itself; what is typed before that is lost.
  await page.locator('input[name=email]:focus').waitFor()
  await page.keyboard.type(manager.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(manager.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${provider.url}/?code=*`)
  expect(await page.title()).toBe('The application')
  await context.close()
})

test('[API-IDP-02] a hidden frame with prompt=none posts its message, with and without a session', async () => {
  const { page, complaints, close } = await open('/')
  const ask = (path: string) =>
    page.evaluate(
      `new Promise((resolve) => {
        const frame = document.createElement('iframe')
        addEventListener('message', ({ data, source }) => source === frame.contentWindow && resolve(data), { once: true })
        frame.src = ${JSON.stringify(path)}
        document.body.append(frame)
      })`,
    )
  const silent = () => authorization(provider.url, { prompt: 'none', response_mode: 'web_message' }).path
  expect(await ask(silent())).toMatchObject({ type: 'authorization_response', response: { error: 'login_required', state: 'the-state' } })
  await page.goto(new URL(authorization(provider.url).path, provider.url).href)
  await page.getByLabel('E-mail').fill(manager.email)
  await page.getByLabel('Password').fill(manager.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${provider.url}/?code=*`)
  expect(await ask(silent())).toMatchObject({ response: { code: expect.any(String), state: 'the-state' } })
  expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([])
  await close()
})
