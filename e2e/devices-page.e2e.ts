import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, axeInLooks, looks, turn } from './support/axe.ts'
import { enrollHostPc, type HostPc } from './support/processes/agent-process.ts'
import { licence, manager, member, northfield, staff, startStack } from './support/processes/stack.ts'
import { readerEvents } from './support/reader-logs.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { until } from './support/until.ts'

const fileName = 'wristband.js'
const params = { organizationId: northfield }

const { stack, pages } = await stackForFile(startStack())
let host: HostPc
let zoneId: string
/** The zone's two readers of the model that something is published for. */
let serials: string[]

beforeAll(async () => {
  const api = await stack.api()
  zoneId = (await api('createZone', { params: { ...params, location: 'Drifting' } })).id
  host = await enrollHostPc({ server: stack.url, zoneId, licence, name: 'NRH-DRIFT-01' }, [
    '--seed',
    '77',
    '--apply-ms',
    '0',
    '--poll',
    '1',
    '--check-in',
    '1',
  ])
  host.start()
  await until('the readers', host, async () => (await readersIn()).length === 20)
  serials = (await readersIn()).filter(({ deviceType }) => deviceType === 'A271/2').map(({ serialNumber }) => serialNumber)
  await publish()
  await until(
    'the configuration',
    host,
    async () => (await readersIn()).filter(({ currentConfig }) => currentConfig === fileName).length === 2,
  )
})
afterAll(() => host?.remove())

async function readersIn() {
  const api = await stack.api()
  return (await api('listDevices', { params, query: { textFilter: 'Drifting', PageSize: 100 } })).deviceList
}

const place = () => ({ ...params, location: zoneId, device: 'A271/2' as const })
async function publish(): Promise<void> {
  const api = await stack.api()
  await api('publishCodeRules', { params: place(), file: new File([`rules_onDecode = (d) => d // ${fileName}`], fileName) })
  await makeDue()
}
async function publishFirmware(version: string): Promise<void> {
  const file = new File([`simulated firmware A271/2 ${version}\n`], 'a271.crbfw')
  await (await stack.api(staff))('uploadFirmwareRelease', { fields: { device: 'A271/2', version }, file })
  await (await stack.api())('publishFirmwareVersion', { params: place(), body: { firmwareVersion: version } })
  await makeDue()
}
/** Moves the publish two days back, so that it is due whatever the clock shows. */
const makeDue = () =>
  stack.sql(
    "update publication set published_at = published_at - interval '2 days' where zone_id = (select id from zone where public_id = $1)",
    [zoneId],
  )

const completed = (serial: string) =>
  readerEvents(host.state).filter(({ serialNumber, event }) => serialNumber === serial && event === 'complete')
const change = (serial: string, by: string) => host.command('change-reader', serial, '--by', by)
const isDrifted = async (serial: string) => (await readersIn()).some(({ serialNumber, drifted }) => serialNumber === serial && drifted)
const standing = (page: Page, words: string, of = 'Configuration') => side(page, of).locator('.device-standing').getByText(words).waitFor()
const reapply = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Re-apply' })

/** Presses the button that has the focus, reads the dry run, and agrees with the keyboard. */
async function confirmReapply(page: Page): Promise<void> {
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Re-apply the (configuration|firmware) to / })
  await dialog.getByText('It is applied again to 1 reader.').waitFor()
  await dialog.getByRole('button', { name: 'Re-apply' }).press('Enter')
}
const side = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** A reader of the demo that no host PC reports now. */
const demoReader = async () =>
  (
    await stack.sql<{ serial_number: string }>(
      `select serial_number from device join zone on zone.id = zone_id join organization on organization.id = zone.organization_id
       where organization.public_id = $1 and zone.name <> 'Drifting' order by serial_number limit 1`,
      [northfield],
    )
  )[0]!.serial_number

test('[INP-06] the page of a reader of any name is reached by click, by reload and by its address', async () => {
  let stored = await demoReader()
  const page = await pages.open('/codedm/device-dashboard')
  for (const serial of ['A\\B', '100%', '9.10.0', 'a/b?c#d', '%5C', 'B\u00fcro 1']) {
    await stack.sql('update device set serial_number = $2 where serial_number = $1', [stored, serial])
    stored = serial
    await showInApp(page, `/codedm/device-dashboard?${new URLSearchParams({ search: serial })}`)
    await page.getByRole('link', { name: serial, exact: true }).click()
    const heading = page.getByRole('heading', { name: serial, level: 1, exact: true })
    await heading.waitFor()
    await page.reload()
    await heading.waitFor()
    await page.goto(`${stack.url}/codedm/devices/${encodeURIComponent(serial)}`)
    await heading.waitFor()
  }
})

