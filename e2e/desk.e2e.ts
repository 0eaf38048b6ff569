import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { downloadedBytes } from './support/downloaded.ts'
import { manager, northfield, signIn, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startStack())
const path = '/codedm/set-up-reader'
const params = { organizationId: northfield }
let entry: string
beforeAll(async () => {
  const api = await stack.api(manager)
  const content = { kind: 'commands' as const, commands: ['CFR', 'SYAZTCSEN1'] }
  entry = (await api('createLibraryEntry', { params, body: { name: 'Desk ward', device: 'CR2700', content } })).id
})
beforeEach(() => stack.sql('delete from desk_record'))

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true })
const records = () =>
  stack.sql<{ serial_number: string; typed: string; typed_slowly: boolean; version: number }>(
    'select serial_number, typed, typed_slowly, version from desk_record order by serial_number',
  )

/** Presses keys as the browser tells them, whatever this machine's keyboard has. `gap`: milliseconds on the page's clock. */
async function types(page: Page, text: string, { gap = 0, enter = true } = {}): Promise<void> {
  for (const character of [...text, ...(enter ? ['\n'] : [])]) {
    if (/[ -~]/.test(character)) await page.keyboard.press(character === ' ' ? 'Space' : character)
    else if (character === '\n') await page.keyboard.press('Enter')
    else
      await page.evaluate((key) => {
        for (const kind of ['keydown', 'keyup'])
          (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent(kind, { key, bubbles: true, cancelable: true }))
      }, character)
    if (gap > 0) await page.clock.runFor(gap)
  }
  await page.clock.runFor(3_500)
}

/** The page, listening. */
async function openDesk(address = `${path}?configuration=${entry}&version=1`): Promise<Page> {
  const page = await pages.open(address)
  await button(page, 'Start').waitFor()
  await page.getByText('Desk ward, version 1').waitFor()
  await page.clock.install()
  await button(page, 'Start').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Listening. Every key is the reader’s; Esc alone lets go').waitFor()
  return page
}

async function setUp(page: Page, serial: string, typed = 'Beep: 3'): Promise<void> {
  await types(page, 'CR2700')
  await types(page, serial)
  await types(page, '4.9.2')
  await types(page, '')
  await heading(page, 'Scan for what the reader has now').waitFor()
  await types(page, typed)
  await types(page, serial)
}

const serialOf = (number: number) => `27P04188${String(number).padStart(2, '0')}`

