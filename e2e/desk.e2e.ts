import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { downloadedBytes } from './support/downloaded.ts'
import { type Layout, typedAt } from './support/keyboards.ts'
import { isWhole } from './support/layout/is-whole.ts'
import { foreigner, manager, member, northfield, signIn, startStack } from './support/processes/stack.ts'
import { refuseFirstToken } from './support/refused-token.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { tabTo } from './support/tab-to.ts'

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

interface Manner {
  /** Milliseconds on the page's clock. */
  gap?: number
  enter?: boolean
  reader?: Layout
  pc?: Layout
}

/** Presses keys as the browser tells them, whatever this machine's keyboard has. */
async function types(page: Page, text: string, { gap = 0, enter = true, reader = 'US', pc = reader }: Manner = {}): Promise<void> {
  for (const key of typedAt(pc, reader, enter ? `${text}\n` : text)) {
    if (/^[!-~]+$/.test(key) && key !== 'Dead') await page.keyboard.press(key)
    else await page.evaluate(dispatch, [key])
    if (gap > 0) await page.clock.runFor(gap)
  }
  await page.clock.runFor(3_500)
}

/** Runs in the page. */
function dispatch(keys: readonly string[]): void {
  const at = document.activeElement ?? document.body
  for (const key of keys)
    for (const kind of ['keydown', 'keyup']) at.dispatchEvent(new KeyboardEvent(kind, { key, bubbles: true, cancelable: true }))
}

/** Begins to listen, without the mouse. */
async function start(page: Page, name: 'Start' | 'Go on' = 'Start'): Promise<void> {
  await button(page, name).focus()
  await page.keyboard.press('Enter')
  await isListening(page)
  // A person takes longer to reach for the reader.
  await page.clock.runFor(500)
}
const isListening = (page: Page) => page.getByText('Listening. Every key is the reader’s; Esc alone lets go').waitFor()

/** The page, listening. */
async function openDesk(address = `${path}?configuration=${entry}&version=1`, account = manager): Promise<Page> {
  const page = await pages.open(address, account)
  await button(page, 'Start').waitFor()
  if (address.includes('?configuration=')) await page.getByText(/^Desk ward.*, version \d$/).waitFor()
  await page.clock.install()
  await start(page)
  return page
}

/** The reader says who it is, and the page shows the configuration. */
async function identify(page: Page, serial: string, manner: Manner = {}): Promise<void> {
  for (const text of ['CR2700', serial, '4.9.2']) await types(page, text, manner)
  await page.getByRole('img', { name: /^Configuration/ }).waitFor()
}

async function setUp(page: Page, serial: string, typed = 'Beep: 3', manner: Manner = {}): Promise<void> {
  await identify(page, serial, manner)
  await types(page, '')
  await heading(page, 'Scan for what the reader has now').waitFor()
  await types(page, typed, manner)
  await types(page, serial, manner)
}

/** Makes the next record that is sent end the session. */
async function endSession(page: Page): Promise<void> {
  const forget = () => stack.sql(`delete from idp_record where model in ('RefreshToken', 'Session')`)
  await refuseFirstToken(page.context(), forget, '**/api/**')
  const ended = page.getByRole('heading', { name: 'Your session has ended' })
  // The more often a record could not be sent, the later it is sent again.
  const isEnded = async () => {
    await page.clock.runFor(6_000)
    return ended.isVisible()
  }
  await expect.poll(isEnded).toBe(true)
  await page.context().unrouteAll({ behavior: 'wait' })
}

/** What the browser keeps of this origin, as text. */
const readBrowser = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const finished = (request: IDBRequest) => new Promise((resolve) => request.addEventListener('success', resolve))
    const open = indexedDB.open('lectern')
    await finished(open)
    const files = open.result.transaction('files').objectStore('files')
    const [keys, values] = [files.getAllKeys(), files.getAll()]
    await Promise.all([keys, values].map(finished))
    open.result.close()
    const decode = (value: { data?: unknown }) =>
      value?.data instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value.data) : JSON.stringify(value)
    return [...keys.result.map(String), ...values.result.map(decode), JSON.stringify([{ ...localStorage }, { ...sessionStorage }])]
  })

