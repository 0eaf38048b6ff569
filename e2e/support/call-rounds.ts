import type { Page, Route } from 'playwright-core'
import { vi } from 'vitest'
import { watchCalls } from './watch-calls.ts'

const isCall = ({ pathname }: URL) => /^\/(api|authorize|oauth)/.test(pathname) && !pathname.endsWith('/events')

/** Waits until scripts have nothing left to do. */
const rest = (page: Page) =>
  page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => setTimeout(() => requestIdleCallback(() => resolve())))))

/**
 * Opens an address so that replies of the API and the identity provider arrive in rounds: what the page asks for once it has the replies of one
 * round belongs to the next. Of calls that follow one another, so many are let through; later ones are held until `release`.
 */
export async function openInRounds(page: Page, url: string, rounds: number) {
  const held: Route[] = []
  let isOver = false
  const scripts = new Set<unknown>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request)
  })
  page.on('requestfinished', (request) => scripts.delete(request))
  page.on('requestfailed', (request) => scripts.delete(request))
  await page.route(isCall, (route) => (isOver ? route.continue() : held.push(route)))
  const calls = watchCalls(page)

  async function settle() {
    for (let before = -1; before !== held.length || scripts.size > 0; ) {
      before = held.length
      await vi.waitUntil(() => scripts.size === 0, { timeout: 20_000, interval: 5 })
      await rest(page)
    }
  }

  await page.goto(url)
  for (let round = 0; round < rounds; round++) {
    await vi.waitUntil(() => held.length > 0, { timeout: 20_000, interval: 5 })
    await settle()
    await Promise.all(
      held.splice(0).map(async (route) => {
        const response = route.request().response()
        await route.continue()
        await (await response)?.finished()
      }),
    )
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
