import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { manager, signIn, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startStack())

interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}

const dist = join(import.meta.dirname, '../web/dist')
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
const weigh = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)

/** What the page loads before it shows itself: its scripts and style sheets, and those that they import. */
function listFiles(page: string): { scripts: string[]; sheets: string[] } {
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? ''
  const names = new Set([entry, page])
  for (const name of names) for (const other of manifest[name]?.imports ?? []) names.add(other)
  const chunks = [...names].map((name) => manifest[name]!)
  return { scripts: chunks.map(({ file }) => file), sheets: [...new Set(chunks.flatMap(({ css = [] }) => css))] }
}

test('the first page loads at most 162 kB of scripts in four files, and 10 kB of style sheets', () => {
  const { scripts, sheets } = listFiles('src/products/product-list-page.tsx')
  expect(scripts.length).toBeLessThanOrEqual(4)
  expect(weigh(scripts)).toBeLessThanOrEqual(162_000)
  expect(weigh(sheets)).toBeLessThanOrEqual(10_000)
})

test('every other page loads at most 15 scripts, of 247 kB together, and a wizard of 259 kB', () => {
  const pages = Object.keys(manifest).filter((name) => name.endsWith('-page.tsx'))
  expect(pages.length).toBeGreaterThan(30)
  const heavy = pages.flatMap((page) => {
    const { scripts } = listFiles(page)
    const limit = /(apply-config|manage-firmware)-page/.test(page) ? 259_000 : 247_000
    return scripts.length > 15 || weigh(scripts) > limit ? [`${page}: ${scripts.length} files, ${weigh(scripts)} bytes`] : []
  })
  expect(heavy).toEqual([])
})

test('what other pages need is fetched ahead, except what is large and seldom opened; so they open without a connection', async () => {
  const page = await (await stack.browser.newContext()).newPage()
  const fetched = new Set<string>()
  page.on('response', (response) => fetched.add(new URL(response.url()).pathname))
  await page.goto(`${stack.url}/product`)
  await signIn(page, manager)
  const isLarge = (file: string) => /\/(graphs|pdf|sentry|phone-mask|reader)-[\w-]{8}\.(js|css)$/.test(file)
  const files = Object.values(manifest).flatMap(({ file, css = [], isEntry }) => (isEntry ? [] : [file, ...css]))
  const scripts = files.filter((file) => /\.(js|css)$/.test(file)).map((file) => `/${file}`)
  await expect.poll(() => scripts.filter((file) => !isLarge(file) && !fetched.has(file))).toEqual([])
  expect([...fetched].filter(isLarge)).toEqual([])
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Device Management' }).click()
  await page.getByRole('heading', { name: 'Device Management' }).waitFor()
  await page.context().close()
})

test('[STA-04 SEE-09] the frame is painted in the chosen theme while every script is pending, and goes when the page is there', async () => {
  const context = await stack.browser.newContext({ colorScheme: 'light' })
  await context.addInitScript(() => localStorage.setItem('theme', 'dark'))
  const page = await context.newPage()
  const pending: Route[] = []
  await page.route(
    ({ pathname }) => pathname.endsWith('.js'),
    (route) => void pending.push(route),
  )
  await page.goto(`${stack.url}/codedm/zones`, { waitUntil: 'commit' })
  await page.getByRole('link', { name: 'Lectern, home' }).waitFor()
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  expect(pending.length).toBeGreaterThan(0)
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await page.getByRole('banner').boundingBox()).toMatchObject({ x: 0, y: 0, height: 80 })
  const mark = await page.locator('.wordmark').boundingBox()
  await context.close()

  const signedIn = await pages.open('/codedm/zones')
  await signedIn.getByRole('heading', { name: 'Manage Your Zones' }).waitFor()
  expect(await signedIn.locator('#frame').count()).toBe(0)
  expect(await signedIn.getByRole('banner').count()).toBe(1)
  expect(await signedIn.locator('.wordmark').boundingBox()).toEqual(mark)
})

test('[STA-06] rows wait for three calls, one after another, and none fetches a list to count it', async () => {
  const first = await pages.open('/codedm/device-dashboard')
  await first.locator('tbody tr').first().waitFor()
  const page = await first.context().newPage()
  const asked: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin === new URL(stack.url).origin && /^\/(api|authorize|oauth)/.test(pathname))
      asked.push(pathname.replace(/[0-9a-f-]{36}/, ':id'))
  })
  const rows = '/api/codedm/organization/:id/devices'
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/') && !pathname.endsWith('/devices'),
    async (route) => {
      await released
      await route.fallback()
    },
  )
  const answered = page.waitForResponse((response) => response.url().includes('/devices?'))
  await page.goto(`${stack.url}/codedm/device-dashboard`)
  await answered
  // The next page is fetched ahead once this one is there.
  const askedBefore = asked.filter((path) => !path.startsWith('/api/') || path === rows)
  expect(askedBefore).toEqual(['/authorize', '/oauth/token', rows])
  await page.locator('tbody tr').first().waitFor()
  release()
  await page
    .getByRole('banner')
    .getByText(/zones · .* readers/)
    .waitFor()
  expect(asked).not.toContain('/api/codedm/organization/:id/locations/list')
  await page.close()
})