const serialOf = (number: number) => `27P04188${String(number).padStart(2, '0')}`

/** A page that keeps nothing asks before it is left with an unsent record, and sends it once the connection is back. */
async function staysUntilStored(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.clock.runFor(500)
  await page.getByRole('link', { name: 'Library', exact: true }).click()
  await page.getByRole('dialog').getByText('Leave with records that are not stored?').waitFor()
  await button(page, 'Stay').click()
  await page.unroute('**/desk-records')
  await page.clock.runFor(6_000)
  await expect.poll(records).toMatchObject([{ serial_number: serialOf(1) }])
}

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
    await page.getByText(/^18 characters came. Lectern does not know how to compare such an answer/).waitFor()
    await types(page, serialOf(1))
    await page.getByText(`${serialOf(1)} is done`).waitFor()
    await expect.poll(records).toEqual([{ serial_number: serialOf(1), typed: 'Beep: 3\nSuffix: /?', typed_slowly: false, version: 1 }])
    await page.getByRole('img', { name: 'Barcode RDRRGMD' }).waitFor()
  })

  test('[DSK-02] another reader between identity and configuration is refused with a sentence, and nothing is kept', async () => {
    const page = await openDesk()
    await identify(page, serialOf(1))
    for (const text of ['', 'Beep: 3', serialOf(2)]) await types(page, text)
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
    for (const text of [serialOf(1), '4.9.2']) await types(page, text)
    await page.getByRole('img', { name: 'Configuration', exact: true }).waitFor()
    for (const text of ['', '<cfg><a>1</a>']) await types(page, text)
    await page.getByRole('alert').getByText('The text stopped before </cfg>. Nothing of it is kept. Scan the symbol again.').waitFor()
    for (const text of ['<cfg><a>1</a></cfg>', serialOf(1)]) await types(page, text)
    await expect.poll(records).toMatchObject([{ typed: '<cfg><a>1</a></cfg>', typed_slowly: true }])
  })

  test.each<[Layout, Layout, string]>([
    ['US', 'German', 'y → z'],
    ['US', 'French', '0 → à'],
    ['German', 'US', '- → /'],
    ['German', 'French', 'y → w'],
    ['French', 'US', 'm → ;'],
    ['French', 'German', '= → dead key'],
  ])('[DSK-04] a %s reader at a %s PC: a test symbol shows what changes, and how to set it', async (reader, pc, change) => {
    const page = await openDesk()
    await types(page, '27P0418853', { reader, pc })
    if (reader === 'French' || pc === 'French')
      await page.getByRole('alert').getByText('Signs came in place of digits: the reader and this PC have different').waitFor()
    await button(page, 'Check the keyboard layout').click()
    const shown = (await page.getByText(/^It has /).textContent())!.slice('It has '.length)
    await types(page, shown, { reader, pc })
    await page.getByText(`The reader types as for a ${reader} keyboard, and this PC takes it as a ${pc} one.`).waitFor()
    await page.getByRole('list', { name: 'Characters that change' }).getByText(change, { exact: true }).waitFor()
    await types(page, shown, { reader: pc, enter: false })
    await page.getByText('Every character came as it should.').waitFor()
  })

  test.each<[string, Layout, number, boolean]>([
    ['with Enter at scanner speed', 'US', 0, true],
    ['without Enter at scanner speed', 'German', 0, false],
    ['as slowly as a person', 'French', 200, true],
  ])('[DSK-04] a reader that types %s, with a %s keyboard, is set up', async (_how, layout, gap, enter) => {
    const page = await openDesk()
    await setUp(page, serialOf(1), '<cfg><a b="/?">#1;-_</a></cfg>', { reader: layout, gap, enter })
    await page.getByText(`${serialOf(1)} is done`).waitFor()
    await expect.poll(records).toMatchObject([{ typed: '<cfg><a b="/?">#1;-_</a></cfg>', typed_slowly: gap > 150 }])
  })

  test('[DSK-02] 64 kB of text are kept, one byte more is refused', async () => {
    const page = await openDesk()
    await identify(page, serialOf(1))
    await types(page, '')
    for (const length of [65_537, 65_536]) {
      await page.evaluate(
        dispatch,
        Array.from({ length }, (_, index) => (index % 60 === 59 ? 'Enter' : 'x')),
      )
      await page.clock.runFor(3_500)
      if (length > 65_536) await page.getByRole('alert').getByText('The reader typed more than 64 kB').waitFor()
    }
    await types(page, serialOf(1))
    await expect.poll(async () => (await records()).map(({ typed }) => typed.length)).toEqual([65_536])
  })

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
    const isBroken = page.getByRole('alert').getByText('The page did not have the keyboard all the time that the reader typed')
    await isBroken.waitFor()
    await page.getByText('The keyboard is elsewhere. Click on this page, then scan').waitFor()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await page.clock.runFor(500)
    await types(page, 'CR2700')
    await isBroken.waitFor({ state: 'detached' })
    // The other half of a text that began elsewhere.
    await page.evaluate(() => {
      dispatchEvent(new Event('blur'))
      dispatchEvent(new Event('focus'))
    })
    await types(page, '18801')
    await isBroken.waitFor()
    await types(page, serialOf(1))
    await heading(page, 'Scan for the firmware').waitFor()
  })
})

