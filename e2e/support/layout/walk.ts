import type { Browser, CDPSession, Page } from 'playwright-core'
import { axeFindings } from '../axe.ts'
import { buildPath, markup, openRoute, type Samples } from '../crawl.ts'
import { arrive, type Stack } from '../processes/stack.ts'
import { firmwarePath, versionSelect } from '../screens/firmware-wizard.ts'
import { button, makeCfg, saveCfg, select, wizardPath } from '../screens/publish-wizard.ts'
import { watchCalls } from '../watch-calls.ts'
import { measureStates } from './forced-colours.ts'
import { type Flaw, measureBars, measureLayout } from './in-page.ts'
import { type Mode, nameMode, pairedModes, plain, plainModes } from './modes.ts'

export interface Thumbnail {
  route: string
  mode: string
  /** JPEG. */
  image: Buffer
}

/** One thing that is wrong, and where. */
export interface Breach {
  route: string
  account: string
  mode: Mode
  flaw: Flaw
}

export interface Walk {
  stack: Stack
  browser: Browser
  account: string
  names: Samples
  routes: readonly string[]
  /** A zone with CR2700 readers: the steps of the wizards behind the first are walked for it. */
  wizardZone?: string | undefined
  /** The windows that a page is shown in; all by default. */
  modes?: readonly Mode[]
  /** Widths at which axe judges. */
  judgedAt?: readonly number[]
  /** What has been looked at already, by markup; and full texts that were found, by place. */
  seen: Seen
  keep?: (thumbnail: Thumbnail) => void
}

export interface Seen {
  markups: Set<string>
  fullTexts: Set<string>
  /** Windows that were measured, and pages. */
  measured: { pages: number; windows: number }
}
export const newSeen = (): Seen => ({ markups: new Set(), fullTexts: new Set(), measured: { pages: 0, windows: 0 } })

const spacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'

/** Shows the page in a mode. */
export async function show(page: Page, devTools: CDPSession, mode: Mode): Promise<void> {
  await devTools.send('Page.setFontSizes', { fontSizes: mode.isLarge ? { standard: 32, fixed: 26 } : { standard: 16, fixed: 13 } })
  await page.emulateMedia({ forcedColors: mode.hasForcedColours ? 'active' : 'none' })
  await page.setViewportSize({ width: mode.width, height: mode.height })
  await page.evaluate(
    ([theme, css]) => {
      document.documentElement.dataset.theme = theme
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css!)
      document.adoptedStyleSheets = [sheet]
    },
    [mode.isDark ? 'dark' : 'light', mode.isSpaced ? spacing : ''],
  )
  // Two frames: what listens to the window's size has answered, and its answer is laid out.
  await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))
  await page.waitForFunction(() =>
    document.getAnimations().every((each) => each.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY),
  )
}

/** What is wrong with the page as it is shown. @param tallest the height of each row at 1440 px, where rows are held against them */
export async function measure(
  page: Page,
  mode: Mode,
  tallest: readonly number[] | undefined,
): Promise<{ flaws: Flaw[]; rows: number[]; shortened: number }> {
  const { flaws: all, rows, cards, shortened } = await page.evaluate(measureLayout)
  // A table that scrolls loses nothing; with larger or wider letters it may (WCAG 1.4.10 excepts tables).
  const isWide = mode.isSpaced || mode.isLarge
  const flaws = isWide ? all.filter(({ kind }) => kind !== 'table scrolls sideways') : all
  // Somebody without an organization has no rows.
  if (tallest !== undefined && tallest.length > 0 && !isWide) {
    if (mode.width > 640) {
      rows.forEach((height, index) => {
        const standard = tallest[index] ?? height
        if (height > standard * 1.5)
          flaws.push({ kind: 'tall row', texts: [`${Math.round(height)} px`, `${Math.round(standard)} px at 1440`] })
      })
    } else if (cards === 0) flaws.push({ kind: 'no card', texts: [`${rows.length} rows`] })
  }
  if (mode.height <= 256) {
    const share = await page.evaluate(measureBars)
    if (share > 0.25) flaws.push({ kind: 'sticky bars', texts: [`cover ${Math.round(share * 100)} %`] })
  }
  if (mode.hasForcedColours) flaws.push(...(await page.evaluate(measureStates)))
  return { flaws, rows, shortened }
}

/** Whether texts that end in an ellipsis are shown whole while the pointer rests on them, and while the keyboard is at them. */
export async function checkFullTexts(page: Page, count: number, place: string, known: Set<string>): Promise<Flaw[]> {
  const flaws: Flaw[] = []
  for (let index = 0; index < count; index += 1) {
    const handle = await page.evaluateHandle((at) => window.shortened![at]!.element, index)
    const element = handle.asElement()!
    const { key, text } = await element.evaluate((one) => ({
      key: `${one.tagName}.${one.className}`,
      text: (one.textContent ?? '').trim(),
    }))
    if (known.has(`${place} ${key}`)) continue
    known.add(`${place} ${key}`)
    const isWhole = (words: string) =>
      [...document.querySelectorAll('[role=tooltip]')].some(
        (tip) => tip.checkVisibility() && (tip.textContent ?? '').includes(words.slice(0, 200)),
      )
    const appears = (within: number) =>
      page.waitForFunction(isWhole, text, { timeout: within }).then(
        () => true,
        () => false,
      )
    /** A pointer that arrived before the text knew that it is cut arrives again. */
    const appearsOnHover = async () => {
      for (let arrivals = 0; arrivals < 5; arrivals += 1) {
        await element.hover({ force: true })
        if (await appears(1_000)) return true
        await page.mouse.move(0, 0)
      }
      return false
    }
    await element.scrollIntoViewIfNeeded()
    const isTitle = await element.evaluate(
      (one, words) => (one.closest('[title]')?.getAttribute('title') ?? '').includes(words.slice(0, 200)),
      text,
    )
    if (!isTitle && !(await appearsOnHover())) flaws.push({ kind: 'no full text on hover', texts: [text] })
    await page.mouse.move(0, 0)
    await page.keyboard.press('Escape')
    const canFocus = await element.evaluate((one) => {
      const target = one.matches('a, button, [tabindex]')
        ? one
        : (one.closest('a, button, [tabindex]') ?? one.querySelector('a, button, [tabindex]'))
      if (!(target instanceof HTMLElement)) return false
      target.focus()
      return document.activeElement === target
    })
    if (!canFocus || !(await appears(10_000))) flaws.push({ kind: 'no full text on focus', texts: [text] })
    await page.keyboard.press('Escape')
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  }
  return flaws
}

