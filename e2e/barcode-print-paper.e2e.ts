import { type BuilderDevice, type Catalogue, listOptions, listWays } from '@lectern/contract/barcode/catalogue.ts'
import { catalogueFor } from '@lectern/contract/barcode/catalogue-devices.ts'
import { buildCommands } from '@lectern/contract/barcode/selection.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderPages } from './support/pdf-pages.ts'
import { type RandomConfiguration, randomConfigurations, readByZbar } from './support/printed-sheets.ts'
import { manager, type Stack, startStack } from './support/processes/stack.ts'
import { bytesIn, cornersIn, listBarcodes, sheetPath, toBytes } from './support/symbol-reading.ts'

/** How many configurations `npm run check:print` prints. */
const asked = Number(process.env.LECTERN_PRINTED ?? 0)
const formats = ['A4', 'Letter'] as const

let stack: Stack
let page: Page
let catalogue: Catalogue
beforeAll(async () => {
  stack = await startStack()
  page = await stack.page(manager, '/codedm', { colorScheme: 'dark' })
  catalogue = await (await stack.api(manager))('getCatalogue', {})
})
afterAll(() => stack?.stop())

/** Shows a configuration's sheet in the running app, and waits until its symbols were read back. */
async function show({ device, commands }: RandomConfiguration): Promise<void> {
  await page.evaluate(
    (address) => {
      history.pushState(null, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    },
    sheetPath(device, commands),
  )
  const text = commands.join(';')
  await page.waitForFunction(
    (expected) =>
      document.querySelector('.barcode-facts-commands')?.textContent === expected &&
      document.querySelector('.print-sheet[data-proved=true]'),
    text,
    { timeout: 60_000 },
  )
}

/** Without the spaces and line ends that a PDF has between pieces of text. */
const squashed = (text: string): string => text.replace(/\s+/g, '')

const sample: RandomConfiguration = {
  device: 'CR2700',
  commands: ['CFR', 'FBGRSVO20', 'FBCBSVO20', 'FBCMSVO20', 'FBERSVO20', 'SYAZTCSEN1'],
}

test('[PRN-04] prints only the sheet: title, organization, date, caption, numbered options and commands, black on white', async () => {
  await show(sample)
  const [sheet, ...more] = await renderPages(await page.pdf({ format: 'A4' }), 203.2)
  expect(more).toEqual([])
  const text = squashed(sheet!.text)
  for (const part of [
    'CR2700 configuration',
    'Northfield Regional Health. Generated',
    'CR2700, 2 options',
    '00 Reset (CFR) First CFR',
    'SYAZTCSEN1',
  ])
    expect(text).toContain(squashed(part))
  for (const part of ['Print / Save', 'Device Management', 'Download', 'Self-check', 'Back to builder'])
    expect(text).not.toContain(squashed(part))
  const white = sheet!.data.reduce((count, value, index) => (index % 4 === 0 && value === 255 ? count + 1 : count), 0)
  expect(white / (sheet!.width * sheet!.height)).toBeGreaterThan(0.9)
  expect([...sheet!.data.subarray(0, 3)]).toEqual([255, 255, 255])
})

test('[PRN-04] the symbol has 76 mm on paper with its margin, in whole dots of an eighth of a millimetre', async () => {
  await show(sample)
  const [sheet] = await renderPages(await page.pdf({ format: 'A4' }), 203.2)
  const { left, right } = cornersIn(sheet!)!
  // 33 modules, of 608 dots for 53 with the margin: 11 dots each.
  expect(Math.abs(right - left - 33 * 11)).toBeLessThan(4)
})

test('[EVI-06] a printed sheet holds no barcode but its own symbol', async () => {
  await show(sample)
  const [sheet] = await renderPages(await page.pdf({ format: 'A4' }), 300)
  expect((await listBarcodes(sheet!)).map(({ format }) => format)).toEqual(['QRCode'])
})

test('[EVI-01] the sheet says of every line how well its command is known, explains the words once, and warns of what is inferred', async () => {
  await show({ device: 'CR950', commands: ['CFR', 'SYAZTCSEN0', 'CMMOSCMSE'] })
  const [sheet] = await renderPages(await page.pdf({ format: 'A4' }), 72)
  const text = squashed(sheet!.text)
  for (const part of [
    'SYAZTCSEN0 Inferred',
    'CMMOSCMSE Listing',
    'Listing A listing of the maker’s settings has the command',
    'Inferred The command is inferred from others.',
    '1 of 2 options sends commands that are inferred, not documented. Try them on one reader first.',
    'For CR950 only. Try it on one reader first. Reset (CFR) erases every setting that the reader had.',
  ])
    expect(text).toContain(squashed(part))
  expect(text.split(squashed('A listing of the maker’s settings'))).toHaveLength(2)
  await show({ device: 'CR2700', commands: ['SYAZTCSEN0'] })
  const [known] = await renderPages(await page.pdf({ format: 'A4' }), 72)
  expect(squashed(known!.text)).toContain(squashed('SYAZTCSEN0 Guide'))
  for (const part of ['inferred', 'erases']) expect(known!.text).not.toContain(part)
})

test('a long list goes on on further pages, without splitting an option', async () => {
  const device: BuilderDevice = 'CR2700'
  const options = listOptions(catalogueFor(catalogue, device)).filter((option) => listWays(option).length > 0)
  const selection = Object.fromEntries(options.slice(0, 50).map((option) => [option.id, listWays(option)[0]!.value]))
  const commands = buildCommands(catalogue, device, selection)
  await show({ device, commands })
  const rows = await page.locator('.print-sheet .option-lines li').allInnerTexts()
  expect(rows.length).toBeGreaterThan(20)
  const pages = await renderPages(await page.pdf({ format: 'Letter' }), 72)
  expect(pages.length).toBeGreaterThan(1)
  // What is only spoken is not on paper.
  const printed = rows.map((row) => squashed(row).replace('Evidence:', ''))
  for (const row of printed) expect(pages.some(({ text }) => squashed(text).includes(row))).toBe(true)
})

test('twenty-five options of one command fit on one page', async () => {
  const commands = listOptions(catalogueFor(catalogue, 'CR2700'))
    .flatMap((option) => listWays(option).slice(0, 1))
    .filter((way) => way.commands.length === 1)
    .slice(0, 25)
    .map((way) => way.commands[0]!)
  await show({ device: 'CR2700', commands })
  for (const format of formats) expect(await renderPages(await page.pdf({ format }), 72)).toHaveLength(1)
})

test('[PRN-04] random configurations on A4 and Letter read back byte for byte at 203 dpi', async () => {
  for (const configuration of randomConfigurations(catalogue, 4, 11)) {
    await show(configuration)
    for (const format of formats) {
      const [sheet] = await renderPages(await page.pdf({ format }), 203)
      expect(bytesIn(sheet!), `${format}: ${configuration.commands.join(' ')}`).toEqual(toBytes(configuration.commands))
    }
  }
})

test.skipIf(asked === 0)(
  `${asked} random configurations on A4 and Letter at 203, 300 and 600 dpi are read by zbar`,
  async () => {
    const passed = new Map<string, number>()
    const failures: string[] = []
    let bytes = 0
    for (const configuration of randomConfigurations(catalogue, asked, 20_260)) {
      await show(configuration)
      const expected = toBytes(configuration.commands)
      bytes = Math.max(bytes, expected.length)
      for (const format of formats) {
        const pdf = await page.pdf({ format })
        for (const resolution of [203, 300, 600]) {
          const name = `${format} at ${resolution} dpi`
          const read = await readByZbar(pdf, resolution)
          const isRight = read.length === 1 && Buffer.from(read[0]!).equals(Buffer.from(expected))
          passed.set(name, (passed.get(name) ?? 0) + (isRight ? 1 : 0))
          if (!isRight) failures.push(`${name}: ${configuration.device} ${configuration.commands.join(' ')}`)
        }
      }
    }
    for (const [name, count] of passed) console.log(`${name}: ${count} of ${asked} read byte for byte`)
    console.log(`the largest symbol had ${bytes} bytes`)
    expect(failures).toEqual([])
  },
  3 * 3_600_000,
)
