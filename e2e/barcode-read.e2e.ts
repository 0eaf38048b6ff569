import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { downloadedBytes } from './support/downloaded.ts'
import { manager, northfield, staff, startStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { sheetPath, toBytes } from './support/symbol-reading.ts'

const { stack, pages } = await stackForFile(startStack())

const commands = ['CFR', 'FBGRSVO20', 'FBCBSVO20', 'FBCMSVO20', 'FBERSVO20', 'SYAZTCSEN1', 'ZZZZSAB1']
const path = '/codedm/read-configuration'

async function open(account = manager): Promise<Page> {
  const page = await pages.open(path, account)
  await page.getByText('Nothing read yet.').waitFor()
  return page
}

const choose = (page: Page, source: string) => page.getByRole('radio', { name: source, exact: true }).click()
const files = (page: Page) => page.locator('input[type=file]')
const device = (page: Page) => page.getByRole('combobox', { name: 'Device', exact: true })
const configuration = (page: Page) => page.getByRole('region', { name: 'Configuration', exact: true })

async function chooseDevice(page: Page, name: RegExp): Promise<void> {
  await device(page).click()
  await page.getByRole('option', { name }).click()
}

/** The lines of what was read, once there are as many. */
async function lines(page: Page, count: number): Promise<string[]> {
  const items = configuration(page).locator('.option-lines li')
  await expect.poll(() => items.count(), { timeout: 60_000 }).toBe(count)
  return (await items.allInnerTexts()).map((line) => line.replace(/\s+/g, ' '))
}

/** A list of commands as a downloaded PNG and as a printed PDF. */
async function madeFrom(list: readonly string[], page: Page): Promise<{ png: Buffer; pdf: Buffer }> {
  await showInApp(page, sheetPath('CR2700', list))
  await page.getByText('Reads back exactly').waitFor()
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const png = await downloadedBytes(await waiting)
  return { png, pdf: await page.pdf({ format: 'A4' }) }
}

/** Only the dark pixels of a picture, in one colour. */
async function paintModules(page: Page, png: Buffer, paint: string): Promise<Buffer> {
  const url = await page.evaluate(
    async ([source, colour]) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.naturalWidth
      canvas.height = image.naturalHeight
      const context = canvas.getContext('2d')!
      context.drawImage(image, 0, 0)
      const pixels = context.getImageData(0, 0, canvas.width, canvas.height)
      for (let at = 0; at < pixels.data.length; at += 4) {
        const isDark = pixels.data[at]! < 128
        const light = colour === '#fff' ? 255 : 0
        pixels.data.set([light, light, light, isDark ? 255 : 0], at)
      }
      context.putImageData(pixels, 0, 0)
      return canvas.toDataURL('image/png')
    },
    [`data:image/png;base64,${png.toString('base64')}`, paint] as const,
  )
  return Buffer.from(url.split(',')[1]!, 'base64')
}

const named = [
  '00 Reset (CFR) First CFR Evidence: Listing',
  expect.stringMatching(/^01 .*Medium FBGRSVO20 FBCBSVO20 FBCMSVO20 FBERSVO20 Evidence: Listing$/),
  expect.stringMatching(/^02 Aztec.*: On SYAZTCSEN1 Evidence: Listing$/),
  expect.stringMatching(/^03 Not in the catalogue ZZZZSAB1$/),
]

