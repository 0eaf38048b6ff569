import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { axeFindings } from './support/axe.ts'
import { type Flaw, measureBars, measureLayout } from './support/layout/in-page.ts'
import { pairedModes, plain, plainModes, widths } from './support/layout/modes.ts'
import { checkFullTexts, measure, show } from './support/layout/walk.ts'
import { openBrowser } from './support/processes/browser.ts'

/** Small pages with one fault each: the walk of all screens finds it, and finds nothing where it is corrected. */
let page: Page
afterEach(() => page?.close())

async function open(body: string, css = ''): Promise<Page> {
  page = await (await openBrowser()).newPage({ viewport: { width: 600, height: 400 } })
  await page.setContent(
    `<!doctype html><html lang="en"><title>Page</title><style>body { font: 16px sans-serif } ${css}</style><body>${body}`,
  )
  return page
}

async function listFlaws(body: string, css = ''): Promise<Flaw[]> {
  const { flaws } = await (await open(body, css)).evaluate(measureLayout)
  return flaws
}

const first = '<p style="position: absolute; left: 10px; top: 10px; margin: 0">40,040</p>'
test('text over text is found, and not lines that stand close', async () => {
  const over = await listFlaws(`${first}<p style="position: absolute; left: 30px; top: 14px; margin: 0">500 zones</p>`)
  expect(over).toEqual([{ kind: 'overlap', texts: ['40,040', '500 zones'] }])
  await page.close()
  expect(await listFlaws(`${first}<p style="position: absolute; left: 30px; top: 27px; margin: 0">500 zones</p>`)).toEqual([])
})

test('text below what sticks or floats above the page is not over it', async () => {
  expect(await listFlaws('<b style="position: fixed; left: 8px; top: 8px; background: white">Bar</b>Below the bar')).toEqual([])
})

test('text that is not seen overlaps nothing', async () => {
  const hidden = ['visibility: hidden', 'opacity: 0', 'display: none', 'width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)']
  expect(
    await listFlaws(
      hidden.map((style) => `<p style="position: absolute; left: 10px; top: 10px; margin: 0; ${style}">Unseen</p>`).join('') + first,
    ),
  ).toEqual([])
})

const narrow = 'width: 60px; overflow: hidden; white-space: nowrap;'
test('what axe finds is found', async () => {
  const findings = await axeFindings(await open('<main><h1>Readers</h1><img src="data:,"></main>'))
  expect(findings).toEqual(['image-alt: <img src="data:,">'])
  await page.close()
  expect(await axeFindings(await open('<main><h1>Readers</h1><img src="data:," alt="A reader"></main>'))).toEqual([])
})

test('clipped text is found, in both directions', async () => {
  expect(await listFlaws(`<p class="name" style="${narrow}">Cardiology North</p>`)).toEqual([
    { kind: 'clipped', texts: ['Cardiology North', 'name'] },
  ])
  await page.close()
  const low = await listFlaws('<p class="name" style="width: 60px; height: 20px; overflow: hidden">Cardiology North</p>')
  expect(low).toEqual([{ kind: 'clipped', texts: ['Cardiology North', 'name'] }])
  await page.close()
  expect(await listFlaws('<p style="width: 60px; overflow: auto; white-space: nowrap">Cardiology North</p>')).toEqual([])
})

test('a text that ends in an ellipsis must be shown whole on hover and on focus', async () => {
  const { shortened } = await (await open(`<p style="${narrow} text-overflow: ellipsis">Cardiology North</p>`)).evaluate(measureLayout)
  expect(await checkFullTexts(page, shortened, '/', new Set())).toEqual([
    { kind: 'no full text on hover', texts: ['Cardiology North'] },
    { kind: 'no full text on focus', texts: ['Cardiology North'] },
  ])
  await page.close()
  const whole = await open(
    `<p tabindex="0" style="${narrow} text-overflow: ellipsis">Cardiology North</p><i role="tooltip">Cardiology North</i>`,
    '[role=tooltip] { display: none } p:hover + i, p:focus + i { display: block }',
  )
  expect(await checkFullTexts(whole, (await whole.evaluate(measureLayout)).shortened, '/', new Set())).toEqual([])
})

test('text that runs out of its button is found', async () => {
  expect(await listFlaws('<button class="go" style="width: 60px; white-space: nowrap; padding: 0">Generate Barcode</button>')).toEqual([
    { kind: 'out of its box', texts: ['Generate Barcode', 'go'] },
  ])
})

test('a page and a table that scroll sideways are found', async () => {
  const wide = await listFlaws('<div class="wide" style="width: 650px">Wide</div>')
  expect(wide).toEqual([{ kind: 'page scrolls sideways', texts: ['58 px', 'DIV wide Wide'] }])
  await page.close()
  expect(
    await listFlaws(
      '<section class="table-scroll" aria-label="Zones" style="overflow: auto"><div style="width: 650px">Wide</div></section>',
    ),
  ).toEqual([{ kind: 'table scrolls sideways', texts: ['Zones', '66 px'] }])
})

test('rows that grow, and rows that are no cards, are found', async () => {
  await open('<table class="table"><tbody><tr style="height: 61px"><td>CR2700</table>', 'td { padding: 0 } table { border-spacing: 0 }')
  const at = (width: number) => measure(page, { ...plain, width, height: 900 }, [40]).then(({ flaws }) => flaws)
  expect(await at(660)).toEqual([{ kind: 'tall row', texts: ['61 px', '40 px at 1440'] }])
  expect(await at(640)).toEqual([{ kind: 'no card', texts: ['1 rows'] }])
  await page.close()
  await open(
    '<table class="table"><tbody><tr style="height: 60px"><td>CR2700</table><p class="record">',
    'td { padding: 0 } table { border-spacing: 0 }',
  )
  expect([await at(660), await at(640)]).toEqual([[], []])
})