/** Shows one page in all its windows. */
async function measurePage(page: Page, devTools: CDPSession, walk: Walk, route: string): Promise<{ mode: Mode; flaw: Flaw }[]> {
  const { modes = [...plainModes, ...pairedModes], seen, keep, judgedAt = [320, 834, 1440] } = walk
  const found: { mode: Mode; flaw: Flaw }[] = []
  await page.waitForFunction(() => document.querySelector('main .skeleton, main .table-dimmed') === null)
  await show(page, devTools, standard)
  const tallest = route === '/codedm/device-dashboard' ? (await page.evaluate(measureLayout)).rows : undefined
  const outline = await page.evaluate(markup)
  const isKnown = seen.markups.has(outline)
  seen.markups.add(outline)
  seen.measured.pages += 1
  for (const mode of modes) {
    const isPlain = plainModes.includes(mode)
    // Modes change colours and sizes, not what a page has: they are looked at once for a markup.
    if (isKnown && !isPlain) continue
    await show(page, devTools, mode)
    const { flaws, shortened } = await measure(page, mode, tallest)
    seen.measured.windows += 1
    if (isPlain) {
      flaws.push(...(await checkFullTexts(page, shortened, route, seen.fullTexts)))
      if (judgedAt.includes(mode.width) && !isKnown)
        for (const finding of await axeFindings(page)) flaws.push({ kind: 'axe', texts: [finding] })
    }
    found.push(...flaws.map((flaw) => ({ mode, flaw })))
    await page.evaluate(() => scrollTo(0, 0))
    if (keep && !isKnown && (isPlain || mode.height === 256 || [390, 834, 1440].includes(mode.width)))
      keep({ route, mode: nameMode(mode), image: await page.screenshot({ type: 'jpeg', quality: 50, scale: 'css' }) })
  }
  await show(page, devTools, standard)
  return found
}

const standard: Mode = { ...plain, width: 1440, height: 900 }

/** One line for each thing that is wrong, with all windows in which it is. */
export function toLines(breaches: readonly Breach[]): string[] {
  const lines = new Map<string, Set<string>>()
  for (const { route, account, mode, flaw } of breaches) {
    const line = `${route} | ${account} | ${flaw.kind}: ${flaw.texts.map((text) => `“${text}”`).join(' / ')}`
    lines.set(line, (lines.get(line) ?? new Set()).add(nameMode(mode)))
  }
  return [...lines].map(([line, modes]) => `${line} | ${[...modes].join('; ')}`)
}

/** Opens every route as one account and looks at each in all windows. */
export async function walkScreens(walk: Walk): Promise<Breach[]> {
  const { stack, browser, account, names, routes, wizardZone } = walk
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  const breaches: Breach[] = []
  try {
    await arrive(page, stack.url, account)
    const calls = watchCalls(page)
    const look = async (route: string) => {
      for (const one of await measurePage(page, devTools, walk, route)) breaches.push({ route, account, ...one })
    }
    for (const route of routes) {
      await openRoute({ page, url: stack.url, calls }, buildPath(route, names))
      await look(route)
    }
    if (wizardZone !== undefined) await walkWizards(page, stack.url, wizardZone, look)
  } finally {
    await context.close()
  }
  return breaches
}

/** Takes both wizards to their review. */
async function walkWizards(page: Page, url: string, zone: string, look: (place: string) => Promise<void>): Promise<void> {
  await page.goto(`${url}${wizardPath}`)
  await select(page, zone, ['CR2700'])
  await look(`${wizardPath}, chosen`)
  await button(page, 'Next').click()
  await page.getByRole('textbox', { name: 'CR2700 configuration text' }).waitFor()
  await look(`${wizardPath}, configuration`)
  await saveCfg(page, 'CR2700', makeCfg('walk'))
  await page.getByRole('heading', { level: 1, name: /^Review/ }).waitFor()
  await look(`${wizardPath}, review`)

  await page.goto(`${url}${firmwarePath}`)
  await select(page, zone, ['CR2700'])
  await button(page, 'Next').click()
  await versionSelect(page).click()
  await page.getByRole('option').first().click()
  await look(`${firmwarePath}, firmware`)
  await button(page, 'Next').click()
  await page.getByRole('heading', { level: 1, name: /^Review/ }).waitFor()
  await look(`${firmwarePath}, review`)
}