describe('from files', () => {
  test('a downloaded picture and a printed page give the options back; so does the builder that opens them', async () => {
    const page = await open()
    const { png, pdf } = await madeFrom(commands, page)
    for (const file of [
      { name: 'config.png', mimeType: 'image/png', buffer: png },
      { name: 'sheet.pdf', mimeType: 'application/pdf', buffer: pdf },
    ]) {
      await showInApp(page, path)
      await files(page).setInputFiles(file)
      await chooseDevice(page, /^CR1100, does not know 1$/)
      expect(await lines(page, 4), file.name).toEqual(named)
    }
    await page.getByRole('link', { name: 'Open in the builder' }).click()
    await page.getByRole('heading', { name: 'Configuration Format' }).waitFor()
    expect(JSON.parse(new URL(page.url()).searchParams.get('config') ?? '')).toEqual(commands)
  })

  test('several barcodes are put together in the order of their files; one can be left out', async () => {
    const page = await open()
    const { png: second } = await madeFrom(['SYAZTCSEN0'], page)
    const { png: first } = await madeFrom(['CFR', 'ZZZZSAB1'], page)
    await showInApp(page, path)
    await files(page).setInputFiles([
      { name: 'config-10.png', mimeType: 'image/png', buffer: second },
      { name: 'config-2.png', mimeType: 'image/png', buffer: first },
    ])
    await chooseDevice(page, /^CR1100/)
    expect(await lines(page, 3)).toEqual([
      '00 Reset (CFR) First CFR Evidence: Listing',
      expect.stringMatching(/^01 Aztec.*: Off SYAZTCSEN0 Evidence: Inferred$/),
      '02 Not in the catalogue ZZZZSAB1',
    ])
    await configuration(page).getByText('2 barcodes, put together in this order').waitFor()
    await page.getByRole('checkbox', { name: /^config-2\.png/ }).uncheck()
    await chooseDevice(page, /^CR1100/)
    expect(await lines(page, 1)).toEqual([expect.stringMatching(/^01 Aztec.*: Off SYAZTCSEN0 Evidence: Inferred$/)])
  })

  test('[EVI-05] of a picture with three barcodes, the middle one damaged, a part is missed', async () => {
    const page = await open()
    const pngs: string[] = []
    for (const list of [['SYAZTCSEN0'], ['SYDATMSEN1'], ['SYQRCOSEN1']]) pngs.push((await madeFrom(list, page)).png.toString('base64'))
    const sheet = await page.context().newPage()
    const images = pngs.map((png) => `<img width="300" src="data:image/png;base64,${png}">`)
    const scratch = '<div style="position:absolute;left:420px;top:150px;width:80px;height:80px;background:#fff"></div>'
    await sheet.setContent(`<body style="margin:0;white-space:nowrap">${images.join('')}${scratch}`)
    const buffer = await sheet.screenshot()
    await sheet.close()
    await showInApp(page, path)
    await files(page).setInputFiles({ name: 'sheet.png', mimeType: 'image/png', buffer })
    await page
      .getByRole('alert')
      .getByText('1 more barcode in sheet.png cannot be read, so a part of the configuration may be missing.')
      .waitFor()
    await configuration(page).getByText('2 barcodes, put together in this order').waitFor()
  })

  test('of a PDF the first page with a barcode is shown, and another can be chosen', async () => {
    const page = await open()
    const { png, pdf } = await madeFrom(['SYAZTCSEN1', ...Array.from({ length: 60 }, (_, index) => `ZZZZSAB${index}`)], page)
    expect(png.length).toBeGreaterThan(0)
    await showInApp(page, path)
    await files(page).setInputFiles({ name: 'long.pdf', mimeType: 'application/pdf', buffer: pdf })
    await lines(page, 61)
    await page.getByRole('combobox', { name: 'Page of long.pdf' }).click()
    await page.getByRole('option', { name: /^Page 2 of/ }).click()
    await page.getByRole('alert').getByText('No QR code was found on page 2 of long.pdf.').waitFor()
    // Another page can be chosen still.
    await page.getByRole('combobox', { name: 'Page of long.pdf' }).click()
    await page.getByRole('option', { name: /^Page 1 of/ }).click()
    await lines(page, 61)
  })

  test('[INP-08] a configuration behind the pages that are looked through is read once its page is chosen', async () => {
    const page = await open()
    const { png } = await madeFrom(['SYAZTCSEN0'], page)
    const picture = `<img src="data:image/png;base64,${png.toString('base64')}">`
    for (const [count, role] of [
      [24, 'combobox'],
      [120, 'textbox'],
    ] as const) {
      const sheets = await page.context().newPage()
      const blank = '<p style="break-after: page">Another page</p>'
      await sheets.setContent(`${blank.repeat(count - 1)}${picture}`)
      const buffer = await sheets.pdf({ format: 'A4' })
      await sheets.close()
      await showInApp(page, path)
      await files(page).setInputFiles({ name: 'manual.pdf', mimeType: 'application/pdf', buffer })
      await page.getByRole('alert').getByText('No QR code was found on the first 20 pages of manual.pdf.').waitFor({ timeout: 60_000 })
      const box = page.getByRole(role, { name: 'Page of manual.pdf' })
      if (role === 'combobox') {
        await box.click()
        await page.getByRole('option', { name: `Page ${count} of ${count}` }).click()
      } else {
        await box.fill(String(count))
        await box.press('Enter')
      }
      expect(await lines(page, 1)).toEqual([expect.stringContaining('SYAZTCSEN0')])
    }
  })

  test('[INP-08] a code on transparent ground is read, black or white', async () => {
    const page = await open()
    const { png } = await madeFrom(['SYAZTCSEN0'], page)
    for (const paint of ['#000', '#fff']) {
      const buffer = await paintModules(page, png, paint)
      await showInApp(page, path)
      await files(page).setInputFiles({ name: `${paint.slice(1)}.png`, mimeType: 'image/png', buffer })
      expect(await lines(page, 1), paint).toEqual([expect.stringContaining('SYAZTCSEN0')])
    }
  })

  test('[INP-04] a saved text is read in UTF-16 too', async () => {
    const page = await open()
    await files(page).setInputFiles({
      name: 'saved.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(`\ufeff${commands.join('\r\n')}`, 'utf16le'),
    })
    await chooseDevice(page, /^CR1100/)
    expect(await lines(page, 4)).toEqual(named)
  })

  test('a saved text and the bytes of a barcode are read too', async () => {
    const page = await open()
    for (const [name, mimeType, buffer] of [
      ['saved.txt', 'text/plain', Buffer.from(commands.join('\r\n'))],
      ['payload.bin', 'application/octet-stream', Buffer.from(toBytes(commands))],
    ] as const) {
      await showInApp(page, path)
      await files(page).setInputFiles({ name, mimeType, buffer })
      await chooseDevice(page, /^CR1100/)
      expect(await lines(page, 4), name).toEqual(named)
    }
  })

  const without = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>'
  const refused = [
    ['a damaged picture', 'x.png', 'image/png', 'hello', 'x.png cannot be read'],
    ['a damaged PDF', 'x.pdf', 'application/pdf', '%PDF-1.7 nothing more', 'x.pdf cannot be read'],
    ['something else', 'x.bin', 'application/octet-stream', '\0\x01\x02', 'x.bin cannot be read'],
    ['an empty file', 'x.txt', 'text/plain', '', 'x.txt is empty.'],
    ['a text of something else', 'x.txt', 'text/plain', 'Dear all, hello.', 'This is no configuration.'],
    ['a picture without a barcode', 'x.svg', 'image/svg+xml', without, 'No QR code was found in x.svg.'],
  ] as const
  test('what cannot be read, is empty or holds no configuration is refused with the reason', async () => {
    const page = await open()
    for (const [what, name, mimeType, content, reason] of refused) {
      await showInApp(page, path)
      await files(page).setInputFiles({ name, mimeType, buffer: Buffer.from(content) })
      await page.getByRole('alert').getByText(reason).waitFor()
      expect(await configuration(page).locator('.option-lines').count(), what).toBe(0)
    }
  })
})

