import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { type EntryToWrite, emptyLogs, writeEntries } from './support/audit-entries.ts'
import { axeFindings, axeInLooks } from './support/axe.ts'
import { downloadedText } from './support/downloaded.ts'
import { manager, member, northfield, staff, startStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const path = '/codedm/audit-log'
const { stack, pages } = await stackForFile(startStack())
beforeEach(() => emptyLogs(stack))

const entry = (page: Page, sentence: string | RegExp) => page.locator('.disclosure-summary').filter({ hasText: sentence })
const sentences = (page: Page) => page.locator('.disclosure-text').allTextContents()
const choose = async (page: Page, select: string, option: string) => {
  await page.getByRole('combobox', { name: select }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
/** Until the log shows exactly these entries. */
const shows = (page: Page, expected: string[]) => expect.poll(() => sentences(page)).toEqual(expected)

const seven: EntryToWrite[] = [
  { type: 'ZoneCreate', by: manager, zone: 'ICU', at: 7 },
  { type: 'ZoneFirmwareChange', by: manager, zone: 'ICU', target: 'CR2700', version: '4.12.0', at: 6 },
  { type: 'ZoneConfigChange', by: manager, zone: 'ICU', target: 'A271/2', config: 'Wristband', newValue: 'hash', at: 5 },
  { type: 'AdvancedConfigCreated', by: member, config: 'Wristband', target: 'CR2700', at: 4 },
  { type: 'AdvancedConfigDeleted', by: member, config: 'Wristband', target: 'CR2700', at: 3 },
  { type: 'FirmwareInstalled', zone: 'Lab', serial: '27P041', version: '4.12.0', at: 2 },
  { type: 'ZoneDelete', by: 'gone@northfield.example', zone: 'Lab', at: 1 },
]
const sevenSentences = [
  'an unknown user deleted the zone Lab',
  'an unknown user installed firmware 4.12.0 on 27P041 in Lab',
  'Northfield Member deleted the configuration Wristband for CR2700',
  'Northfield Member created the configuration Wristband for CR2700',
  'Northfield Manager set the configuration of A271/2 in ICU to Wristband',
  'Northfield Manager set firmware 4.12.0 for CR2700 in ICU',
  'Northfield Manager created the zone ICU',
]

test('[AUD-01 AUD-02 AUD-03 AUD-04] each entry has its sentence and an avatar where its user exists, and opens to what it says, one at a time', async () => {
  const page = await pages.open(path)
  await entry(page, 'Northfield Manager signed in').waitFor()
  await emptyLogs(stack)
  await writeEntries(stack, seven)
  await page.reload()
  await shows(page, sevenSentences)
  const avatars = await page.locator('.disclosure .avatar').allTextContents()
  expect(avatars).toEqual(['', '', 'NM', 'NM', 'NM', 'NM', 'NM'])
  await entry(page, 'set the configuration').click()
  const details = page.locator('.disclosure-details[data-state=open]')
  await details.waitFor()
  const terms = await details.locator('dt').allTextContents()
  expect(terms).toEqual(['Change', 'In effect since', 'Initiator', 'Zone', 'Target', 'Configuration', 'Address', 'Request'])
  for (const text of ['Zone configuration changed (ZoneConfigChange)', 'A271/2', '203.0.113.7', 'request-1', 'hash'])
    await details.getByText(text, { exact: true }).waitFor()
  await entry(page, 'created the zone').click()
  await details.getByText('Zone created (ZoneCreate)').waitFor()
  expect(await details.count()).toBe(1)
})

test('[AUD-01] a change made in the product is there, with the time where the viewer is and in UTC', async () => {
  const api = await stack.api(manager)
  await api('createZone', { params: { organizationId: northfield, location: 'Made <b>now</b>' } })
  await writeEntries(stack, [{ type: 'ZoneDelete', by: manager, zone: 'Night', at: '2026-03-01T03:30:05Z' }])
  const page = await stack.page(manager, path, { timezoneId: 'America/New_York' })
  await page.getByRole('heading', { level: 2, name: /^Today, / }).waitFor()
  await entry(page, 'created the zone Made <b>now</b>').waitFor()
  const night = page.getByRole('region', { name: 'Sat 28 Feb 2026' })
  expect(await night.locator('time').textContent()).toBe('22:30')
  expect(await night.locator('time').getAttribute('title')).toBe('2026-03-01 03:30:05 UTC')
  await page.getByText('Times in America/New_York').waitFor()
  await page.context().close()
})

test('[AUD-05 AUD-06] says that it loads, and what failed; Try Again loads it', async () => {
  await writeEntries(stack, seven.slice(0, 1))
  let fail: () => void = () => {}
  const failing = new Promise<void>((resolve) => {
    fail = resolve
  })
  const page = await pages.open(path, manager, (fresh) =>
    fresh.route('**/audit-log?**', async (route) => {
      await failing
      await route.fulfill({ status: 400, json: {} })
    }),
  )
  await page.getByRole('status').getByText('loading...', { exact: true }).waitFor()
  fail()
  await page.getByText('could not load audit logs', { exact: true }).waitFor()
  await page.unroute('**/audit-log?**')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await shows(page, ['Northfield Manager created the zone ICU'])
})

test('[AUD-07] says when there are no entries, and leads back to all of them where a filter hides them', async () => {
  const page = await pages.open(path)
  await page.getByText('no audit logs found', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Show all changes' }).count()).toBe(0)
  await writeEntries(stack, seven.slice(0, 1))
  await showInApp(page, `${path}?search=nothing`)
  await page.getByText('no audit logs found', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show all changes' }).click()
  await shows(page, ['Northfield Manager created the zone ICU'])
  expect(await page.getByRole('searchbox').inputValue()).toBe('')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')
  expect(page.url()).toBe(`${stack.url}${path}`)
})

test('[RCD-02 RCD-03] a rollout is one entry with its zones and readers inside; each can be shown by itself', async () => {
  const rollout = '0198c0de-0000-7000-8000-000000000001'
  const set: EntryToWrite = { type: 'ZoneFirmwareChange', by: manager, target: 'CR2700', version: '4.12.0', rollout }
  const installed: EntryToWrite = { type: 'FirmwareInstalled', version: '4.12.0', zone: 'Lab', host: 'NRH-LAB-01', rollout, depth: 3 }
  await writeEntries(stack, [
    ...seven.slice(0, 1),
    { ...set, zone: 'ICU', depth: 0, at: 5 },
    { ...set, zone: 'Lab', depth: 1, at: 4 },
    ...Array.from({ length: 12 }, (_, number) => ({ ...installed, serial: `27P${number + 10}`, at: 3 })),
  ])
  const page = await pages.open(path)
  await shows(page, [
    'Northfield Manager set firmware 4.12.0 for CR2700 in ICU and 1 more zone, installed on 12 readers',
    'Northfield Manager created the zone ICU',
  ])
  await entry(page, 'and 1 more zone').focus()
  await page.keyboard.press('Enter')
  const inside = page.getByRole('region', { name: 'Entries of this rollout' })
  await inside
    .getByText('Host PC NRH-LAB-01 installed firmware 4.12.0 on 27P10 in Lab')
    .or(inside.getByText('on 27P21 in Lab'))
    .first()
    .waitFor()
  expect(await inside.getByRole('listitem').count()).toBe(10)
  await inside.getByRole('button', { name: 'Load older entries of this rollout' }).click()
  await expect.poll(() => inside.getByRole('listitem').count()).toBe(14)
  expect((await inside.getByRole('listitem').last().textContent())!).toContain('Northfield Manager set firmware 4.12.0 for CR2700 in ICU')
  expect(await axeInLooks(page)).toEqual([])
  await inside.getByRole('button', { name: 'Show all 14 as single entries' }).click()
  await page.getByText('Showing 14 of 14', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe(`?rollout=${rollout}`)
  await page.getByRole('button', { name: 'Only one rollout: show all' }).click()
  await page.getByText('Showing 2 of 2', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Each reader and zone by itself' }).click()
  await page.getByText('Showing 15 of 15', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Each reader and zone by itself' }).click()
  await page.getByText('Showing 2 of 2', { exact: true }).waitFor()
  await choose(page, 'Zone', 'Lab')
  await shows(page, ['Northfield Manager set firmware 4.12.0 for CR2700 in Lab and 1 more zone, installed on 12 readers'])
})

test('[RIT-07] a chosen type keeps its rollouts folded, until each is shown by itself', async () => {
  const rollout = '0198c0de-0000-7000-8000-000000000002'
  const set: EntryToWrite = { type: 'ZoneFirmwareChange', by: manager, target: 'CR2700', version: '4.12.0', rollout }
  const installed: EntryToWrite = { type: 'FirmwareInstalled', version: '4.12.0', zone: 'Lab', host: 'NRH-LAB-01', rollout, depth: 3 }
  await writeEntries(stack, [
    ...seven.slice(0, 1),
    { ...set, zone: 'ICU', depth: 0, at: 5 },
    { ...set, zone: 'Lab', depth: 1, at: 4 },
    ...[1, 2, 3].map((number) => ({ ...installed, serial: `27P${number}`, at: 3 })),
  ])
  const page = await pages.open(path)
  const whole = 'Northfield Manager set firmware 4.12.0 for CR2700 in ICU and 1 more zone, installed on 3 readers'
  const types = page.getByRole('radiogroup', { name: 'Type of change' })
  for (const [type, single] of [
    ['Zone firmware changed', 2],
    ['Firmware installed', 3],
  ] as const) {
    await types.getByText(type).click()
    await page.getByText('Showing 1 of 1', { exact: true }).waitFor()
    await shows(page, [whole])
    await page.getByRole('checkbox', { name: 'Each reader and zone by itself' }).click()
    await page.getByText(`Showing ${single} of ${single}`, { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Each reader and zone by itself' }).click()
  }
})

describe('filters', () => {
  beforeEach(() => writeEntries(stack, [{ ...seven[0]!, zone: 'Long ago', at: '2020-01-15T12:00:00Z' }, ...seven]))

  test('by type, person, zone, reader and text each show what they say, and stand in the address', async () => {
    const page = await pages.open(path)
    const clear = page.getByRole('button', { name: 'Clear filters' })
    await page.getByRole('radio', { name: 'Zone deleted 1' }).click()
    await shows(page, [sevenSentences[0]!])
    expect(new URL(page.url()).search).toBe('?type=ZoneDelete')
    await clear.click()
    await choose(page, 'Person', member)
    await shows(page, sevenSentences.slice(2, 4))
    await page.reload()
    await shows(page, sevenSentences.slice(2, 4))
    await clear.click()
    await choose(page, 'Zone', 'Lab')
    await shows(page, sevenSentences.slice(0, 2))
    await page.getByRole('searchbox').fill('4.12')
    await shows(page, [sevenSentences[1]!])
    await page.goBack()
    await shows(page, sevenSentences.slice(0, 2))
    await clear.click()
    await page.getByRole('textbox', { name: 'Reader' }).fill('27P041')
    await shows(page, [sevenSentences[1]!])
    await page.getByText('Showing 1 of 1', { exact: true }).waitFor()
  })

  test('by time: the last days, and days of one’s own, both included', async () => {
    const page = await pages.open(path)
    await choose(page, 'Period', 'Last 30 days')
    await shows(page, sevenSentences)
    await choose(page, 'Period', 'Choose days')
    await page.getByLabel('First day').fill('2020-01-15')
    await page.getByLabel('Last day').fill('2020-01-15')
    await shows(page, ['Northfield Manager created the zone Long ago'])
    await page.getByLabel('First day').fill('2020-01-16')
    await page.getByText('no audit logs found').waitFor()
    expect(new URL(page.url()).search).toBe('?period=days&from=2020-01-16&to=2020-01-15')
  })

  test('an opened entry leads to what others have in common with it', async () => {
    const page = await pages.open(path)
    await entry(page, 'installed firmware').click()
    await page.getByRole('button', { name: 'Lab, show only these' }).click()
    await shows(page, sevenSentences.slice(0, 2))
    expect(new URL(page.url()).search).toBe('?zone=Lab')
  })

  test('the file has what the log shows', async () => {
    const page = await pages.open(`${path}?zone=Lab`)
    await shows(page, sevenSentences.slice(0, 2))
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export to CSV' }).click()])
    expect(download.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await downloadedText(download)).trim().split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(sevenSentences.slice(0, 2))
  })
})

test('older entries are loaded as they are asked for, and the reading goes on at the first of them', async () => {
  await writeEntries(
    stack,
    Array.from({ length: 120 }, (_, number) => ({ type: 'ZoneCreate', by: manager, zone: `Z${number}`, at: 200 - number })),
  )
  const page = await pages.open(path)
  await page.getByText('Showing 50 of 120', { exact: true }).waitFor()
  await writeEntries(stack, [{ type: 'ZoneCreate', by: manager, zone: 'meanwhile' }])
  const older = page.getByRole('button', { name: 'Load older entries' })
  await older.click()
  await page.getByText('Showing 100 of 120', { exact: true }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('created the zone Z69')
  await older.click()
  const all = Array.from({ length: 120 }, (_, number) => `Northfield Manager created the zone Z${119 - number}`)
  await expect.poll(() => sentences(page)).toEqual(all)
  expect(await older.count()).toBe(0)
})

test('the keyboard alone opens an entry, moves through the types, and closes it', async () => {
  await writeEntries(stack, seven)
  const page = await pages.open(path)
  await shows(page, sevenSentences)
  await page.getByRole('radio', { name: 'All changes 7' }).focus()
  // Held, as by a finger: the choice is made while the key is down.
  await page.keyboard.down('ArrowDown')
  await shows(page, [sevenSentences[6]!])
  await page.keyboard.up('ArrowDown')
  await entry(page, 'created the zone ICU').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Zone created (ZoneCreate)').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**?type=ZoneCreate&person=manager%40northfield.example')
  await entry(page, 'created the zone ICU').focus()
  await page.keyboard.press('Space')
  await page.getByText('Zone created (ZoneCreate)').waitFor({ state: 'detached' })
})

const hostile = `<img src=x onerror="document.title='broken'">${'W'.repeat(155)}`

test('hostile texts stay text and inside the page, and axe finds nothing in any state, in either look', async () => {
  await writeEntries(stack, [
    ...seven,
    { type: 'ZoneConfigChange', by: manager, zone: hostile, target: hostile, config: hostile, newValue: hostile },
  ])
  const page = await pages.open(path, manager, (fresh) =>
    fresh.route('**/audit-log?**', (route) => route.fulfill({ status: 400, json: {} })),
  )
  await page.getByText('could not load audit logs').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await entry(page, hostile).click()
  await page.getByText('New value', { exact: true }).waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.getByText('New value', { exact: true }).waitFor()
  expect(await page.title()).not.toBe('broken')
  await showInApp(page, `${path}?search=nothing&period=days`)
  await page.getByText('no audit logs found').waitFor()
  expect(await axeInLooks(page)).toEqual([])
})

describe('staff', () => {
  test('read the log of any organization, from the list of all', async () => {
    await writeEntries(stack, seven.slice(0, 1))
    const page = await pages.open('/admin/organizations', staff)
    await page.getByRole('link', { name: 'View Audit Log of Northfield Regional Health' }).click()
    await page.waitForURL(`**/admin/organizations/${northfield}/audit-log`)
    await shows(page, ['Northfield Manager created the zone ICU'])
    await page.getByText('Every change in Northfield Regional Health, newest first.').waitFor()
  })

  test('read the changes that concern no organization, which have no zones', async () => {
    await writeEntries(stack, [...seven, { type: 'deleteAd', by: staff, target: 'Old ad', organization: null }])
    const page = await pages.open('/admin/audit-log', staff)
    await shows(page, ['Vendor Staff deleted the ad Old ad'])
    await expect.poll(() => page.getByRole('radio').allTextContents()).toEqual(['All changes1', 'Ad deleted1'])
    expect(await page.getByRole('combobox', { name: 'Zone' }).count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  test('see nothing of one log in another, also while that loads', async () => {
    await writeEntries(stack, [...seven.slice(0, 1), { type: 'deleteAd', by: staff, target: 'Old ad', organization: null }])
    const page = await pages.open('/admin/audit-log', staff)
    await shows(page, ['Vendor Staff deleted the ad Old ad'])
    await page.getByRole('radio', { name: 'Ad deleted' }).waitFor()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/organization\/[^/]+\/audit-log/, async (route) => {
      await held
      await route.continue()
    })
    await showInApp(page, `/admin/organizations/${northfield}/audit-log`)
    await page.getByText('Every change in Northfield Regional Health, newest first.').waitFor()
    expect(await sentences(page)).toEqual([])
    expect(await page.getByRole('radio', { name: 'Ad deleted' }).count()).toBe(0)
    release()
    await shows(page, ['Northfield Manager created the zone ICU'])
  })
})