describe('one reader', () => {
  test('[DSK-01 DSK-02] says who it is, is set up, and what it types is kept', async () => {
    const page = await openDesk()
    await page.getByRole('img', { name: 'Barcode RDRRGMD' }).waitFor()
    await types(page, 'CR2700')
    await page.getByRole('img', { name: 'Barcode RDRRGSN' }).waitFor()
    await types(page, serialOf(1))
    await page.getByRole('img', { name: 'Barcode RDFWGVS' }).waitFor()
    await types(page, 'Rel. 4')
    await page.getByText('Rel. 4 as it came, of no known form').waitFor()
    await page.getByRole('img', { name: 'Configuration', exact: true }).waitFor()
    await types(page, '')
    await page.getByRole('img', { name: 'Barcode CFG' }).waitFor()
    await types(page, 'Beep: 3\nSuffix: /?')
    await page.getByText(/^18 characters came. The form of this answer is not published/).waitFor()
    await types(page, serialOf(1))
    await page.getByText(`${serialOf(1)} is done`).waitFor()
    await expect.poll(records).toEqual([{ serial_number: serialOf(1), typed: 'Beep: 3\nSuffix: /?', typed_slowly: false, version: 1 }])
    await page.getByRole('img', { name: 'Barcode RDRRGMD' }).waitFor()
  })

  test('[DSK-02] another reader between identity and configuration is refused with a sentence, and nothing is kept', async () => {
    const page = await openDesk()
    for (const text of ['CR2700', serialOf(1), '4.9.2', '', 'Beep: 3', serialOf(2)]) await types(page, text)
    await page
      .getByRole('alert')
      .getByText(`Another reader has the serial number ${serialOf(2)}`)
      .waitFor()
    await types(page, serialOf(1))
    await page.getByText(`${serialOf(1)} is done`).waitFor()
    await expect.poll(async () => (await records()).map(({ serial_number }) => serial_number)).toEqual([serialOf(1)])
  })

  test('[DSK-04] a reader of another model, half an answer and a person are refused; a slow reader is kept as such', async () => {
    const page = await openDesk()
    await types(page, 'CR1100')
    await page.getByRole('alert').getByText('This reader is a CR1100, and the configuration is for the CR2700.').waitFor()
    await types(page, 'hello there', { gap: 200 })
    await page.getByRole('alert').getByText('This came as slowly as a person types').waitFor()
    await types(page, 'CR2700', { gap: 200 })
    await page.getByText('Typed slowly: the record says so.').waitFor()
    for (const text of [serialOf(1), '4.9.2', '', '<cfg><a>1</a>']) await types(page, text)
    await page.getByRole('alert').getByText('The text stopped before </cfg>. Nothing of it is kept. Scan the symbol again.').waitFor()
    for (const text of ['<cfg><a>1</a></cfg>', serialOf(1)]) await types(page, text)
    await expect.poll(records).toMatchObject([{ typed: '<cfg><a>1</a></cfg>', typed_slowly: true }])
  })

  test.each([
    ['US', 'German', 'yzYZ', '-', 'ß'],
    ['German', 'US', 'yzYZ', '-', '/'],
    ['US', 'French', 'aqzwAQZW', 'm', ','],
  ])(
    '[DSK-04] a reader for a %s keyboard at a %s PC: a test symbol shows what changes, and how to set it',
    async (reader, pc, pairs, one, other) => {
      const page = await openDesk()
      await button(page, 'Check the keyboard layout').click()
      const shown = (await page.getByText(/^It has /).textContent())!.slice('It has '.length)
      const typed = [...shown].map((each) => (each === one ? other : pairs.includes(each) ? pairs[pairs.indexOf(each) ^ 1] : each)).join('')
      await types(page, typed)
      await page.getByText(`The reader types as for a ${reader} keyboard, and this PC takes it as a ${pc} one.`).waitFor()
      await page.getByText(`${pairs[0]} → ${pairs[1]}`, { exact: true }).waitFor()
      await types(page, shown, { enter: false })
      await page.getByText('Every character came as it should.').waitFor()
    },
  )

  test('[DSK-04] while the page listens no key reaches a shortcut, a link or a button; Esc alone lets go', async () => {
    const page = await openDesk()
    await page.getByRole('link', { name: 'Library', exact: true }).focus()
    const passed = await page.evaluate(() => {
      const seen: string[] = []
      const event = (key: string, ctrlKey = false) => {
        const pressed = new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true })
        if (document.activeElement!.dispatchEvent(pressed)) seen.push(key)
      }
      for (const key of ['/', '?', "'", 'Enter', ' ', 'Tab', 'F3', 'Backspace']) event(key)
      for (const key of ['f', 'j', 's', 'p']) event(key, true)
      return seen
    })
    expect(passed).toEqual([])
    await page.clock.runFor(3_500)
    expect(new URL(page.url()).pathname).toBe(path)
    await page.keyboard.press('Escape')
    await page.clock.runFor(500)
    await page.getByText('Not listening. Press the button, then scan').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Start')
  })

  test('[DSK-04] what comes twice is one, and what loses the keyboard half-way is not kept', async () => {
    const page = await openDesk()
    await types(page, 'CR2700\nCR2700')
    await heading(page, 'Scan for the serial number').waitFor()
    await page.keyboard.type('27P04')
    await page.evaluate(() => dispatchEvent(new Event('blur')))
    await page.getByRole('alert').getByText('The page lost the keyboard while the reader typed').waitFor()
    await page.getByText('The keyboard is elsewhere. Click on this page, then scan').waitFor()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await types(page, serialOf(1))
    await heading(page, 'Scan for the firmware').waitFor()
  })
})

