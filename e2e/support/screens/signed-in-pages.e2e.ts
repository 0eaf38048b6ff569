import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manager, type Stack, startStack } from '../processes/stack.ts'
import { showInApp, signedInPages } from './signed-in-pages.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const zones = '/codedm/zones'

/** What a test can leave behind, as the next one would meet it. */
async function look(page: Page) {
  const context = page.context()
  return {
    ...(await page.evaluate(async () => ({
      local: Object.keys(localStorage).filter((key) => key.startsWith('left')),
      session: Object.keys(sessionStorage).filter((key) => key.startsWith('left')),
      databases: (await indexedDB.databases()).map(({ name }) => name).filter((name) => name?.startsWith('left')),
      caches: await caches.keys(),
      window: [window.name, 'left' in window, innerWidth, innerHeight],
      isDark: matchMedia('(prefers-color-scheme: dark)').matches,
      clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
      isOnline: navigator.onLine,
      hovered: document.querySelectorAll('a:hover, button:hover, tr:hover').length,
    }))),
    cookies: (await context.cookies()).map(({ name }) => name).filter((name) => name.startsWith('left')),
    tabs: context.pages().length,
  }
}

const asNew = {
  local: [],
  session: [],
  databases: [],
  caches: [],
  window: ['', false, 1440, 900],
  isDark: false,
  clipboard: 'prompt',
  isOnline: true,
  hovered: 0,
  cookies: [],
  tabs: 1,
}

async function leaveEverything(page: Page, heard: string[]): Promise<void> {
  const context = page.context()
  page.on('request', (request) => heard.push(request.url()))
  context.on('response', (response) => heard.push(response.url()))
  page.on('dialog', () => heard.push('dialog'))
  await page.route('**/locations/list', (route) => route.abort())
  await context.route('**/locations/overview*', (route) => route.abort())
  await page.evaluate(async () => {
    localStorage.setItem('left', 'l')
    sessionStorage.setItem('left', 's')
    Object.assign(window, { left: true, name: 'left' })
    // One connection stays open.
    await new Promise((resolve) => {
      indexedDB.open('left').onsuccess = resolve
    })
    await caches.open('left')
    addEventListener('beforeunload', (event) => event.preventDefault())
    addEventListener('pagehide', () => localStorage.setItem('left late', 'l'))
  })
  await context.addCookies([{ name: 'left', value: 'c', url: stack.url }])
  await context.grantPermissions(['clipboard-read'])
  await context.newPage()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Create zone' }).hover()
  await context.setOffline(true)
}

test('nothing that a test leaves in a page is there for the next one, which has the same page', async () => {
  const pages = signedInPages(stack)
  const page = await pages.open(zones)
  await page.getByText(/showing \d+/).waitFor()
  const heard: string[] = []
  await leaveEverything(page, heard)
  expect(await look(page)).not.toEqual(asNew)
  await pages.closeAll()

  heard.length = 0
  const next = await pages.open(zones)
  expect(next).toBe(page)
  await next.getByText(/showing \d+/).waitFor()
  expect(await look(next)).toEqual(asNew)
  expect(heard).toEqual([])
  expect(await next.goBack()).toBeNull()
  await pages.closeAll()
})

test.each<[string, (page: Page) => Promise<unknown>]>([
  ['a script', (page) => page.addInitScript(() => Object.assign(window, { left: true }))],
  ['a script of its context', (page) => page.context().addInitScript(() => Object.assign(window, { left: true }))],
  ['a function', (page) => page.exposeFunction('left', () => undefined)],
  ['a clock', (page) => page.clock.install()],
  ['a session of the developer tools', (page) => page.context().newCDPSession(page)],
])('a page that was given %s, which it keeps, is not used again', async (_, give) => {
  const pages = signedInPages(stack)
  const page = await pages.open(zones)
  await give(page)
  await pages.closeAll()
  const next = await pages.open(zones)
  expect(next.context()).not.toBe(page.context())
  await pages.closeAll()
  expect(page.isClosed()).toBe(true)
  expect(await next.evaluate(() => 'left' in window)).toBe(false)
})

test('what a page is given before it loads the app is there, and counts as what it was given later', async () => {
  const pages = signedInPages(stack)
  const page = await pages.open(zones, manager, (fresh) => fresh.addInitScript(() => Object.assign(window, { left: true })))
  expect(await page.evaluate(() => 'left' in window)).toBe(true)
  await pages.closeAll()
  const next = await pages.open(zones, manager, (fresh) => fresh.route('**/locations/list', (route) => route.fulfill({ json: [] })))
  await next.getByText('No zones yet.').waitFor()
  expect(next.context()).not.toBe(page.context())
  await pages.closeAll()
  const last = await pages.open(zones)
  expect(last).toBe(next)
  await last.getByText(/showing \d+/).waitFor()
  await pages.closeAll()
})

test('a path is shown in the app that runs, without what was there before', async () => {
  const pages = signedInPages(stack)
  const page = await pages.open(`${zones}?search=icu`)
  await page.getByRole('searchbox', { name: 'Search zones' }).fill('lab')
  await page.evaluate(() => Object.assign(window, { left: true }))
  await showInApp(page, `${zones}?search=icu`)
  await page.getByText(/zones, showing 3$/).waitFor()
  expect(await page.evaluate(() => 'left' in window)).toBe(true)
  await pages.closeAll()
})

test('a test has as many pages of an account as it opens, and the next one again one', async () => {
  const pages = signedInPages(stack)
  const [one, other] = [await pages.open(zones), await pages.open(zones)]
  expect(one).not.toBe(other)
  await pages.closeAll()
  expect(one.context().pages()).toEqual([one])
  await one.context().close()
  await pages.closeAll()
  expect((await pages.open(zones)).context()).not.toBe(one.context())
  await pages.closeAll()
})
