import type { Locator, Page, Request } from 'playwright-core'
import { vi } from 'vitest'
import { axeFindings, contrast } from './axe.ts'
import { openContext } from './processes/browser.ts'
import { arrive, northfield, type Stack } from './processes/stack.ts'
import { readRoutePatterns, toExpression } from './route-patterns.ts'
import { watchCalls } from './watch-calls.ts'

/** What stands in an address for the names in a route's path. */
export type Samples = Record<string, string>

/** The routes to visit. An address of `/join/` is an invitation, which is used up by being opened. */
export const listRoutes = async (): Promise<string[]> => (await readRoutePatterns()).filter((path) => !path.startsWith('/join/'))

/** Something of everything that a route can name, made where the demo has none. */
export async function samples(stack: Stack): Promise<Samples> {
  const read = async (text: string, key: unknown) => (await stack.sql<{ value: string }>(text, [key]))[0]?.value ?? ''
  const organization = await read('select id::text as value from organization where public_id = $1', northfield)
  const one = (text: string) => read(text, organization)
  const api = await stack.api()
  const zone = await one("select public_id as value from zone where organization_id = $1 and name = 'ED Triage'")
  const params = { organizationId: northfield, location: zone, device: 'CR2700' } as const
  await api('publishCfg', { params, body: { cfg: '<cfg>crawl</cfg>' } })
  await api('saveConfiguration', {
    params: { organizationId: northfield, deviceName: 'CR2700', name: 'Crawl' },
    body: ['SYAZTCSEN1'],
  })
  return {
    productId: '2',
    id: await one('select id::text as value from licence where organization_id = $1 limit 1'),
    rollout: await one('select id::text as value from rollout where organization_id = $1 limit 1'),
    caseId: await read('select id::text as value from support_case where contact_email <> $1 order by id limit 1', ''),
    serialNumber: await one('select serial_number as value from device where organization_id = $1 limit 1'),
    device: 'CR2700',
    organizationId: northfield,
    groupId: await one('select min(id)::text as value from "group" where organization_id = $1'),
  }
}

export function buildPath(route: string, { rollout = '', ...names }: Samples): string {
  const path = route.replace(/:(\w+)/g, (_, name: string) => {
    const value = route.startsWith('/codedm/rollouts') && name === 'id' ? rollout : names[name]
    if (!value) throw new Error(`There is no sample of ${name} for ${route}.`)
    return encodeURIComponent(value)
  })
  return route.endsWith('/:device/success') ? `${path}?config=${encodeURIComponent(JSON.stringify(['SYAZTCSEN1']))}` : path
}

/** What a page shows by its markup alone: where that is the same, axe says the same. */
export const markup = () => {
  const outline = (element: Element): string => {
    const inner: string[] = []
    for (const child of element.children) {
      const one = outline(child)
      // A list of ten rows is a list of two.
      if (inner.at(-1) !== one) inner.push(one)
    }
    return `${element.tagName}.${element.getAttribute('class') ?? ''}#${element.getAttribute('role') ?? ''}(${inner.join()})`
  }
  return outline(document.body)
}

/** Controls that do something; what is a link is looked at as an address. */
const controls =
  'button, [role=switch], [role=checkbox], [role=radio], [role=tab], [role=combobox], summary, input[type=checkbox], input[type=radio]'

/** The controls of a page that can be pressed. The bar's are the same on every route; rows of a list have the same ones. */
async function listControls(page: Page, route: string): Promise<{ key: string; name: string; index: number }[]> {
  const found = await page.locator(controls).evaluateAll((all) =>
    all.map((element, index) => {
      const isShown = element.checkVisibility() && element.getClientRects().length > 0
      const isAway = element.closest('[inert], [aria-hidden=true], .sr-only') !== null
      const isChosen = element.matches('[role=radio][aria-checked=true], [role=tab][aria-selected=true], input[type=radio]:checked')
      const isOff = element.matches(':disabled, [aria-disabled=true]')
      const name = (element.getAttribute('aria-label') ?? element.textContent ?? '')
        .trim()
        .replace(/[\d,.]+/g, '0')
        .slice(0, 60)
      const place = element.closest('header, nav, main, dialog, [role=dialog]')?.tagName ?? ''
      return { index, name, place, isLive: isShown && !isAway && !isChosen && !isOff }
    }),
  )
  return found
    .filter(({ isLive }) => isLive)
    .map(({ index, name, place }) => ({ index, name, key: `${place === 'MAIN' ? route : ''} ${place} ${name}` }))
}