test('[SEE-07] cells of several lines that touch the lines of their row are found', async () => {
  const list = (padding: string) =>
    listFlaws(
      '<table class="table"><tbody><tr><td>Halted<br>by the gate</td><td>CR2700</td></tr></table>',
      `td { padding: ${padding} 10px; line-height: 20px } table { border-spacing: 0 }`,
    )
  expect((await list('0')).map(({ kind, texts }) => [kind, texts[0]])).toEqual([
    ['close to its row', 'Halted'],
    ['close to its row', 'by the gate'],
  ])
  await page.close()
  expect(await list('8px')).toEqual([])
})

test('bars that cover more than a quarter of a low window are found', async () => {
  const bars =
    '<header style="position: sticky; top: 0; height: 40px">Top</header><main style="height: 900px"></main><footer style="position: sticky; bottom: 0; height: 30px">Foot</footer>'
  await open(bars, 'body { margin: 0 }')
  await page.setViewportSize({ width: 320, height: 256 })
  expect(await page.evaluate(measureBars)).toBe(70 / 256)
  const { flaws } = await measure(page, { ...plain, width: 320, height: 256 }, undefined)
  expect(flaws).toEqual([{ kind: 'sticky bars', texts: ['cover 27 %'] }])
})

const forced = { ...plain, width: 600, height: 400, hasForcedColours: true }
async function listForced(body: string, css: string): Promise<string[][]> {
  const shown = await open(body, css)
  await show(shown, await shown.context().newCDPSession(shown), forced)
  const { flaws } = await measure(shown, forced, undefined)
  expect(new Set(flaws.map(({ kind }) => kind))).toEqual(new Set(flaws.length > 0 ? ['same in forced colours'] : []))
  return flaws.map(({ texts }) => texts)
}
test.each([
  [
    'a chosen tile',
    '<div role="radiogroup"><button role="radio" aria-checked="true">All</button><button role="radio" aria-checked="false">Offline</button></div>',
    '[aria-checked=true] { background: navy; color: white; font-weight: 600; box-shadow: inset 0 3px red }',
    '[aria-checked=true] { forced-color-adjust: none; background: Highlight }',
    [['choice true: All', 'false: Offline']],
  ],
  [
    'a step',
    '<ol class="stepper"><li class="step step-current"><i class="step-mark">1</i><li class="step step-upcoming"><i class="step-mark">2</i></ol>',
    '.step-current .step-mark { background: navy }',
    '.step-current .step-mark { border: 1px solid }',
    [['step step-current: 1', 'step-upcoming: 2']],
  ],
  [
    'progress',
    '<div class="progress-bar"><span class="progress-applied">&nbsp;</span></div>',
    '.progress-applied { background: green } .progress-bar, .progress-applied { display: block }',
    '.progress-applied { forced-color-adjust: none; background: Highlight }',
    [['progress-applied', 'its track']],
  ],
  [
    'a mark',
    '<svg class="glyph glyph-ok"><circle r="4"/></svg><svg class="glyph glyph-bad"><circle r="4"/></svg>',
    '.glyph-ok { color: green } .glyph-bad { color: red }',
    '.glyph-bad { display: none }',
    [['mark glyph-ok: ', 'glyph-bad: ']],
  ],
])('%s that only a colour shows is found in forced colours', async (_, body, css, mend, expected) => {
  expect(await listForced(body, css)).toEqual(expected)
  await page.close()
  expect(await listForced(body, `${css} ${mend}`)).toEqual([])
})

test('text spacing and a font size of 200 % are shown, and what they break is found', async () => {
  await open(
    '<p class="box" style="width: 8.5em; overflow: hidden; white-space: nowrap; font-size: 1rem; line-height: 1.2">Host PCs online</p>',
  )
  const devTools = await page.context().newCDPSession(page)
  const look = async (mode: object) => {
    const next = { ...plain, width: 700, height: 400, ...mode }
    await show(page, devTools, next)
    return (await measure(page, next, undefined)).flaws
  }
  const clipped: Flaw = { kind: 'clipped', texts: ['Host PCs online', 'box'] }
  expect([await look({}), await look({ isSpaced: true }), await look({})]).toEqual([[], [clipped], []])
  await page.setContent(
    '<!doctype html><style>body { margin: 0 } p { width: 30px; font-size: 1rem; overflow: hidden }</style><p class="box">Host',
  )
  await show(page, devTools, { ...plain, width: 700, height: 400 })
  expect(await page.evaluate(() => getComputedStyle(document.querySelector('p')!).fontSize)).toBe('16px')
  expect(await look({ isLarge: true })).toEqual([{ kind: 'clipped', texts: ['Host', 'box'] }])
})

test('every width is shown plainly, and all modes in pairs', () => {
  expect(plainModes.map(({ width }) => width)).toEqual(widths)
  const names = ['isDark', 'isSpaced', 'hasForcedColours', 'isLarge'] as const
  const pairs = new Set<string>()
  for (const mode of pairedModes) {
    for (const name of names) pairs.add(`${mode.width} × ${mode.height} ${name} ${mode[name]}`)
    for (const one of names) for (const other of names) if (one < other) pairs.add(`${one} ${mode[one]} ${other} ${mode[other]}`)
  }
  // 14 windows with both states of four modes, of which three windows are too narrow for large letters; and six pairs of modes.
  expect(pairs.size).toBe(14 * 8 - 3 + 6 * 4)
})