test('a reader changed by a paper barcode drifts, is found, and is brought back once', async () => {
  const [serial, other] = serials as [string, string]
  const before = [completed(serial).length, completed(other).length] as const
  expect(await change(serial, 'paper-barcode')).toMatchObject({ code: 0 })
  await until('the drift', host, () => isDrifted(serial))

  const page = await pages.open('/codedm/device-dashboard')
  await page.getByText('1 reader has drifted:').waitFor()
  await page.getByRole('button', { name: 'Show it' }).click()
  await page.getByText('of 1 device').waitFor()
  expect(new URL(page.url()).search).toBe('?show=drifted')
  await page.locator('tbody tr').getByText('Drifted').waitFor()
  expect(await axeFindings(page)).toEqual([])
  const history = page.getByRole('region', { name: 'History' })
  const asked = page.waitForRequest(`**/device/${serial}/history?*`)
  await page.getByRole('link', { name: serial }).focus()
  await page.keyboard.press('Enter')
  await asked

  await page.getByRole('heading', { name: serial, level: 1 }).waitFor()
  await standing(page, 'Drifted')
  await side(page, 'Desired by its zone').getByText(fileName).waitFor()
  await side(page, 'Reported by the reader')
    .getByText(/^CFG [0-9a-f]{8}$/)
    .waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await turn(page, looks[0])

  await reapply(page).focus()
  await confirmReapply(page)
  await page.getByText('Re-apply requested', { exact: true }).waitFor()
  await standing(page, 'Up to date')
  await side(page, 'Reported by the reader').getByText(fileName).waitFor()
  expect(await reapply(page).count()).toBe(0)
  // The button that had the focus is gone.
  await page.locator('#main:focus').waitFor()
  // The newest first, with what the reader ran in between.
  const events = history.getByRole('listitem')
  await events.filter({ hasText: 'Applied again' }).getByText('Requested again by Northfield Manager.').waitFor()
  await events.filter({ hasText: 'Drift ended' }).getByText(`Runs ${fileName} again, as its zone desires`).waitFor()
  await events
    .filter({ hasText: 'Drifted' })
    .getByText(/^Runs CFG [0-9a-f]{8} in place of wristband\.js$/)
    .waitFor()
  await events
    .filter({ hasText: /^Applied(?! again)/ })
    .getByText('Revision 1, for Drifting, published by Northfield Manager.')
    .waitFor()
  await history.getByText('First seen').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await turn(page, looks[0])
  // Once more, and the other reader not at all.
  expect([completed(serial).length, completed(other).length]).toEqual([before[0] + 1, before[1]])

  await page.getByRole('link', { name: 'My Devices' }).click()
  await page.waitForURL('**/codedm/device-dashboard?show=drifted')
  await page.getByText('No reader has drifted.').first().waitFor()
})

test('a reader that was reset drifts; whoever may not publish sees it and no button', async () => {
  const [, serial] = serials as [string, string]
  await change(serial, 'factory-reset')
  await until('the drift', host, () => isDrifted(serial))
  const page = await pages.open(`/codedm/devices/${serial}`, member)
  await standing(page, 'Drifted')
  expect(await reapply(page).count()).toBe(0)
  // The audit log takes a permission of its own.
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText(/^Runs .+ in place of wristband\.js$/).waitFor()
  expect(await history.getByRole('link', { name: 'Entries of the audit log' }).count()).toBe(0)
  expect(completed(serial)).toHaveLength(1)
})

test('what is asked for while the host PC is away is done once when it is back', async () => {
  const serial = serials[1]!
  await change(serial, 'factory-reset')
  await until('the drift', host, () => isDrifted(serial))
  const before = completed(serial).length
  await host.end('SIGTERM')
  const page = await pages.open(`/codedm/devices/${serial}`)
  await reapply(page).focus()
  await confirmReapply(page)
  await page.getByText('waiting for its host PC').waitFor()
  await page.locator('button[aria-disabled=true]:focus', { hasText: 'Re-apply' }).waitFor()
  // Closes the tooltip that says why.
  await page.keyboard.press('Escape')
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  expect(await axeFindings(page)).toEqual([])
  host.start()
  await standing(page, 'Up to date')
  expect(completed(serial)).toHaveLength(before + 1)
})

