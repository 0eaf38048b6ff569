import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContext } from '../support/processes/browser.ts'
import { arrive, manager, type Stack, startStack } from '../support/processes/stack.ts'
import { buildWebOf } from '../support/processes/web-of-commit.ts'

const rounds = Number(process.env.LECTERN_LIGHTHOUSE_RUNS ?? 15)
const path = '/codedm/device-dashboard'
const webOfNow = fileURLToPath(new URL('../../web/dist', import.meta.url))
/** What ten rows may not be slower than. */
const commitBefore = '0b4882aa'

let stack: Stack
// A browser as users have it: the tests' own compiles no scripts for speed.
let browser: Browser
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-sort-'))
  stack = await startStack()
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
  await rm(folder, { recursive: true, force: true })
})

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** Milliseconds for which the page's main thread has worked, whatever else the machine does. */
async function readWork(devTools: CDPSession): Promise<number> {
  const { metrics } = await devTools.send('Performance.getMetrics')
  return 1_000 * metrics.find(({ name }) => name === 'TaskDuration')!.value
}

/** Nothing is left to do: what was put off for a later frame or an idle time is done. */
const untilIdle = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => requestIdleCallback(resolve))
    await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)))
  })

/** The page and its files come from a folder, with the settings that the server writes into the page. */
async function serveWeb(context: BrowserContext, web: string): Promise<void> {
  const [settings = ''] = /<script type="application\/json" id="settings">.*?<\/script>/s.exec(await (await fetch(stack.url)).text()) ?? []
  const html = (await readFile(join(web, 'index.html'), 'utf8')).replace('</head>', () => `${settings}</head>`)
  await context.route(
    ({ pathname }) => pathname === path,
    (route) => route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }),
  )
  await context.route(
    ({ pathname }) => pathname.startsWith('/assets/'),
    (route) => route.fulfill({ path: join(web, new URL(route.request().url()).pathname) }),
  )
}

/** Opens a page of so many rows. The returned function sorts it by serial number, in both directions, and returns the main thread's milliseconds. */
async function openList(web: string, size: number): Promise<() => Promise<number>> {
  const context = await openContext(browser)
  const page = await context.newPage()
  await arrive(page, stack.url, manager)
  await serveWeb(context, web)
  await page.goto(`${stack.url}${path}?size=${size}`)
  const devTools = await context.newCDPSession(page)
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const rows = page.locator('tbody tr')
  await rows.nth(size - 1).waitFor()
  return async () => {
    const before = await rows.first().getByRole('link').innerText()
    await untilIdle(page)
    const start = await readWork(devTools)
    await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.table-sort')].find((each) => each.textContent === 'Serial Number')!.click(),
    )
    await page.waitForFunction(
      (serial) => document.querySelector('tbody a')?.textContent !== serial && !document.querySelector('.table-dimmed'),
      before,
    )
    await page.waitForLoadState('networkidle')
    await untilIdle(page)
    return (await readWork(devTools)) - start
  }
}

/** Each list is first in turn. */
const rotate = <Item>(all: Item[], by: number): Item[] => [...all.slice(by % all.length), ...all.slice(0, by % all.length)]

test(`[SPD-05] a hundred rows are sorted in twice the main thread that ten take, and ten in no more than on ${commitBefore}`, async () => {
  const webBefore = buildWebOf(commitBefore, folder)
  const lists = {
    ten: await openList(webOfNow, 10),
    hundred: await openList(webOfNow, 100),
    ...(webBefore && { tenBefore: await openList(webBefore, 10), hundredBefore: await openList(webBefore, 100) }),
  }
  const times = Object.fromEntries(Object.keys(lists).map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++)
    for (const [name, sort] of rotate(Object.entries(lists), round)) times[name]!.push(await sort())
  const took = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))
  process.stdout.write(
    `medians of ${rounds} sorts: ${Object.entries(took)
      .map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`)
      .join(', ')}\n`,
  )
  if (!webBefore) process.stdout.write(`git has no ${commitBefore}: ten rows are not compared with it\n`)
  expect(took.hundred).toBeLessThanOrEqual(2 * took.ten!)
  if (webBefore) expect(took.ten).toBeLessThanOrEqual(took.tenBefore!)
})