interface OpenPage {
  page: Page
  url: string
  calls: ReturnType<typeof watchCalls>
}

/** What is open over a page. */
const overlay = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
// By default a condition is asked in every frame, and makes the page draw one.
const polling = 20

/**
 * Shows a route as a link would. Open dialogs are closed by Escape; where something stays in the way, such as a question, the page is
 * reloaded.
 */
export async function openRoute({ page, url, calls }: OpenPage, address: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 }).first()
  const dialog = page.locator('[role=dialog], [role=alertdialog]')
  if ((await page.locator(overlay).count()) > 0) await page.keyboard.press('Escape')
  const moved = await page
    .evaluate((to) => {
      for (const next of ['/nowhere', to]) {
        history.pushState(null, '', next)
        dispatchEvent(new PopStateEvent('popstate', { state: null }))
      }
    }, address)
    .then(() => page.waitForFunction((open) => document.querySelector(open) === null, overlay, { timeout: 1_000, polling }))
    .catch(() => false)
  if (!moved) await page.goto(`${url}${address}`)
  // Until the page's script is there, the heading is that of /nowhere.
  const isThere = () => {
    const title = document.querySelector('h1')?.textContent ?? 'Page not found'
    return title !== 'Page not found' || document.querySelector('[role=dialog], [role=alertdialog]') !== null
  }
  await page.waitForFunction(isThere, null, { timeout: 2_000, polling }).catch(() => undefined)
  await heading
    .or(dialog)
    .first()
    .waitFor()
    .catch(async (error: Error) => {
      const shown = await page.locator('body').innerText()
      throw new Error(`${address}, now ${page.url()}, shows no heading but “${shown.slice(0, 300)}”: ${error.message}`)
    })
  await calls.settled()
  if ((await dialog.count()) === 0) return
  // One that was being loaded when its control was pressed.
  await page.goto(`${url}${address}`)
  await heading.waitFor()
  await calls.settled()
}