test('a reader that somebody has put another firmware on drifts, shows so on dashboard and page, and is given its own again once', async () => {
  const serial = serials[0]!
  const version = '9.0.0'
  await publishFirmware(version)
  const runs = async () => (await readersIn()).find(({ serialNumber }) => serialNumber === serial)?.currentFirmware === version
  await until('the firmware', host, runs)
  const before = completed(serial).length
  expect(await change(serial, 'factory-firmware')).toMatchObject({ code: 0 })
  await until('the drift', host, () => isDrifted(serial))

  const page = await pages.open('/codedm/device-dashboard?show=drifted')
  const row = page.locator('tbody tr', { hasText: serial })
  await row.getByText('Drifted').waitFor()
  await row.getByRole('link', { name: serial }).click()
  await standing(page, 'Drifted', 'Firmware')
  await standing(page, 'Up to date')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Re-apply firmware' }).focus()
  await confirmReapply(page)
  await page.getByText('Re-apply requested', { exact: true }).waitFor()
  await standing(page, 'Up to date', 'Firmware')
  await side(page, 'Firmware reported').getByText(version).waitFor()
  const again = page.getByRole('region', { name: 'History' }).getByRole('listitem').filter({ hasText: 'Applied again' })
  await again.filter({ hasText: `Firmware ${version}` }).waitFor()
  await until('the end of the drift', host, async () => !(await isDrifted(serial)))
  expect([await reapply(page).count(), completed(serial).length]).toEqual([0, before + 1])
})

describe('the page', () => {
  test('of a reader for which nothing was published says so; its history is empty', async () => {
    const page = await pages.open(`/codedm/devices/${await demoReader()}`)
    await page.getByRole('region', { name: 'History' }).getByText('Nothing has happened yet').waitFor()
    await standing(page, 'Nothing published')
    await standing(page, 'Nothing published', 'Firmware')
    await side(page, 'Firmware reported')
      .getByText(/^\d+\.\d+\.\d+$/)
      .waitFor()
    await page.getByRole('region', { name: 'State' }).getByText('Battery Health').waitFor()
    expect(await axeInLooks(page)).toEqual([])
  })

  test('takes any serial number, and shows it as text', async () => {
    const hostile = 'A/1 %2F?#<b>&.js'
    await stack.sql('update device set serial_number = $1 where serial_number = $2', [hostile, await demoReader()])
    const page = await pages.open('/codedm/device-dashboard?search=%252f%3F')
    await page.getByRole('link', { name: hostile }).click()
    const heading = page.getByRole('heading', { name: hostile, level: 1 })
    await heading.waitFor()
    await page.reload()
    await heading.waitFor()
    await standing(page, 'Nothing published')
  })

  test('says that there is no such reader, and leads back', async () => {
    const page = await pages.open('/codedm/devices/NOBODY')
    await page.getByRole('heading', { name: 'Reader not found' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'My Devices' }).click()
    await page.waitForURL('**/codedm/device-dashboard')
  })

  test('[LMT-09] a reader that no host PC reports any more is deleted, which leads back to the list', async () => {
    const reported = await pages.open(`/codedm/devices/${serials[0]}`)
    await reported.getByRole('region', { name: 'State' }).getByText('Battery Health').waitFor()
    expect(await reported.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0)

    const serial = await demoReader()
    const address = `/codedm/devices/${encodeURIComponent(serial)}`
    await stack.sql('update device set last_seen_at = now() where serial_number = $1', [serial])
    const page = await pages.open(address)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Delete the reader ${serial}` })
    await dialog.getByText('No host PC reports it any more.').waitFor()
    expect(await axeInLooks(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/codedm/device-dashboard')
    await page.getByText('Reader deleted', { exact: true }).waitFor()
    await page.goto(`${stack.url}${address}`)
    await page.getByRole('heading', { name: 'Reader not found' }).waitFor()

    const other = await demoReader()
    await stack.sql('update device set last_seen_at = now() where serial_number = $1', [other])
    const without = await pages.open(`/codedm/devices/${encodeURIComponent(other)}`, member)
    await without.getByRole('region', { name: 'State' }).getByText('Battery Health').waitFor()
    expect(await without.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0)
  })

  test('says in place what could not be loaded, and tries again', async () => {
    const serial = serials[0]!
    const page = await pages.open(`/codedm/devices/${serial}`, manager, (fresh) =>
      fresh.route(`**/device/${serial}/configuration`, (route) => route.fulfill({ status: 403, json: { title: 'No', status: 403 } })),
    )
    await page.getByText('Error loading the configuration').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.unroute(`**/device/${serial}/configuration`)
    await page.getByRole('button', { name: 'Try Again' }).click()
    await side(page, 'Desired by its zone').getByText(fileName).waitFor()
  })
})
