import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildPath, listRoutes, samples } from '../support/crawl.ts'
import { typedAt } from '../support/keyboards.ts'
import { manager, northfield, type Stack, staff, startStack } from '../support/processes/stack.ts'
import { type Driven, patience } from './driven.ts'
import { openFirefox } from './firefox.ts'
import { pageFaults, sees, signIn } from './page.ts'
import { openWebKit } from './webkit.ts'

const openers: Record<string, () => Promise<Driven>> = { firefox: openFirefox, webkit: openWebKit }
const chosen = (process.env.LECTERN_BROWSERS ?? '').split(',').filter((name) => name !== '')

describe.each(chosen)('in %s', (name) => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack?.stop())

  /** Opens a browser with one person signed in, at a path. Its errors are the test's. */
  async function open(path: string, account = manager): Promise<Driven> {
    const browser = await openers[name]!()
    onTestFinished(() => browser.close())
    await browser.resize(1440, 900)
    await browser.open(`${stack.url}${path}`)
    await signIn(browser, account)
    return browser
  }
  const isQuiet = async (browser: Driven) => expect(await browser.takeErrors()).toEqual([])

  test('what is planted in a page is found: an error, a call that fails, too wide a page, a heading of an error page', async () => {
    const browser = await open('/product')
    await browser.evaluate(async () => {
      console.error('planted')
      await fetch('/api/lectern/nothing')
      document.querySelector('main')!.style.minWidth = '1500px'
      document.querySelector('h1')!.textContent = 'Page not found'
    }, null)
    expect(await pageFaults(browser)).toEqual([
      'its heading is "Page not found"',
      expect.stringMatching(/^\d+ px wider than 390$/),
      expect.stringMatching(/^\d+ px wider than 1440$/),
      expect.stringContaining('planted'),
      expect.stringMatching(/404/),
    ])
  })

  test('every route shows its page, without an error and at most as wide as the screen, at 1440 and 390 px', async () => {
    const names = await samples(stack)
    const wrong: string[] = []
    const visit = async (browser: Driven, path: string) => {
      await browser.open(`${stack.url}${path}`).catch(({ message }: Error) => wrong.push(`${path}: ${message}`))
      wrong.push(...(await pageFaults(browser)).map((fault) => `${path}: ${fault}`))
    }
    const all = await listRoutes()
    const asManager = await open('/product')
    await asManager.evaluate(() => localStorage.setItem('featureFlags', 'showActivityStream;showDeviceAnalytics'), null)
    for (const route of all) if (!/^\/(admin|register)/.test(route)) await visit(asManager, buildPath(route, names))
    await visit(asManager, `/join/${names.groupId}`)
    const asStaff = await open('/product', staff)
    for (const route of all) if (route.startsWith('/admin')) await visit(asStaff, buildPath(route, names))
    await visit(await open('/register', 'new@newcomer.example'), '/register')
    expect(wrong).toEqual([])
  })

  test('a visitor signs in, stays so when the page is loaded again, and logs out', async () => {
    const browser = await open('/codedm/zones?from=a%26b')
    await sees(browser, 'Manage Your Zones')
    expect(await browser.evaluate(() => location.pathname + location.search, null)).toBe('/codedm/zones?from=a%26b')
    await browser.open(`${stack.url}/profile`)
    await sees(browser, 'How colleagues see you')
    await browser.press('button', 'Log out')
    await sees(browser, 'Password')
    await browser.open(`${stack.url}/codedm/zones`)
    await sees(browser, 'Password')
    await isQuiet(browser)
  })

  test('a configuration is published, and the audit log has it', async () => {
    const browser = await open('/codedm/apply-config')
    await browser.press('combobox', 'Zone')
    await browser.press('option', 'Radiology')
    await browser.press('checkbox', 'CR2700')
    await browser.press('radio', 'Now')
    await browser.press('button', 'Next')
    await sees(browser, 'Configure CR2700')
    await browser.fill('CR2700 configuration text', `<cfg>by ${name}</cfg>`)
    await browser.press('button', 'Next')
    await sees(browser, 'Review Your Device Configuration Selections')
    await browser.press('button', 'Publish')
    await sees(browser, 'Success! Your Configuration has published.')
    const [published] = await stack.sql<{ size: string }>(
      `select p.size from publication p join zone z on z.id = p.zone_id where z.name = 'Radiology' order by p.published_at desc limit 1`,
    )
    expect(Number(published?.size)).toBe(`<cfg>by ${name}</cfg>`.length)

    await browser.open(`${stack.url}/codedm/audit-log`)
    const summary = 'set the configuration of CR2700 in Radiology'
    await sees(browser, summary)
    await browser.evaluate((text) => {
      const all = [...document.querySelectorAll<HTMLElement>('.disclosure-summary')]
      all.find((one) => one.textContent?.includes(text))?.click()
    }, summary)
    await sees(browser, 'Initiator')
    await isQuiet(browser)
  })

  test('the device dashboard is searched, filtered by a tile and sorted', async () => {
    const browser = await open('/codedm/device-dashboard')
    const { offline } = await (await stack.api())('getDeviceTotals', { params: { organizationId: northfield } })
    await browser.press('radio', 'Offline')
    await sees(browser, `of ${offline} devices`)
    await browser.press('button', 'Serial Number')
    await expect
      .poll(() => browser.evaluate(() => document.querySelector('th[aria-sort=ascending]')?.textContent ?? '', null), patience)
      .toContain('Serial Number')
    await browser.fill('Search devices', 'no reader is called that')
    await sees(browser, 'No readers match')
    await isQuiet(browser)
  })

  test('a barcode is built, read back and printed', async () => {
    const browser = await open('/codedm/create-configuration/CR2700?show=aztec')
    await browser.press('checkbox', 'Aztec')
    await browser.press('button', 'Generate Barcode')
    await sees(browser, 'Reads back exactly')
    await browser.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes')
    }, null)
    await browser.press('button', 'Print')
    await expect.poll(() => browser.evaluate(() => document.body.dataset.printed, null), patience).toBe('yes')
    await isQuiet(browser)
  })

  test('[DSK-04] readers are set up at a desk at scanner speed, slowly, and with a German keyboard', async () => {
    const params = { organizationId: northfield }
    const content = { kind: 'commands' as const, commands: ['SYAZTCSEN1'] }
    const { id } = await (await stack.api())('createLibraryEntry', { params, body: { name: 'Desk ward', device: 'CR2700', content } })
    const browser = await open(`/codedm/set-up-reader?configuration=${id}&version=1`)
    await sees(browser, 'Desk ward, version 1')
    // Whether the browser would act on a key is known once all listeners have had it.
    await browser.evaluate(() => {
      const seen: [key: string, isTaken: boolean][] = []
      Object.assign(window, { seen })
      addEventListener('keydown', (event) => setTimeout(() => seen.push([event.key, event.defaultPrevented])), true)
    }, null)
    await browser.press('button', 'Start')
    await sees(browser, 'Listening. Every key is the reader’s')
    // A person takes longer to reach for the reader.
    await browser.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)), null)
    const setUp = async (serial: string, { gap = 0, end = '\n', typed = 'Beep: 3' } = {}) => {
      for (const [asks, text] of [
        ['Scan for the model', 'CR2700'],
        ['Scan for the serial number', serial],
        ['Scan for the firmware', '4.9.2'],
        ['Scan the configuration', ''],
        ['Scan for what the reader has now', typed],
        ['Scan the serial number again', serial],
      ] as const) {
        await sees(browser, asks)
        if (text === '') await sees(browser, 'It is scanned')
        await browser.type(text === '' ? '\n' : `${text}${end}`, gap)
      }
      await sees(browser, `${serial} is done`)
    }
    // Keys that are the browser's quick find, the portal's shortcuts, or press what has the focus.
    await setUp('27P0418801', { typed: `/find 'me ? \n/#` })
    await setUp('27P0418802', { end: '' })
    await setUp('27P0418803', { gap: 200, typed: '<cfg>1</cfg>' })
    await browser.type('CR1100\n')
    await sees(browser, 'This reader is a CR1100, and the configuration is for the CR2700.')
    const records = () => stack.sql('select serial_number, typed, typed_slowly from desk_record order by serial_number')
    await expect.poll(records, patience).toEqual([
      { serial_number: '27P0418801', typed: `/find 'me ? \n/#`, typed_slowly: false },
      { serial_number: '27P0418802', typed: 'Beep: 3', typed_slowly: false },
      { serial_number: '27P0418803', typed: '<cfg>1</cfg>', typed_slowly: true },
    ])

    await browser.press('button', 'Check the keyboard layout')
    const shown = await browser.evaluate(() => /It has (\S+)/.exec(document.body.innerText)![1]!, null)
    await browser.type(`${typedAt('US', 'German', shown).join('')}\n`)
    await sees(browser, 'The reader types as for a German keyboard, and this PC takes it as a US one.')
    await browser.type(`${shown}\n`)
    await sees(browser, 'Every character came as it should.')
    const seen = await browser.evaluate(() => (window as unknown as { seen: [key: string, isTaken: boolean][] }).seen, null)
    expect(seen.length).toBeGreaterThan(200)
    expect(seen.filter(([, isTaken]) => !isTaken)).toEqual([])
    expect(await browser.evaluate(() => location.pathname, null)).toBe('/codedm/set-up-reader')
    await isQuiet(browser)
  })
})
