import type { Page, Request } from 'playwright-core'
import { vi } from 'vitest'

/** The calls of a page that are under way. Event streams do not count, as they never end. */
export function watchCalls(page: Page): { settled(): Promise<void> } {
  const open = new Set<Request>()
  let last = Date.now()
  const end = (request: Request) => {
    open.delete(request)
    last = Date.now()
  }
  page.on('request', (request) => {
    if (!request.url().endsWith('/events')) open.add(request)
    last = Date.now()
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return {
    settled: () => vi.waitUntil(() => open.size === 0 && Date.now() - last > 100, { timeout: 20_000, interval: 20 }).then(() => undefined),
  }
}