describe('a stack', () => {
  test('[DSK-03] of 20 readers is set up with the keyboard alone, each is stored once, and the list is a file', async () => {
    const page = await openDesk()
    const serials = Array.from({ length: 20 }, (_, index) => serialOf(index))
    for (const serial of serials) {
      await setUp(page, serial)
      await page.getByText(`${serial} is done`).waitFor()
    }
    await expect.poll(async () => (await records()).map(({ serial_number }) => serial_number)).toEqual(serials)
    await expect.poll(() => page.getByText('Done, not stored yet').count()).toBe(0)
    await types(page, 'CR2700')
    await page.keyboard.press('Escape')
    await page.clock.runFor(500)
    await button(page, 'Skip').focus()
    await page.keyboard.press('Enter')
    const download = page.waitForEvent('download')
    await button(page, 'Export to CSV').focus()
    await page.keyboard.press('Enter')
    const lines = (await downloadedBytes(await download)).toString().trim().split('\r\n')
    expect(lines).toHaveLength(22)
    expect(lines[1]).toMatch(new RegExp(`^${serialOf(0)},done,.*Z,Yes$`))
    expect(lines[21]).toMatch(/^,skipped,.*Z,$/)
  })

  test('[DSK-03] what is set up without a connection is kept in a closed tab, and sent once when there is one', async () => {
    const page = await openDesk()
    await page.route('**/desk-records', (route) => route.abort())
    await setUp(page, serialOf(1))
    await page.getByText('1 record not stored yet. Sending.').waitFor()
    await types(page, 'CR2700')
    await heading(page, 'Scan for the serial number').waitFor()
    // Nothing of it can be read in the browser.
    const stored = await page.evaluate(async () => {
      const open = indexedDB.open('lectern')
      await new Promise((resolve) => {
        open.onsuccess = resolve
      })
      const request = open.result.transaction('files').objectStore('files').getAll()
      await new Promise((resolve) => {
        request.onsuccess = resolve
      })
      const bytes = request.result.flatMap((one) => (one?.data instanceof ArrayBuffer ? [new TextDecoder('latin1').decode(one.data)] : []))
      return bytes
    })
    expect(stored).toHaveLength(1)
    expect(stored[0]).not.toContain('27P04188')
    const context = page.context()
    const next = await context.newPage()
    await page.close()
    await next.goto(`${stack.url}${path}`)
    await next.getByText(serialOf(1)).waitFor()
    await heading(next, 'Scan for the serial number').waitFor()
    await expect.poll(async () => (await records()).map(({ serial_number }) => serial_number)).toEqual([serialOf(1)])
    await next.getByText('Done', { exact: true }).waitFor()
    await next.close()
  })

  test('[DSK-03] a sign-out with unsent records asks, and removes them; nobody else sees them', async () => {
    const page = await stack.page(manager, `${path}?configuration=${entry}&version=1`)
    await button(page, 'Start').waitFor()
    await page.getByText('Desk ward, version 1').waitFor()
    await page.clock.install()
    await button(page, 'Start').click()
    await page.route('**/desk-records', (route) => route.abort())
    await setUp(page, serialOf(1))
    await page.getByText('1 record not stored yet. Sending.').waitFor()
    await button(page, 'Stop listening').click()
    await page.goto(`${stack.url}/profile`)
    const questions: string[] = []
    page.once('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.dismiss()
    })
    await button(page, 'Log out').click()
    await expect
      .poll(() => questions)
      .toEqual(['Records of readers that were set up here and are not yet stored: 1. Signing out removes them. Sign out?'])
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await button(page, 'Log out').click()
    await page.locator('input[name=email]').waitFor()
    await signIn(page, manager)
    await page.goto(`${stack.url}${path}`)
    await page.getByText('No reader yet.').waitFor()
    await page.context().close()
    expect(await records()).toEqual([])
  })
})

test('[DSK-02] the reader’s page, the registry and the library entry say where it was typed, show the text, and that it was withdrawn', async () => {
  const api = await stack.api(manager)
  const [device] = await stack.sql<{ serial: string }>(
    "select serial_number as serial from device where organization_id = (select id from organization where public_id = $1) and device_type = 'CR2700' limit 1",
    [northfield],
  )
  const { serial } = device!
  const identity = { model: 'CR2700', serialNumber: serial, firmware: '' }
  const configuration = { id: entry, version: 1, name: 'Desk ward', device: 'CR2700' as const }
  const body = { id: crypto.randomUUID(), serialNumber: serial, identity, configuration, commands: ['CFR', 'SYAZTCSEN1'] }
  const answer = { typed: 'SYAZTCSEN0', typedSlowly: true, typedAt: '2026-11-20T08:30:00.000Z', browser: 'Firefox 140' }
  await api('createDeskRecord', { params, body: { ...body, ...answer } })
  const proof = /^Desk ward, version 1, typed by the reader at .+’s desk$/
  const page = await pages.open(`/codedm/devices/${serial}`)
  const region = page.getByRole('region', { name: 'Set up at desks' })
  await region.getByText(proof).waitFor()
  await button(page, `Show the text of ${serial}`).click()
  await region.getByText('SYAZTCSEN0', { exact: true }).waitFor()
  await region.getByText('1 setting came otherwise: SYAZTCEN 1, typed 0').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  for (const address of ['/readers', `/codedm/configuration-library?open=${entry}`]) {
    await page.goto(`${stack.url}${address}`)
    await region.getByText(proof).waitFor()
    expect(await page.getByText(/verified/i).count()).toBe(0)
  }
  await button(page, `Withdraw the record of ${serial}`).click()
  await page.getByRole('textbox', { name: /^Reason/ }).fill('It was another reader')
  await button(page, 'Withdraw').click()
  await region.getByText(/^Withdrawn by .+: It was another reader$/).waitFor()
  const download = page.waitForEvent('download')
  await region.getByRole('button', { name: 'Export to CSV' }).click()
  const lines = (await downloadedBytes(await download)).toString().trim().split('\r\n')
  expect(lines[1]).toMatch(new RegExp(`^${serial},typed by the reader at .+’s desk,`))
  const log = await pages.open(`/codedm/audit-log?device=${serial}`)
  await log.getByText(`withdrew the record of what ${serial} typed at a desk: It was another reader`).first().waitFor()
})

test('[DSK-01] has nothing that axe finds, before and while a reader is set up', async () => {
  const page = await openDesk()
  expect(await axeInLooks(page)).toEqual([])
  await setUp(page, serialOf(1))
  await types(page, 'CR1100')
  expect(await axeInLooks(page)).toEqual([])
})