describe('a stack', () => {
  test('[DSK-03] of 20 readers is set up with the keyboard alone, while the connection is cut, the tab closed and the session ended: each is stored once, and the list is a file', async () => {
    let page = await openDesk()
    const context = page.context()
    const isCut = (url: URL) => url.pathname.endsWith('/desk-records')
    const interruptions: Record<number, () => Promise<unknown>> = {
      4: async () => {
        await expect.poll(() => page.getByText('Done, not stored yet').count()).toBe(0)
        await context.route(isCut, (route) => route.abort())
      },
      8: async () => {
        await page.getByText('4 records not stored yet. Sending.').waitFor()
        const next = await context.newPage()
        await page.close()
        page = next
        await page.goto(`${stack.url}${path}`)
        await page.clock.install()
        await start(page, 'Go on')
      },
      12: async () => {
        await page.getByText('8 records not stored yet. Sending.').waitFor()
        await context.unroute(isCut)
        await endSession(page)
        await button(page, 'Sign in').focus()
        await page.keyboard.press('Enter')
        await page.locator('input[name=email]').fill(manager)
        await page.keyboard.press('Tab')
        await page.keyboard.type('lectern-demo')
        await page.keyboard.press('Enter')
        await start(page, 'Go on')
      },
    }
    const serials = Array.from({ length: 20 }, (_, index) => serialOf(index))
    for (const [index, serial] of serials.entries()) {
      await interruptions[index]?.()
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
    // Nobody can read it in the browser.
    const stored = await readBrowser(page)
    expect(stored.join()).toContain('desk/')
    expect(stored.join()).not.toContain('27P04188')
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

  test('[DSK-03] a session that ends in the middle loses nothing, doubles nothing, and shows nothing to the next person', async () => {
    await stack.sql(`update member set built_in_role = 'manager' where user_id = (select id from "user" where email = $1)`, [member])
    const page = await openDesk()
    await setUp(page, serialOf(1))
    await expect.poll(async () => (await records()).length).toBe(1)
    const isOffline = (url: URL) => url.pathname.endsWith('/desk-records')
    await page.route(isOffline, (route) => route.abort())
    await setUp(page, serialOf(2))
    await page.getByText('1 record not stored yet. Sending.').waitFor()
    await types(page, 'CR2700')
    await types(page, serialOf(3))
    await heading(page, 'Scan for the firmware').waitFor()
    await page.unroute(isOffline)
    await endSession(page)

    await button(page, 'Sign in').click()
    await signIn(page, member)
    await page.getByText('No reader yet.').waitFor()
    await heading(page, 'Scan for the model').waitFor()
    expect(await page.content()).not.toContain('27P04188')
    expect((await readBrowser(page)).join()).not.toContain('27P04188')
    await page.goto(`${stack.url}/profile`)
    await button(page, 'Log out').click()
    await page.locator('input[name=email]').waitFor()
    await signIn(page, manager)
    await page.goto(`${stack.url}${path}`)

    await heading(page, 'Scan for the firmware').waitFor()
    await start(page, 'Go on')
    for (const text of ['4.9.2', '', 'Beep: 3', serialOf(3)]) await types(page, text)
    await page.getByText(`${serialOf(3)} is done`).waitFor()
    await expect.poll(records).toMatchObject([1, 2, 3].map((number) => ({ serial_number: serialOf(number) })))
    await page.getByText('This session, 3 readers').waitFor()
    await expect.poll(() => page.getByText('Done', { exact: true }).count()).toBe(3)
  })

  test('[DSK-03] each organization has a desk of its own, and its records go there alone', async () => {
    const [harborline = ''] = (await (await stack.api(foreigner))('getCurrentUser', {})).organizationId
    await stack.sql(
      `insert into member (organization_id, user_id, group_id, built_in_role)
       select own.organization_id, person.id, own.group_id, 'manager' from "user" person, member own
       where person.email = $1 and own.organization_id = (select id from organization where public_id = $2) limit 1`,
      [member, harborline],
    )
    const page = await openDesk(undefined, member)
    await page.route('**/desk-records', (route) => route.abort())
    await setUp(page, serialOf(1))
    await page.getByText('1 record not stored yet. Sending.').waitFor()
    await page.keyboard.press('Escape')
    await page.clock.runFor(500)
    await page.getByRole('button', { name: /^Change the organization/ }).click()
    await page.getByRole('link', { name: /^Harborline/ }).click()
    await page.getByText('No reader yet.').waitFor()
    await page.unroute('**/desk-records')
    await page.clock.runFor(6_000)
    // The sign-out asks for what is unsent in any of them.
    const question = page.waitForEvent('dialog')
    await page.goto(`${stack.url}/profile?organization=${harborline}`)
    const press = button(page, 'Log out').click()
    const dialog = await question
    expect(dialog.message()).toContain('not yet stored: 1.')
    await dialog.dismiss()
    await press
    expect(await records()).toEqual([])
    await page.goto(`${stack.url}${path}?organization=${northfield}`)
    await page.getByText('This session, 1 reader').waitFor()
    await expect.poll(records).toMatchObject([{ serial_number: serialOf(1) }])
    expect(await stack.sql('select distinct o.public_id from desk_record r join organization o on o.id = r.organization_id')).toEqual([
      { public_id: northfield },
    ])
  })

  test('[DSK-03] a sign-out with unsent records asks, and removes them; nobody else sees them', async () => {
    const page = await stack.page(manager, `${path}?configuration=${entry}&version=1`)
    await button(page, 'Start').waitFor()
    await page.getByText('Desk ward, version 1').waitFor()
    await page.clock.install()
    await start(page)
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

describe('the configuration', () => {
  test('[DSK-02] is chosen from the library by the keyboard alone, in an older version too', async () => {
    const api = await stack.api(manager)
    const content = { kind: 'commands' as const, commands: ['CFR', 'SYAZTCSEN0'] }
    const made = await api('createLibraryEntry', { params, body: { name: 'Two versions', device: 'CR2700', content } })
    const newer = { content: { kind: 'commands' as const, commands: ['SYAZTCSEN1'] } }
    await api('addLibraryVersion', { params: { ...params, id: made.id }, body: newer })
    const page = await openDesk(path)
    for (const text of ['CR2700', serialOf(1), '4.9.2']) await types(page, text)
    await page.getByText('Listening goes on when a configuration is chosen').waitFor()
    const search = page.getByRole('searchbox', { name: 'Search configurations' })
    await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('two ver')
    await page.getByRole('button', { name: /^Two versions CR2700, version 2/ }).waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'Configurations' }).getByRole('listitem').count()).toBe(1)
    await tabTo(page, 'Older versions of Two versions')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Version 1, .+, by / }).waitFor()
    await tabTo(page, /^Version 1, /)
    await page.keyboard.press('Enter')
    await page.getByText('Two versions, version 1', { exact: true }).waitFor()
    await isListening(page)
    await page.getByRole('img', { name: 'Configuration', exact: true }).waitFor()
    await page.clock.runFor(500)
    for (const text of ['', 'Beep: 3', serialOf(1)]) await types(page, text)
    await expect.poll(records).toMatchObject([{ serial_number: serialOf(1), version: 1 }])
    expect(await stack.sql('select commands from desk_record')).toEqual([{ commands: 'CFR\nSYAZTCSEN0\n' }])
    // The next reader of the stack gets the same.
    await page.getByText('Two versions, version 1', { exact: true }).waitFor()
  })

  test('[DSK-02] of several symbols is scanned whole, also where the page is loaded again between them', async () => {
    const api = await stack.api(manager)
    const content = { kind: 'commands' as const, commands: Array.from({ length: 500 }, (_, index) => `ZZZZSAB${index}`) }
    const made = await api('createLibraryEntry', { params, body: { name: 'Desk ward of many', device: 'CR2700', content } })
    const page = await openDesk(`${path}?configuration=${made.id}&version=1`)
    await identify(page, serialOf(1))
    const [, count] = /of (\d+)/.exec((await page.getByText(/^1 of \d+, scan in order$/).textContent())!)!
    expect(Number(count)).toBeGreaterThan(1)
    await types(page, '')
    await page.getByText(`2 of ${count}, scan in order`).first().waitFor()
    await page.reload()
    await page.getByText(`2 of ${count}, scan in order`).first().waitFor()
    await start(page, 'Go on')
    await types(page, 'What no symbol makes it type')
    await page.getByRole('alert').getByText('the symbol of a configuration makes it type nothing').waitFor()
    for (let part = 2; part <= Number(count); part++) {
      await heading(page, 'Scan the configuration').waitFor()
      await types(page, '')
    }
    await heading(page, 'Scan for what the reader has now').waitFor()
  })

  test('[DSK-02] that an address names and that cannot be used is said to be so', async () => {
    for (const [address, sentence] of [
      [`${path}?configuration=${crypto.randomUUID()}&version=1`, 'The configuration could not be loaded: '],
      [`${path}?device=CR2700&config=["nonsense"]`, 'The address has no commands that a reader can be set up with.'],
    ] as const) {
      const page = await pages.open(address)
      await page.getByRole('alert').getByText(sentence).waitFor()
      await page.close()
    }
  })
})

describe('a desk that cannot be opened', () => {
  test('[DSK-03] is open in another tab, and opens here when that is closed', async () => {
    const page = await openDesk()
    await types(page, 'CR2700')
    const other = await page.context().newPage()
    await other.goto(`${stack.url}${path}`)
    await other.getByText('Open in another tab').waitFor()
    await page.close()
    await button(other, 'Try Again').click()
    await heading(other, 'Scan for the serial number').waitFor()
    await other.close()
  })

  test('[DSK-03] says that its key is missing, and opens once there is one', async () => {
    const page = await pages.open(path, manager, (fresh) => fresh.route('**/desk-key', (route) => route.abort()))
    await page.getByText('Error opening the desk').waitFor()
    await page.unroute('**/desk-key')
    await button(page, 'Try Again').click()
    await heading(page, 'Scan for the model').waitFor()
  })

  test('[DSK-03] in a browser that keeps nothing is used all the same, and asks before unsent records are left', async () => {
    const page = await stack.page(manager, `${path}?configuration=${entry}&version=1`, {}, (fresh) =>
      fresh.addInitScript(() => {
        IDBFactory.prototype.open = () => {
          throw new Error('Forbidden')
        }
      }),
    )
    await page.getByText('This browser keeps nothing for this page').waitFor()
    await page.clock.install()
    await start(page)
    await page.route('**/desk-records', (route) => route.abort())
    await setUp(page, serialOf(1))
    await staysUntilStored(page)
    await page.context().close()
  })
})

describe('a desk that is disturbed', () => {
  test('[DSK-03] says when the browser stops keeping it, and asks before unsent records are left', async () => {
    const page = await openDesk()
    await page.route('**/desk-records', (route) => route.abort())
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The disk is full.', 'QuotaExceededError')
      }
    })
    await setUp(page, serialOf(1))
    await page.getByText('This browser keeps nothing for this page').waitFor()
    await isWhole(page, 'desk-not-kept')
    await staysUntilStored(page)
    await page.close()
  })

  test('[DSK-03] a sign-out in another tab removes what is unsent here, and nothing is kept from then on', async () => {
    const page = await stack.page(manager, `${path}?configuration=${entry}&version=1`)
    await page.getByText('Desk ward, version 1').waitFor()
    await page.clock.install()
    await start(page)
    await page.route('**/desk-records', (route) => route.abort())
    await setUp(page, serialOf(1))
    await page.getByText('1 record not stored yet. Sending.').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${stack.url}/profile`)
    other.once('dialog', (dialog) => void dialog.accept())
    await button(other, 'Log out').click()
    await page.getByText('What was not stored yet is removed. Sign in again to go on.').waitFor()
    await isWhole(page, 'desk-signed-out')
    await other.getByRole('textbox', { name: 'E-mail' }).waitFor()
    const kept = () =>
      other.evaluate(async () => {
        const names = (await indexedDB.databases()).map(({ name }) => name!)
        const counts = names.map(
          (name) =>
            new Promise<number>((resolve) => {
              const opening = indexedDB.open(name)
              opening.onsuccess = () => {
                const stores = [...opening.result.objectStoreNames]
                if (stores.length === 0) return resolve(0)
                const counting = opening.result.transaction(stores[0]!).objectStore(stores[0]!).count()
                counting.onsuccess = () => resolve(counting.result)
              }
            }),
        )
        const unsent = Object.keys(localStorage).filter((key) => key.includes('unsent/'))
        return [(await Promise.all(counts)).reduce((sum, count) => sum + count, 0), unsent.length]
      })
    expect(await kept()).toEqual([0, 0])
    expect(await records()).toEqual([])
    await page.context().close()
  })

  test('[DSK-02] commands of an address are shown, and taken only when somebody says so', async () => {
    const address = new URLSearchParams({ device: 'CR2700', config: JSON.stringify(['CFR', 'SYAZTCSEN0']) })
    const page = await pages.open(`${path}?${address}`)
    await page.getByText('The address names 2 commands for the CR2700: CFR, SYAZTCSEN0.').waitFor()
    await page.getByText('Not chosen').waitFor()
    await isWhole(page, 'desk-address')
    await button(page, 'Set readers up with them').click()
    await page.getByText('Commands of the builder').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })
})

test('[DSK-02] the reader’s page, the registry and the library entry say where it was typed, show the text, and that it was withdrawn', async () => {
  const api = await stack.api(manager)
  const [device] = await stack.sql<{ serial: string }>(
    "select serial_number as serial from device where organization_id = (select id from organization where public_id = $1) and device_type = 'CR2700' limit 1",
    [northfield],
  )
  const { serial } = device!
  const identity = { model: 'CR2700', firmware: '' }
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
  await isWhole(page, 'desk-records')
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

describe('is whole at every width, in light and dark, with nothing that axe finds,', () => {
  test('while a reader is set up', async () => {
    const api = await stack.api(manager)
    const commands = (count: number) => ({
      kind: 'commands' as const,
      commands: Array.from({ length: count }, (_, index) => `ZZZZSAB${index}`),
    })
    const body = { name: 'Reception, night shift', device: 'CR2700' as const, content: commands(1) }
    const { id } = await api('createLibraryEntry', { params, body })
    await api('addLibraryVersion', { params: { ...params, id }, body: { content: commands(500) } })
    const page = await pages.open(path)
    await page.getByText('No reader yet.').waitFor()
    await isWhole(page, 'desk-not-started')
    await page.clock.install()
    await start(page)
    await isWhole(page, 'desk-model')
    await types(page, 'V4500')
    await isWhole(page, 'desk-refused')
    await types(page, 'CR2700')
    await types(page, 'SN 27P0418801')
    await heading(page, 'Is this the serial number?').waitFor()
    await isWhole(page, 'desk-sure')
    for (const text of ['', 'Rel. 4']) await types(page, text)
    await button(page, 'Older versions of Reception, night shift').click()
    await page.getByRole('button', { name: /^Version 1, / }).waitFor()
    await isWhole(page, 'desk-choose')
    await page.getByRole('searchbox').fill('nothing is called that')
    await page.getByText('No configuration matches.').waitFor()
    await isWhole(page, 'desk-choose-none')
    await page.getByRole('searchbox').fill('')
    await page.getByRole('button', { name: /^Reception, night shift CR2700, version 2/ }).click()
    await page.getByRole('img', { name: /^Configuration/ }).waitFor()
    await isWhole(page, 'desk-settings')
    while ((await heading(page, 'Scan for what the reader has now').count()) === 0) await types(page, '')
    await isWhole(page, 'desk-text')
    await types(page, 'ZZZZSAC1\nZZZZSAB3', { gap: 200 })
    await heading(page, 'Scan the serial number again').waitFor()
    await isWhole(page, 'desk-again')
    await types(page, 'SN 27P0418801')
    await page.getByText('is done').waitFor()
    await isWhole(page, 'desk-done')
    await button(page, 'Check the keyboard layout').click()
    const shown = (await page.getByText(/^It has /).textContent())!.slice('It has '.length)
    await types(page, shown, { reader: 'French', pc: 'German' })
    await page.getByText('→ dead key').first().waitFor()
    await isWhole(page, 'desk-layout')
  })

  test('while records are not stored', async () => {
    const page = await openDesk()
    await setUp(page, serialOf(1))
    await page.getByText('Done', { exact: true }).waitFor()
    await types(page, 'CR2700')
    await button(page, 'It failed').click()
    await types(page, 'CR2700')
    await button(page, 'Skip').click()
    await page.route('**/desk-records', (route) => route.abort())
    await setUp(page, serialOf(2))
    await page.getByText('1 record not stored yet. Sending.').waitFor()
    await isWhole(page, 'desk-unsent')
    await page.context().setOffline(true)
    await page.getByText('They are kept here and sent when the connection is back.').waitFor()
    await isWhole(page, 'desk-offline')
    await page.unroute('**/desk-records')
    const problem = { type: 'about:blank', title: 'Conflict', status: 409, detail: 'An organization may have at most 2 records of desks.' }
    await page.route('**/desk-records', (route) =>
      route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    await page.context().setOffline(false)
    await page.clock.runFor(6_000)
    await page.getByText('1 record not stored: An organization may have at most 2').waitFor()
    await isWhole(page, 'desk-not-stored')
  })

  test('where it cannot be opened', async () => {
    const page = await pages.open(path, manager, (fresh) => fresh.route('**/desk-key', (route) => route.abort()))
    await page.getByText('Error opening the desk').waitFor()
    await isWhole(page, 'desk-failed')
    await page.unroute('**/desk-key')
    await button(page, 'Try Again').click()
    await button(page, 'Start').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${stack.url}${path}`)
    await other.getByText('Open in another tab').waitFor()
    await isWhole(other, 'desk-elsewhere')
    await other.close()
  })
})
