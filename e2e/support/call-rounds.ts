import type { Page, Request, Route } from 'playwright-core'
import { vi } from 'vitest'
import { watchCalls } from './watch-calls.ts'

const isCall = ({ pathname }: URL) => /^\/(api|authorize|oauth)/.test(pathname) && !pathname.endsWith('/events')

/** Waits until scripts have nothing left to do, for at most 2 s. */
const rest = (page: Page) =>
  page.evaluate(() => {
    const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }))
    return idle().then(() => new Promise((resolve) => setTimeout(resolve)).then(() => idle().then(() => undefined)))
  })

/**
 * Opens an address so that replies of the API and the identity provider arrive in rounds: what the page asks for once it has the replies of one
 * round belongs to the next. Of calls that follow one another, so many are let through; later ones are held until `release`.
 */
export async function openInRounds(page: Page, url: string, rounds: number) {
  const held: Route[] = []
  let isOver = false
  const open = new Set<Request>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  const loadsScripts = () => [...open].some((request) => request.resourceType() === 'script')
  await page.route(isCall, (route) => (isOver ? route.continue() : held.push(route)))
  const calls = watchCalls(page)

  async function settle() {
    for (let before = -1; before !== held.length || loadsScripts(); ) {
      before = held.length
      await vi.waitUntil(() => !loadsScripts(), { timeout: 20_000, interval: 5 })
      await rest(page)
    }
  }

  await page.goto(url)
  for (let round = 0; round < rounds; round++) {
    await vi.waitUntil(() => held.length > 0, { timeout: 20_000, interval: 5 })
    await settle()
    const routes = held.splice(0)
    await Promise.all(routes.map((route) => route.continue()))
    await vi.waitUntil(() => !routes.some((route) => open.has(route.request())), { timeout: 20_000, interval: 5 })
    await settle()
  }
  return {
    late: () => held.map((route) => new URL(route.request().url()).pathname),
    async release() {
      isOver = true
      await Promise.all(held.splice(0).map((route) => route.continue()))
      await calls.settled()
      await rest(page)
    },
  }
}
