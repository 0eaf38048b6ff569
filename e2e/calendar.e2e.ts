import { createHash, randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeInLooks, looks, turn } from './support/axe.ts'
import { licence, manager, member, northfield, startLoneStack } from './support/processes/stack.ts'
import { button, makeCfg, saveCfg, select, wizardPath } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startLoneStack())
const organizationId = northfield
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** By UTC, so many days from now. */
const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const weekdayIn = (days: number) => weekdays[new Date(dateIn(days)).getUTCDay()]!
const day = (page: Page, days: number) =>
  page
    .getByRole('list', { name: 'Days' })
    .locator('> li')
    .filter({ hasText: formatted(days) })
/** "Sat 28 Nov", as the calendar shows it. */
const formatted = (days: number) => {
  const date = new Date(dateIn(days))
  return `${weekdayIn(days)} ${date.getUTCDate()} ${date.toLocaleString('en-GB', { month: 'short', timeZone: 'UTC' })}`
}

/** A zone with a reader on a host PC that lives by UTC. */
async function newZone(name: string, knowsPhases = false) {
  const api = await stack.api()
  const zone = await api('createZone', { params: { organizationId, location: `${name} ${randomUUID().slice(0, 8)}` } })
  const credential = randomUUID()
  const credentialHash = createHash('sha256').update(credential).digest('hex')
  const post = (path: string, bearer: string, body: object) =>
    fetch(`${stack.url}/api/agent/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const serialNumber = `S-${randomUUID().slice(0, 8)}`
  /** The reader runs what was published. */
  const apply = async () => {
    const answer = await fetch(`${stack.url}/api/agent/desired`, { headers: { authorization: `Bearer ${credential}` } })
    const { configurations } = (await answer.json()) as { configurations: { publication: string }[] }
    const outcome = { publication: configurations[0]!.publication, serialNumber, outcome: 'applied', reason: null }
    await post('outcomes', credential, { outcomes: [{ ...outcome, at: new Date().toISOString() }] })
  }
  const host = { timeZone: 'UTC', agentVersion: '1.0.0' }
  await post('enroll', licence, { zoneId: zone.id, hostName: `PC ${name}`, credentialHash, ...host })
  const reader = { deviceType: 'CR2700', firmware: '4.9.2', configuration: null, batteryHealth: 80, warrantyUntil: null }
  await post('check-in', credential, { ...host, knowsPhases, devices: [{ serialNumber, ...reader }] })
  return { ...zone, apply }
}

async function publish(zone: { id: string }, text: string): Promise<string> {
  const rollout = randomUUID()
  const api = await stack.api()
  await api('publishCfg', {
    params: { organizationId, location: zone.id, device: 'CR2700' },
    body: { cfg: makeCfg(text), updateTime: '10:30', rollout },
  })
  return rollout
}

const readStarts = (zone: { id: string }) =>
  stack.sql<{ at_once: boolean; start_date: string | null; update_time: string }>(
    'select at_once, start_date::text, update_time from publication where zone_id = (select id from zone where public_id = $1) order by revision',
    [zone.id],
  )

async function isAccessible(page: Page): Promise<void> {
  expect(await axeInLooks(page)).toEqual([])
  await turn(page, looks[0])
}

test('[NOW-04 NOW-05] a Manager sets windows, the wizard says when it really starts, and the calendar entry is moved to another day', async () => {
  const zone = await newZone('Windowed')
  const page = await pages.open('/codedm/publishing-settings', manager)
  const save = page.getByRole('region', { name: 'All zones' }).getByRole('button', { name: 'Save' })
  await page.getByText('Runs may be at any time.').waitFor()
  await button(page, 'Add window').click()
  const window = page.getByRole('group', { name: 'window 1' })
  for (const name of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']) await window.getByRole('checkbox', { name }).uncheck()
  await save.click()
  await page.getByText('A window without a day is never open. Choose a day.').waitFor()
  for (const days of [2, 4]) await window.getByRole('checkbox', { name: weekdayIn(days) }).check()
  await window.getByRole('textbox', { name: 'From' }).fill('10:00')
  await window.getByRole('textbox', { name: 'To' }).fill('11:00')
  await button(page, 'Add blocked days').click()
  const blocked = page.getByRole('group', { name: 'blocked days 1' })
  await blocked.getByLabel('First day').fill(dateIn(2))
  await blocked.getByLabel('Last day').fill(dateIn(2))
  await blocked.getByLabel('Name').fill('Stocktaking')
  await isAccessible(page)
  await save.click()
  await page.getByText('Runs that wait keep to them.').first().waitFor()

  const wizard = await pages.open(wizardPath, manager)
  await select(wizard, zone.name, ['CR2700'])
  await wizard.getByText(new RegExp(`^Next run ${weekdayIn(4)} .* 10:00, because 02:00 is outside the maintenance windows, in `)).waitFor()
  await button(wizard, 'Next').click()
  await saveCfg(wizard, 'CR2700', makeCfg('windowed'))
  const facts = wizard.getByRole('region', { name: 'Selections' })
  await facts.getByText(/10:00, because 02:00 is outside the maintenance windows/).waitFor()
  await button(wizard, 'Publish').click()
  await wizard.waitForURL(/\/config-success\?rollout=/)

  await page.getByRole('link', { name: 'Calendar' }).last().click()
  const entry = day(page, 4).getByRole('listitem')
  await entry.getByText('10:00').waitFor()
  await entry.getByText(zone.name).waitFor()
  await day(page, 2).getByText('Blocked: Stocktaking').or(page.getByText('Blocked: Stocktaking')).first().waitFor()
  await isAccessible(page)
  await entry.getByRole('button', { name: /^Start or move CFG/ }).click()
  const dialog = page.getByRole('dialog', { name: 'When readers update' })
  await dialog.getByLabel('Day').fill(dateIn(11))
  await dialog.getByRole('textbox', { name: 'Update time' }).fill('10:30')
  await dialog.getByText(/10:30, in /).waitFor()
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await day(page, 11).getByText('10:30').waitFor()
  expect(await day(page, 4).getByRole('listitem').count()).toBe(0)
  expect(await readStarts(zone)).toEqual([{ at_once: false, start_date: dateIn(11), update_time: '10:30' }])
  await day(page, 11).getByRole('link').click()
  await page
    .getByText(/^Readers begin .*10:30, in .* \(.*UTC.*\)$/)
    .first()
    .waitFor()
})

test('[RIT-04] Review says that a time is kept past the next window, and offers its begin', async () => {
  const zone = await newZone('Kept')
  const api = await stack.api()
  await api('setSchedule', { params: { organizationId }, body: { windows: [], blockedDays: [] } })
  const on = (days: number) => [weekdayIn(days).toLowerCase() as 'mon']
  const windows = [
    { days: on(2), from: '10:00', to: '12:00' },
    { days: on(4), from: '01:00', to: '05:00' },
  ]
  await api('setZoneSchedule', { params: { organizationId, location: zone.id }, body: { windows, blockedDays: [] } })
  const page = await pages.open(wizardPath, manager)
  await select(page, zone.name, ['CR2700'])
  await page.getByText(new RegExp(`^Next run ${weekdayIn(4)} .* 02:00, the first 02:00 within the maintenance windows, in `)).waitFor()
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', makeCfg('kept'))
  const facts = page.getByRole('region', { name: 'Selections' })
  await facts
    .getByText(
      new RegExp(`^02:00 is within the maintenance windows from ${weekdayIn(4)} .* on\\. They open before that, ${weekdayIn(2)} .* 10:00`),
    )
    .waitFor()
  await isAccessible(page)
  await facts.getByRole('button', { name: 'Update at 10:00 instead' }).click()
  await facts.getByText(/is within the maintenance windows from/).waitFor({ state: 'detached' })
  await button(page, 'Publish').click()
  await page.waitForURL(/\/config-success\?rollout=/)
  expect(await readStarts(zone)).toEqual([{ at_once: false, start_date: null, update_time: '10:00' }])
})

test('[NOW-05] "Now" outside a window asks first; a member without permissions sees the calendar and moves nothing', async () => {
  const zone = await newZone('Asked')
  const api = await stack.api()
  // Only the zones have windows.
  await api('setSchedule', { params: { organizationId }, body: { windows: [], blockedDays: [] } })
  const windows = [{ days: [weekdayIn(3).toLowerCase() as 'mon'], from: '10:00', to: '11:00' }]
  await api('setZoneSchedule', { params: { organizationId, location: zone.id }, body: { windows, blockedDays: [] } })
  const waiting = await newZone('Waiting')
  await api('setZoneSchedule', { params: { organizationId, location: waiting.id }, body: { windows, blockedDays: [] } })
  const rollout = await publish(waiting, 'waits')

  const page = await pages.open(wizardPath, manager)
  await select(page, zone.name, ['CR2700'])
  await page.getByRole('radio', { name: 'Now' }).click()
  await page.getByText(/^Now is outside the maintenance windows, which open .* 10:00, in .*\. Publish asks first\.$/).waitFor()
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', makeCfg('asked'))
  await button(page, 'Publish').click()
  const dialog = page.getByRole('dialog', { name: 'Publish outside the maintenance windows?' })
  await dialog.getByText(/10:00, in /).waitFor()
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Go back' }).click()
  expect(await readStarts(zone)).toEqual([])
  await button(page, 'Publish').click()
  await dialog.getByRole('button', { name: 'Start now anyway' }).click()
  await page.waitForURL(/\/config-success\?rollout=/)
  expect(await readStarts(zone)).toMatchObject([{ at_once: true }])

  const days = (['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const).slice()
  const always = {
    windows: [
      { days, from: '00:00', to: '12:00' },
      { days, from: '12:00', to: '00:00' },
    ],
    blockedDays: [],
  }
  await api('setZoneSchedule', { params: { organizationId, location: zone.id }, body: always })
  const gate = { maxFailedPercent: 5, maxSilentPercent: 10 }
  const limits = { haltAbovePercent: null, stopTime: null }
  await api('setPublishingDefaults', { params: { organizationId }, body: { ...limits, phases: [{ share: 50, soakMinutes: 0, gate }] } })
  await page.goto(`${stack.url}${wizardPath}`)
  await select(page, zone.name, ['CR2700'])
  await page.getByRole('radio', { name: 'Now' }).click()
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', makeCfg('in phases'))
  await page.getByText('Readers start as soon as they can, at any time.').waitFor()
  await button(page, 'Publish').click()
  const later = page.getByRole('dialog', { name: 'Publish later phases outside the maintenance windows?' })
  await isAccessible(page)
  await later.getByRole('button', { name: 'Publish anyway' }).click()
  await page.waitForURL(/\/config-success\?rollout=/)
  await api('setPublishingDefaults', { params: { organizationId }, body: { ...limits, phases: [] } })

  await page.goto(`${stack.url}/codedm/rollouts/${rollout}`)
  await button(page, 'Start or move…').click()
  const move = page.getByRole('dialog', { name: 'When readers update' })
  await move.getByRole('radio', { name: 'Now' }).click()
  await move.getByRole('button', { name: 'Save' }).click()
  await move.getByText(/Now is outside the maintenance windows/).waitFor()
  await move.getByRole('button', { name: 'Save' }).click()
  await move.waitFor({ state: 'detached' })
  expect(await readStarts(waiting)).toMatchObject([{ at_once: true }])

  await waiting.apply()
  await publish(waiting, 'after')
  const [newest] = await stack.sql<{ id: string }>('select id from rollout order by published_at desc limit 1')
  await page.goto(`${stack.url}/codedm/rollouts/${newest!.id}`)
  await button(page, 'Roll back…').click()
  const back = page.getByRole('dialog', { name: 'Roll back this rollout?' })
  await back.getByRole('radio', { name: 'At', exact: true }).click()
  await back
    .getByRole('list', { name: 'When readers update' })
    .getByText(/ 10:00, .*in /)
    .waitFor()
  await back.getByRole('radio', { name: 'Now' }).click()
  await back.getByRole('button', { name: 'Roll back' }).click()
  await back.getByText(/Now is outside the maintenance windows, which open .* 10:00/).waitFor()
  await back.getByRole('button', { name: 'Roll back' }).click()
  await back.waitFor({ state: 'detached' })
  expect((await readStarts(waiting)).map(({ at_once }) => at_once)).toEqual([true, false, true])

  const other = await newZone('Seen')
  await publish(other, 'seen')
  const seen = await pages.open('/codedm/calendar', member)
  await seen.getByRole('combobox', { name: 'Zone' }).fill(other.name)
  await seen.waitForURL(`**/codedm/calendar?zone=${other.id}`)
  await seen.getByRole('list', { name: 'Days' }).getByText(other.name).waitFor()
  expect(await seen.getByRole('button', { name: /^Start or move/ }).count()).toBe(0)
  expect(await seen.getByRole('link', { name: 'Publishing settings' }).count()).toBe(0)
})

test('[NOW-04] who moves a rollout that runs on several days is told that all of them move; chosen by zone, that zone alone does', async () => {
  const [near, far] = [await newZone('Near'), await newZone('Far')]
  const api = await stack.api()
  await api('setSchedule', { params: { organizationId }, body: { windows: [], blockedDays: [] } })
  const rollout = await publish(near, 'two days')
  const body = { cfg: makeCfg('two days'), updateTime: '10:30', rollout }
  await api('publishCfg', { params: { organizationId, location: far.id, device: 'CR2700' }, body })
  await api('moveRollout', { params: { organizationId, id: rollout }, body: { zones: [far.id], date: dateIn(9), updateTime: '10:30' } })
  const page = await pages.open('/codedm/calendar', manager)
  const entry = () => day(page, 9).getByRole('listitem').filter({ hasText: far.name })
  const dialog = page.getByRole('dialog', { name: 'When readers update' })
  await entry()
    .getByRole('button', { name: /^Start or move/ })
    .click()
  await dialog
    .getByText('It also runs on 1 other day. What is chosen here holds for these runs too; for one zone alone, choose it above')
    .waitFor()
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('combobox', { name: 'Zone' }).fill(far.name)
  await page.waitForURL(/zone=/)
  // Until then the days are those of all zones.
  await page.locator('[aria-label="Days"]:not([aria-busy])').waitFor()
  await entry()
    .getByRole('button', { name: /^Start or move/ })
    .click()
  await dialog.getByText(`in ${far.name}`).waitFor()
  expect(await dialog.getByText('It also runs').count()).toBe(0)
  await dialog.getByLabel('Day').fill(dateIn(12))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await readStarts(far))[0]!.start_date).toBe(dateIn(12))
  expect((await readStarts(near))[0]!.start_date).toBe(null)
})

test('[RIT-06] a zone that waits for its phase is on no day but named with it, and the dialog that moves knows phases and the windows of each zone', async () => {
  const [first, later] = [await newZone('First', true), await newZone('Later', true)]
  const api = await stack.api()
  await api('setSchedule', { params: { organizationId }, body: { windows: [], blockedDays: [] } })
  const windows = [{ days: [weekdayIn(8).toLowerCase() as 'mon'], from: '20:00', to: '21:00' }]
  await api('setZoneSchedule', { params: { organizationId, location: later.id }, body: { windows, blockedDays: [] } })
  const key = randomUUID()
  await api('publishToZones', {
    params: { organizationId },
    body: {
      key,
      zones: { ids: [first.id, later.id] },
      when: { updateTime: '10:30' },
      parts: [{ model: 'CR2700', content: { kind: 'cfg', text: makeCfg('in phases') } }],
      phases: [{ zones: [first.id], soakMinutes: 0, gate: 'by hand' }],
    },
  })
  const page = await pages.open('/codedm/calendar', manager)
  const waits = page.getByRole('region', { name: 'Waiting for a phase' })
  await waits.getByText(new RegExp(`in ${later.name}: phase 2, which begins by hand`)).waitFor()
  await page.getByText(/zones? ha(s|ve) windows or blocked days of (its|their) own\./).waitFor()
  const days = page.getByRole('list', { name: 'Days' })
  const entry = days.getByRole('listitem').filter({ hasText: first.name }).last()
  await entry.waitFor()
  expect(await days.getByText(later.name).count()).toBe(0)
  await isAccessible(page)
  await entry.getByRole('button', { name: /^Start or move/ }).click()
  const dialog = page.getByRole('dialog', { name: 'When readers update' })
  await dialog
    .getByText('1 zone of these waits for phase 2, which begins by hand. The time that is chosen here holds from then on.')
    .waitFor()
  await dialog.getByLabel('Day').fill(dateIn(8))
  const begins = dialog.getByRole('list', { name: 'When readers begin' })
  await begins.getByText(/ 10:30, in /).waitFor()
  await begins.getByText(/ 20:00, in /).waitFor()
  await begins.getByText('The maintenance windows and blocked days move it there.').waitFor()
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await waits.getByRole('link').first().click()
  await page.getByText('Waiting for phase 2').first().waitFor()
})