/** Presses a control; whether anything came of it: what is shown, where the focus is, a call, a file or a page. */
async function press(page: Page, control: Locator): Promise<boolean> {
  await control.evaluate((element) => {
    const seen = { changes: 0 }
    Object.assign(window, { seen })
    new MutationObserver((list) => {
      seen.changes += list.filter(({ type, attributeName }) => type !== 'attributes' || attributeName !== 'data-focus-visible').length
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    if (element instanceof HTMLInputElement) element.addEventListener('change', () => (seen.changes += 1))
    addEventListener('focusin', ({ target }) => (seen.changes += target === element ? 0 : 1))
  })
  let outside = 0
  // A script that is loaded has yet to do something.
  const count = (event: Partial<Request>) => {
    if (!/\/assets\//.test(event.url?.() ?? '')) outside += 1
  }
  const events = ['request', 'download', 'filechooser', 'popup', 'dialog'] as const
  for (const event of events) page.on(event as 'request', count)
  try {
    // What stands in its way for a moment, such as a toast, does not keep a keyboard from it.
    await control.click({ timeout: 2_000 }).catch(async () => {
      await control.focus()
      await page.keyboard.press('Space')
    })
    const something = () => (window as unknown as { seen?: { changes: number } }).seen?.changes !== 0
    return await vi
      .waitUntil(async () => outside > 0 || (await page.evaluate(something).catch(() => true)), { timeout: 20_000, interval: 20 })
      .catch(() => false)
  } finally {
    for (const event of events) page.off(event as 'request', count)
  }
}

const ofTheProvider = ['/change-password', '/passkeys', '/verify-email']

interface Crawl {
  stack: Stack
  account: string
  names: Samples
  /** What other accounts have pressed and axe has judged already. */
  seen: { pressed: Set<string>; judged: Set<string> }
  /** One of so many controls is pressed; 1 for each. */
  pressEvery: number
}

/**
 * Visits every route as one account, in both themes, follows every link to an existing route, and presses controls.
 * @returns faults, a line each
 */
export async function crawl({ stack, account, names, seen: { pressed, judged }, pressEvery }: Crawl): Promise<string[]> {
  const wrong: string[] = []
  const all = await listRoutes()
  const patterns = [...all, '/'].map(toExpression)
  const context = await openContext(stack.browser)
  const page = await context.newPage()
  await page.addInitScript(() => {
    window.print = () => document.documentElement.toggleAttribute('data-printed')
    // A window of the system, which a test cannot see; without it a file is downloaded.
    Reflect.deleteProperty(window, 'showOpenFilePicker')
    Reflect.deleteProperty(window, 'showSaveFilePicker')
  })
  let at = ''
  /** What is missing rightly, where the page says so: something of another organization, or of another person. */
  const missing: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const list = message.text().includes('404 (Not Found)') ? missing : wrong
    list.push(`${at}: console: ${message.text()}`)
  })
  page.on('pageerror', (error) => wrong.push(`${at}: ${error.message}`))
  page.on('response', (response) => {
    const list = response.status() === 404 ? missing : wrong
    if (response.status() >= 400) list.push(`${at}: ${response.status()} ${response.url()}`)
  })
  page.on('dialog', (dialog) => void dialog.accept().catch(() => {}))
  await arrive(page, stack.url, account)

  const calls = watchCalls(page)
  const open = (address: string) => openRoute({ page, url: stack.url, calls }, address)

  async function judgeLooks(): Promise<void> {
    for (const theme of ['light', 'dark']) {
      await page.evaluate((next) => {
        document.documentElement.dataset.theme = next
      }, theme)
      const key = `${theme} ${await page.evaluate(markup)}`
      if (judged.has(key)) continue
      judged.add(key)
      for (const finding of await axeFindings(page, 'html', theme === 'dark' ? contrast : {})) wrong.push(`${at} (${theme}): ${finding}`)
    }
  }

  async function followLinks(): Promise<void> {
    const links = await page.locator('a[href]').evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href))
    for (const link of links) {
      const { origin, pathname } = new URL(link)
      const isOurs = origin === stack.url && !pathname.startsWith('/api/') && !ofTheProvider.includes(pathname)
      if (isOurs && !patterns.some((pattern) => pattern.test(decodeURI(pathname)))) wrong.push(`${at}: leads to ${pathname}`)
    }
  }

  async function pressControls(address: string): Promise<void> {
    // After a redirect the controls belong to the page that is shown.
    const shown = patterns.find((pattern) => pattern.test(new URL(page.url()).pathname))
    let wasPressed = false
    for (const { key, name } of await listControls(page, String(shown))) {
      if (pressed.has(key) || /sign out|log out/i.test(name)) continue
      pressed.add(key)
      if (pressed.size % pressEvery !== 0) continue
      if (wasPressed) await open(address)
      // Where it stands may have changed since.
      const again = (await listControls(page, String(shown))).find((control) => control.key === key)
      if (!again) continue
      at = `${account} ${address}, "${name}"`
      if (!(await press(page, page.locator(controls).nth(again.index)))) wrong.push(`${at}: nothing comes of it`)
      wasPressed = true
      await calls.settled()
    }
  }

  for (const route of all) {
    const address = buildPath(route, names)
    at = `${account} ${address}`
    missing.length = 0
    await open(address)
    const said = await page.getByRole('heading', { level: 1 }).first().textContent()
    if (!/not found/i.test(said ?? '')) wrong.push(...missing)
    await judgeLooks()
    await followLinks()
    await pressControls(address)
  }
  await context.close()
  return [...new Set(wrong)]
}