describe('from text', () => {
  test('options are named, what is not in the catalogue and what has no effect is marked, and the reader can be chosen', async () => {
    const page = await open()
    await choose(page, 'Text')
    await page.getByRole('textbox', { name: 'Commands' }).fill('SYAZTCSEN0;SYAZTCSEN1;BTRDSRB30000;ZZZZSAB1')
    await chooseDevice(page, /^CR2700, does not know 1$/)
    const read = await lines(page, 4)
    expect(read.filter((line) => line.includes('Not in the catalogue'))).toEqual(['03 Not in the catalogue ZZZZSAB1'])
    expect(read.filter((line) => line.includes('Without effect'))).toEqual([expect.stringContaining('SYAZTCSEN0')])
    await chooseDevice(page, /^CR950/)
    const others = await lines(page, 4)
    expect(others.filter((line) => line.includes('Not in the catalogue'))).toHaveLength(2)
  })

  test('[EVI-01] each option says how well its command is known on the chosen reader, and what is inferred is warned of', async () => {
    const page = await open()
    await choose(page, 'Text')
    await page.getByRole('textbox', { name: 'Commands' }).fill('SYAZTCSEN1')
    await chooseDevice(page, /^CR1100, knows all$/)
    expect(await lines(page, 1)).toEqual([expect.stringMatching(/SYAZTCSEN1 Evidence: Listing$/)])
    expect(await configuration(page).getByText('inferred').count()).toBe(0)
    await chooseDevice(page, /^1500DPM/)
    await configuration(page).getByText('The option sends commands that are inferred, not documented.').waitFor()
    expect(await lines(page, 1)).toEqual([expect.stringMatching(/SYAZTCSEN1 Evidence: Inferred$/)])
  })

  test('[EVI-05] text without control characters is read, service commands have names, dangerous ones a warning, and no device is guessed', async () => {
    const page = await open()
    await choose(page, 'Text')
    const box = page.getByRole('textbox', { name: 'Commands' })
    await box.fill('YCFRSYAZTCSEN1CFG')
    expect(await lines(page, 3)).toEqual([
      '00 Reset (CFR) First CFR',
      expect.stringMatching(/^01 Aztec.*: On SYAZTCSEN1$/),
      '02 Report the configuration CFG',
    ])
    expect(await device(page).textContent()).toBe('Choose the device')
    await configuration(page).getByText('The barcode does not say its device.').waitFor()
    expect(await configuration(page).getByRole('link').count()).toBe(0)
    expect(await configuration(page).getByRole('alert').count()).toBe(0)
    await box.fill('YBTRDXCCRDCMXRB1JSCMXES"evil.js"RDFSXFN"x.js"')
    await configuration(page).getByRole('alert').getByText('4 commands do more than change settings.').waitFor()
    expect(await lines(page, 4)).toEqual([
      '01 Clear the pairing of the reader The reader loses its charging base or host, and must be paired again. BTRDXCC',
      '02 Restart the reader The reader restarts, and what follows may be lost. RDCMXRB1',
      '03 Run a script It runs a program on the reader. JSCMXES"evil.js"',
      '04 Write a file It writes a file to the reader, such as a program or firmware. RDFSXFN"x.js"',
    ])
  })

  test('what is no configuration is said when the box is left, not while somebody types', async () => {
    const page = await open()
    await choose(page, 'Text')
    const box = page.getByRole('textbox', { name: 'Commands' })
    await box.pressSequentially('hello')
    expect(await box.getAttribute('aria-invalid')).toBeNull()
    await box.blur()
    await page.getByText('This is no configuration.').waitFor()
    expect(await box.getAttribute('aria-invalid')).toBe('true')
  })

  test('it is saved to the library, unless a command could not be sent', async () => {
    const page = await open()
    await choose(page, 'Text')
    const box = page.getByRole('textbox', { name: 'Commands' })
    const save = page.getByRole('button', { name: 'Save to the library' })
    await box.fill('SYAZTCSEN1 hello')
    await chooseDevice(page, /^CR1100/)
    await page.getByText('"hello" cannot be sent.').first().waitFor()
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await box.fill('SYAZTCSEN1')
    await save.click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Read back')
    await page.keyboard.press('Enter')
    await page.getByText('Configuration saved').first().waitFor()
    const saved = await (await stack.api(manager))('listSavedConfigurations', { params: { organizationId: northfield } })
    expect(saved.map(({ name, commands: list }) => [name, list])).toEqual([['Read back', ['SYAZTCSEN1']]])
  })

  test('who belongs to no organization can read, and has nowhere to save', async () => {
    const page = await open(staff)
    await choose(page, 'Text')
    await page.getByRole('textbox', { name: 'Commands' }).fill('SYAZTCSEN1')
    await chooseDevice(page, /^CR1100/)
    await page.getByRole('link', { name: 'Open in the builder' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save to the library' }).count()).toBe(0)
  })
})

describe('from a scanner', () => {
  /** Presses a scanner's keys: control characters are letters with Ctrl. */
  async function scan(page: Page, list: readonly string[]): Promise<void> {
    for (const byte of toBytes(list))
      await (byte === 0x1d
        ? page.keyboard.press('Control+]')
        : byte < 0x20
          ? page.keyboard.press(`Control+${String.fromCharCode(byte + 0x60)}`)
          : page.keyboard.type(String.fromCharCode(byte)))
    await page.keyboard.press('Enter')
  }

  test('keystrokes are taken without a click, one barcode after another, with the keyboard alone', async () => {
    const page = await open()
    await page.getByRole('radio', { name: 'Picture or PDF' }).focus()
    for (const source of ['Text', 'Scanner']) {
      await page.keyboard.down('ArrowRight')
      await page.getByRole('radio', { name: source, exact: true, checked: true }).waitFor()
      await page.keyboard.up('ArrowRight')
    }
    await page.getByText('Waiting for the scanner').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await scan(page, ['SYAZTCSEN1'])
    await page.getByText('1 barcode read').waitFor()
    await chooseDevice(page, /^CR1100/)
    expect(await lines(page, 1)).toEqual([expect.stringMatching(/^01 Aztec.*: On SYAZTCSEN1 Evidence: Listing$/)])
    await page.getByRole('textbox', { name: 'What the scanner types' }).focus()
    await scan(page, ['ZZZZSAB1'])
    await page.getByText('2 barcodes read').waitFor()
    await lines(page, 2)
  })
})

test('axe finds nothing in any state, in either look', async () => {
  const page = await open()
  expect(await axeInLooks(page)).toEqual([])
  await files(page).setInputFiles([
    { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('SYAZTCSEN0 SYAZTCSEN1 hello') },
    { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from(commands.join(' ')) },
    { name: 'c.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
  ])
  await page.getByText('c.png cannot be read').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await choose(page, 'Scanner')
  await page.getByText('Waiting for the scanner').waitFor()
  expect(await axeInLooks(page)).toEqual([])
})
