import type { Request } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import { openInRounds } from './support/call-rounds.ts'
import { buildPath, listRoutes, type Samples, samples } from './support/crawl.ts'
import { manager, staff, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

/** `npm run check:controls` opens every route; `npm test -- --all` opens those with the most parts. */
const isWhole = process.env.LECTERN_EVERY_CONTROL === '1'
const sample: Record<string, readonly string[]> = {
  [manager]: ['/product/id/:productId/details', '/support', '/codedm/devices/:serialNumber', '/codedm/rollouts/:id', '/profile'],
  [staff]: ['/admin/organizations/:organizationId/groups/id/:groupId/details'],
}

const { stack, pages } = await stackForFile(startStack())
let names: Samples
beforeAll(async () => {
  names = await samples(stack)
})

test.each([manager, staff])(
  '[STA-06] of four calls in a row, no route of %s shows anything of the fourth',
  async (account) => {
    const all = await listRoutes()
    expect(all).toEqual(expect.arrayContaining([...sample[account]!]))
    const first = await pages.open('/product', account)
    await first.getByRole('heading', { level: 1 }).waitFor()
    const found: string[] = []
    for (const route of isWhole ? all.filter((path) => path !== '/register') : sample[account]!) {
      const path = buildPath(route, names)
      const page = await first.context().newPage()
      const scripts = new Set<Request>()
      page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request))
      for (const end of ['requestfinished', 'requestfailed'] as const)
        page.on(end as 'requestfinished', (request) => scripts.delete(request))
      const rounds = await openInRounds(page, `${stack.url}${path}`, 3)
      // A time of day or a distance to now changes by itself.
      const read = async () =>
        (await page.getByRole('main').innerText()).replace(/\d\d:\d\d(:\d\d)?|(\d+|a) (second|minute)s? ago|Just now/gi, '')
      // A part whose script comes by itself waits for no call.
      const isIdle = async () => {
        await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
        return scripts.size === 0
      }
      const isLoaded = async () =>
        !/loading/i.test(await read()) && (await page.locator('main .skeleton').count()) === 0 && (await isIdle()) && (await isIdle())
      await vi.waitUntil(isLoaded, { timeout: 3_000, interval: 20 }).catch(() => undefined)
      const [before, late] = [await read(), rounds.late()]
      await rounds.release()
      const added = (await read()).split('\n').filter((line) => !before.includes(line))
      if (late.length > 0 && added.length > 0)
        found.push(`${path} waits for one of ${late.join(', ')}, to show ${added.slice(0, 5).join(' | ')}`)
      await page.close()
    }
    expect(found).toEqual([])
  },
  300_000,
)
