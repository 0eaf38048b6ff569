import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/processes/program.ts'
import { manager, type Stack, signIn, startStack } from '../support/processes/stack.ts'

/** Downloaded when needed, as it is larger than everything else that browser tests need. */
const lighthouse = 'lighthouse@13.5.0'
const runs = Number(process.env.LECTERN_LIGHTHOUSE_RUNS ?? 5)
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
/** A form and a style sheet of the same server. */
const trivial = '/reset-password'
const routes = [
  '/product',
  '/data',
  '/codedm',
  '/codedm/zones',
  '/codedm/device-dashboard',
  '/codedm/apply-config',
  '/codedm/manage-firmware',
  '/codedm/rollouts',
  '/codedm/create-configuration/CR2700',
  '/codedm/audit-log',
]

/** Scores from 0 to 100, and by how much things moved. */
interface Marks extends Record<(typeof categories)[number], number> {
  shift: number
  /** Failed audits, with the first things that they name. */
  failed: string[]
}

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; numericValue?: number; details?: { items?: unknown[] } }>
}

let stack: Stack
let browser: BrowserContext
let folder: string
const port = await freePort()

beforeAll(async () => {
  stack = await startStack()
  folder = await mkdtemp(join(tmpdir(), 'lectern-lighthouse-'))
  browser = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM_PATH,
    args: [`--remote-debugging-port=${port}`, '--no-sandbox'],
  })
  const page = await browser.newPage()
  await page.goto(stack.url)
  await signIn(page, manager)
  // From here on, everything that it caches is cached.
  for (const route of routes) {
    await page.goto(`${stack.url}${route}`)
    await page.locator('#root h1').waitFor()
  }
  await page.close()
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** One run, as a desktop computer of a signed-in person. */
async function judge(path: string): Promise<Marks> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      ...['--yes', lighthouse, `${stack.url}${path}`, `--port=${port}`, '--preset=desktop', '--disable-storage-reset'],
      ...['--output=json', '--quiet', `--only-categories=${categories.join()}`],
    ],
    // It needs a newer Node than the one that npm may run on.
    { maxBuffer: 2 ** 28, env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` } },
  )
  const report = JSON.parse(stdout) as Report
  const scores = Object.fromEntries(categories.map((name) => [name, Math.round(100 * (report.categories[name]?.score ?? 0))]))
  const judged = categories.slice(1).flatMap((name) => report.categories[name]?.auditRefs ?? [])
  const failed = judged.filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 1)
  const shift = report.audits['cumulative-layout-shift']
  return {
    ...(scores as Record<(typeof categories)[number], number>),
    shift: shift?.numericValue ?? 1,
    failed: failed.map(({ id }) => `${id}: ${JSON.stringify(report.audits[id]?.details?.items?.[0])?.slice(0, 300)}`),
  }
}

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

test.each(routes)('%s has 100 for accessibility, best practices and SEO, and does not move', async (route) => {
  const marks: Marks[] = []
  const beside: number[] = []
  for (let run = 0; run < runs; run++) {
    marks.push(await judge(route))
    beside.push((await judge(trivial)).performance)
  }
  const of = (name: 'shift' | (typeof categories)[number]) => median(marks.map((one) => one[name]))
  const failed = [...new Set(marks.flatMap((one) => one.failed))]
  process.stdout.write(
    `${route.padEnd(40)} performance ${of('performance')}, of the trivial page ${median(beside)}; layout shift ${of('shift').toFixed(4)}\n`,
  )
  expect({ accessibility: of('accessibility'), 'best-practices': of('best-practices'), seo: of('seo'), failed }).toEqual({
    accessibility: 100,
    'best-practices': 100,
    seo: 100,
    failed: [],
  })
  expect(of('shift')).toBeLessThanOrEqual(0.01)
})
