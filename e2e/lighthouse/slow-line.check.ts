import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manager, type Stack, startStack } from '../support/processes/stack.ts'

const runs = Number(process.env.LECTERN_LIGHTHOUSE_RUNS ?? 5)
/** 400 kbit/s in each direction, 400 ms for a round trip. */
const line = { offline: false, downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 400 }
/** A form and a style sheet of the same server. */
const trivial = '/reset-password'

let stack: Stack
let signedIn: BrowserContext
beforeAll(async () => {
  stack = await startStack()
  signedIn = (await stack.page(manager, '/product')).context()
})
afterAll(() => stack?.stop())

/** Milliseconds until something is painted in a tab with an empty cache. */
async function timeFirstPaint(path: string, { withScripts }: { withScripts: boolean }): Promise<number> {
  const page = await signedIn.newPage()
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devTools.send('Network.emulateNetworkConditions', line)
  if (!withScripts) await page.route(/\.js($|\?)/, (route) => route.abort())
  await page.goto(`${stack.url}${path}`, { waitUntil: 'commit' })
  const painted = await page.waitForFunction(() => performance.getEntriesByName('first-paint')[0]?.startTime)
  const time = await painted.jsonValue()
  await page.close()
  return time!
}

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

test.each([
  { path: '/product', withScripts: true },
  { path: '/codedm/zones', withScripts: true },
  { path: '/codedm/zones', withScripts: false },
])(
  '[STA-04] on a slow line $path is painted within three times what a trivial page takes, with scripts: $withScripts',
  async ({ path, withScripts }) => {
    const [times, beside]: [number[], number[]] = [[], []]
    for (let run = 0; run < runs; run++) {
      times.push(await timeFirstPaint(path, { withScripts }))
      beside.push(await timeFirstPaint(trivial, { withScripts: true }))
    }
    process.stdout.write(
      `${path.padEnd(16)} first paint ${median(times).toFixed()} ms${withScripts ? '' : ' without scripts'}, of the trivial page ${median(beside).toFixed()} ms\n`,
    )
    expect(median(times)).toBeLessThanOrEqual(3 * median(beside))
  },
)
