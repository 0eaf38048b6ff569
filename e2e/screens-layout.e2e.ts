import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { listRoutes, samples } from './support/crawl.ts'
import { sheetFolder, writeContactSheets } from './support/layout/contact-sheets.ts'
import { type Mode, pairedModes, plainModes } from './support/layout/modes.ts'
import { type Breach, newSeen, type Thumbnail, toLines, walkScreens } from './support/layout/walk.ts'
import { launchBrowser } from './support/processes/browser.ts'
import { end, startProgram } from './support/processes/program.ts'
import { foreigner, manager, member, northfield, type Stack, staff, startStack } from './support/processes/stack.ts'

/** `npm run check:screens` walks everything; `npm test -- --all` takes a sample. */
const isWhole = process.env.LECTERN_EVERY_SCREEN === '1'
/** Only routes that begin with it, for work on one screen. */
const { LECTERN_SCREENS = '/' } = process.env
const newcomer = 'new@newcomer.example'
const sampleRoutes = ['/codedm/device-dashboard', '/codedm/zones', '/codedm/apply-config', '/codedm/rollouts/:id']
const sampleModes = [
  ...plainModes.filter(({ width }) => [390, 660, 834, 1440].includes(width)),
  ...pairedModes.filter(({ width, height }) => height === 256 || width === 960),
]

/** All that is wrong, of a kind of data. */
const found = new Map<string, Breach[]>()

async function walkAll(data: string, fleet?: { readers: number; zones: number }): Promise<void> {
  const stack = await startStack()
  let browser: Browser | undefined
  try {
    const names = await samples(stack)
    if (fleet) {
      const fill = ['bench/src/fill.ts', northfield, String(fleet.readers), String(fleet.zones)]
      await end(await startProgram(fill, 'Filled', { ...process.env, DATABASE_URL: stack.databaseUrl }), 'SIGTERM')
    }
    browser = await launchBrowser()
    const thumbnails: Thumbnail[] = []
    const seen = newSeen()
    const accounts = isWhole ? [manager, member, foreigner, staff, newcomer] : [manager]
    const routes = isWhole ? (await listRoutes()).filter((route) => route.startsWith(LECTERN_SCREENS)) : sampleRoutes
    const breaches: Breach[] = []
    found.set(data, breaches)
    const begun = Date.now()
    for (const account of accounts) {
      const sample = isWhole ? { keep: (one: Thumbnail) => thumbnails.push(one) } : { modes: sampleModes, judgedAt: [] }
      const wizardZone = isWhole && account === manager ? await findLongestZone(stack) : undefined
      breaches.push(...(await walkScreens({ stack, browser, account, names, routes, wizardZone, seen, ...sample })))
    }
    if (!isWhole) return
    await writeContactSheets(browser, data, thumbnails)
    await writeFile(join(sheetFolder, `${data}.txt`), toLines(breaches).join('\n'))
    const { pages, windows } = seen.measured
    console.log(
      `${data}: ${routes.length} routes × ${accounts.length} accounts, ${pages} pages in ${windows} windows, ${Math.round((Date.now() - begun) / 1000)} s`,
    )
  } finally {
    await browser?.close()
    await stack.stop()
  }
}

/** The zone with CR2700 readers whose name is the longest. */
async function findLongestZone(stack: Stack): Promise<string | undefined> {
  const [zone] = await stack.sql<{ name: string }>(
    `select z.name from zone z where z.organization_id = (select id from organization where public_id = $1)
       and exists (select from device d where d.organization_id = z.organization_id and d.zone_id = z.id and d.device_type = 'CR2700')
     order by length(z.name) desc limit 1`,
    [northfield],
  )
  return zone?.name
}

beforeAll(
  () => Promise.all([walkAll('demo'), walkAll('fleet', { readers: isWhole ? 40_000 : 2_000, zones: 500 })]),
  // What the whole walk may take.
  40 * 60_000,
)

describe.each(['demo', 'fleet'])('with the data of the %s', (data) => {
  const isNormal = ({ height, isSpaced, isLarge, hasForcedColours }: Mode) => height > 256 && !isSpaced && !isLarge && !hasForcedColours
  const ofRows = ['tall row', 'no card']
  const where = (isMeant: (breach: Breach) => boolean) => toLines(found.get(data)!.filter(isMeant))

  test('[LAY-01] no text overlaps another or is clipped, and no page scrolls sideways, at any width', () => {
    expect(where(({ mode, flaw }) => isNormal(mode) && !ofRows.includes(flaw.kind))).toEqual([])
  })
  test('[LAY-02] rows of the dashboard keep their height down to 641 px, and are cards below', () => {
    expect(where(({ flaw }) => ofRows.includes(flaw.kind))).toEqual([])
  })
  test('[LAY-03] at 400 % zoom every route reflows, and bars leave three quarters of the window', () => {
    expect(where(({ mode }) => mode.height === 256 && !mode.isSpaced)).toEqual([])
  })
  test('[LAY-04] in forced colours states are told apart', () => {
    const isForced = ({ height, isSpaced, isLarge, hasForcedColours }: Mode) => hasForcedColours && height > 256 && !isSpaced && !isLarge
    const alike = 'same in forced colours'
    expect(where(({ mode, flaw }) => flaw.kind === alike || (isForced(mode) && !ofRows.includes(flaw.kind)))).toEqual([])
  })
  test('[LAY-05] with the text spacing of WCAG 1.4.12 and at a font size of 200 % nothing is lost', () => {
    expect(where(({ mode, flaw }) => (mode.isSpaced || mode.isLarge) && !ofRows.includes(flaw.kind))).toEqual([])
  })
})
