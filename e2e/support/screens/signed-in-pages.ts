import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { type MockInstance, vi } from 'vitest'
import { standardViewport } from '../processes/browser.ts'
import { manager, type Prepare, type Stack, signIn } from '../processes/stack.ts'

/**
 * Pages of accounts that sign in once. Tests of a file use an account's page one after the other, as loading the app anew costs half as
 * much as a new page. `closeAll` removes everything that a test has left in it.
 */
export function signedInPages(stack: Stack, options: BrowserContextOptions = {}) {
  const desks = new Map<string, Desk>()

  async function tidy(desk: Desk): Promise<void> {
    const isClean = await clean(desk, stack.url, options).catch(() => false)
    desk.isTaken = false
    if (!isClean) await desk.context.close()
  }

  return {
    /**
     * Returns a page that shows `path`: the account's, or, where the test has that already, another one. `prepare` does what must happen
     * before the app is loaded, such as making a call fail.
     */
    async open(path: string, account = manager, prepare: Prepare = () => {}): Promise<Page> {
      const desk = desks.get(account)
      if (!desk) {
        let made: Omit<Desk, 'cookies'> | undefined
        const first = await stack.page(account, path, options, async (fresh) => {
          fresh.context().once('close', () => desks.delete(account))
          made = await makeDesk(fresh)
          await prepare(fresh)
        })
        desks.set(account, { ...made!, cookies: await first.context().cookies() })
        return first
      }
      const page = desk.isTaken || desk.page.isClosed() ? await desk.context.newPage() : desk.page
      desk.isTaken = true
      await prepare(page)
      const signedIn = page.waitForResponse((response) => response.url() === `${stack.url}/oauth/token` && response.ok())
      await page.goto(`${stack.url}${path}`)
      if (page === desk.page) await desk.devTools.send('Page.resetNavigationHistory')
      // An earlier test may have logged out.
      const form = page.locator('input[name=email]')
      await Promise.race([signedIn, form.waitFor()])
      if (await form.isVisible()) await signIn(page, account)
      await signedIn
      return page
    },
    async closeAll(): Promise<void> {
      await Promise.all([...desks.values()].filter(({ isTaken }) => isTaken).map(tidy))
    },
  }
}

/** Shows a path in the page's running app, as a link would: nothing is loaded anew, and the app keeps what it has read. */
export async function showInApp(page: Page, path: string): Promise<void> {
  const missing = page.getByRole('heading', { level: 1, name: 'Page not found', exact: true })
  const move = (how: 'pushState' | 'replaceState', to: string) =>
    page.evaluate(
      ([change, address]) => {
        history[change](null, '', address)
        dispatchEvent(new PopStateEvent('popstate', { state: null }))
      },
      [how, to] as const,
    )
  // First nothing is shown, so that the same screen can be shown anew.
  await move('pushState', '/nowhere')
  await missing.waitFor()
  await move('replaceState', path)
  await missing.waitFor({ state: 'detached' })
}

/** What the tests of a file have of an account: a signed-in browser context and its page. */
interface Desk {
  context: BrowserContext
  page: Page
  devTools: CDPSession
  /** The cookies right after the sign-in. */
  cookies: Awaited<ReturnType<BrowserContext['cookies']>>
  /** Calls with an effect that a page or a context never loses. */
  lasting: readonly MockInstance[]
  /** Calls that add listeners to page or context. */
  listening: readonly { target: Page | BrowserContext; on: MockInstance }[]
  isTaken: boolean
}

async function makeDesk(page: Page): Promise<Omit<Desk, 'cookies'>> {
  const context = page.context()
  const devTools = await context.newCDPSession(page)
  const targets = [page, context] as Page[]
  const kept = ['addInitScript', 'exposeBinding', 'exposeFunction', 'routeWebSocket', 'setExtraHTTPHeaders'] as const
  const clocks = ['install', 'setFixedTime', 'setSystemTime'] as const
  return {
    context,
    page,
    devTools,
    lasting: [
      ...targets.flatMap((target) => kept.map((name) => vi.spyOn(target, name))),
      ...clocks.map((name) => vi.spyOn(context.clock, name)),
      vi.spyOn(context, 'newCDPSession'),
    ] as MockInstance[],
    listening: targets.map((target) => ({ target, on: vi.spyOn(target, 'on') as MockInstance })),
    isTaken: true,
  }
}

/** Puts a desk back to how it was right after sign-in. Returns false, or throws, where that is not possible. */
async function clean({ context, page, cookies, lasting, listening }: Desk, url: string, options: BrowserContextOptions) {
  if (lasting.some((spy) => spy.mock.calls.length > 0)) return false
  for (const { target, on } of listening) {
    for (const [event, listener] of on.mock.calls) target.off(event, listener)
    on.mockClear()
  }
  for (const other of context.pages()) if (other !== page) await other.close()
  await Promise.all([page, context].map((target) => target.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.setOffline(false)
  // A file of the same origin: no app can write any more, and the origin's browser process stays.
  await page.goto(`${url}/favicon.svg`, { timeout: 5_000 })
  await page.evaluate(emptyOrigin)
  await context.clearCookies()
  await context.addCookies(cookies)
  await context.clearPermissions()
  const { colorScheme = 'light', reducedMotion = 'reduce', forcedColors = 'none', contrast = 'no-preference' } = options
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors, contrast })
  await page.setViewportSize(options.viewport ?? standardViewport)
  // Beside the page, where it was before a test moved it.
  await page.mouse.move(-1, -1)
  return true
}

/** Empties everything that an origin can keep in a browser. */
const emptyOrigin = async () => {
  window.name = ''
  localStorage.clear()
  sessionStorage.clear()
  for (const key of await caches.keys()) await caches.delete(key)
  for (const { name = '' } of await indexedDB.databases())
    await new Promise((resolve, reject) => {
      const deletion = indexedDB.deleteDatabase(name)
      deletion.onsuccess = resolve
      deletion.onerror = reject
      deletion.onblocked = reject
    })
}
