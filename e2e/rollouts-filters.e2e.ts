import { randomUUID } from 'node:crypto'
import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { axeInLooks, looks, turn } from './support/axe.ts'
import { manager, northfield, startLoneStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const zones = 1_000
const { stack, pages } = await stackForFile(startLoneStack())
const rollout = randomUUID()
const older = randomUUID()

/** Stores with two readers each. In the first three, one reader has failed. None has a host PC. */
beforeAll(async () => {
  await stack.sql(
    `insert into zone (public_id, organization_id, name)
     select gen_random_uuid(), o.id, 'Store ' || lpad(n::text, 4, '0') from organization o, generate_series(1, $2::int) n where o.public_id = $1`,
    [northfield, zones],
  )
  await stack.sql(
    `insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at)
     select z.organization_id, replace(z.name, ' ', '-') || '-' || n, 'CR2700', z.id, now() from zone z, generate_series(1, 2) n where z.name like 'Store %'`,
  )
  await publish(older, 'before.js', "z.name = 'Store 0007'")
  await stack.sql(`update publication set replaced_at = now(), replaced_readers = 2 where rollout_id = $1`, [older])
  await publish(rollout, 'stores.js', "z.name like 'Store %'")
  await settle('failed', "d.serial_number in ('Store-0001-1', 'Store-0002-1', 'Store-0003-1')")
})

async function publish(id: string, file: string, where: string): Promise<void> {
  await stack.sql(
    `insert into rollout (id, organization_id, published_by)
     select $2, o.id, (select id from "user" where email = $3) from organization o where o.public_id = $1`,
    [northfield, id, manager],
  )
  await stack.sql(
    `insert into publication (id, organization_id, zone_id, zone_name, device_type, revision, content, content_hash, file_name, size, update_time, rollout_id)
     select gen_random_uuid(), z.organization_id, z.id, z.name, 'CR2700', (select count(*) + 1 from publication p where p.zone_id = z.id), 'file', repeat('a', 64),
       $1, 10, '02:00', $2 from zone z where ${where}`,
    [file, id],
  )
}

/** As a host PC reports it: stored, then heard by who watches. */
async function settle(outcome: 'applied' | 'failed', where: string): Promise<void> {
  await stack.sql(
    `insert into outcome (publication_id, device_id, organization_id, outcome, happened_at)
     select p.id, d.id, d.organization_id, $2, now() from publication p join device d on d.zone_id = p.zone_id where p.rollout_id = $1 and ${where}`,
    [rollout, outcome],
  )
  await stack.sql(
    `select pg_notify('lectern_events', json_build_object('id', 0, 'organizationId', organization_id, 'zoneId', public_id, 'kind', 'progress')::text)
     from zone where name = 'Store 0001'`,
  )
}

async function isAccessible(page: Page): Promise<void> {
  expect(await axeInLooks(page)).toEqual([])
  await turn(page, looks[0])
}

const parts = (page: Page) => page.getByRole('region', { name: 'By zone and model' })
const zoneRows = (page: Page) => page.getByRole('region', { name: 'Progress by zone' }).locator('tbody tr')
const zoneNames = async (page: Page) => (await zoneRows(page).locator('[data-part=name]').allTextContents()).map((name) => name.trim())
const rollouts = (page: Page) => page.getByRole('region', { name: 'All rollouts' })
const titles = async (page: Page) => (await rollouts(page).locator('tbody tr').locator('a').allTextContents()).map((one) => one.trim())

/** By keyboard alone. */
async function pick(page: Page, label: string, option: string): Promise<void> {
  const combobox = page.getByRole('combobox', { name: label, exact: true })
  await combobox.focus()
  await page.keyboard.press('Enter')
  // The chosen one has the focus once the menu is in its place.
  await page.locator('[role=option][data-state=checked]:focus').waitFor()
  await page.getByRole('option', { name: option, exact: true }).press('Enter')
  // The focus is back once the menu is gone; otherwise the menu would take it from what has it by then.
  await page.locator('[role=listbox]').waitFor({ state: 'detached' })
  await expect.poll(() => combobox.evaluate((it) => it === document.activeElement)).toBe(true)
}

test('[MNY-04] the page of a rollout to 1,000 zones finds, sorts and narrows them in its address, and has at most 2,000 nodes', async () => {
  const page = await pages.open(`/codedm/rollouts/${rollout}`, manager)
  await parts(page).getByText('1–10 of 1,000 zones').waitFor()
  await page.getByRole('region', { name: 'Readers', exact: true }).getByText('1–25 of 2,000 readers').waitFor()
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  expect(nodes).toBeGreaterThan(500)
  expect(nodes).toBeLessThanOrEqual(2_000)
  await isAccessible(page)

  await pick(page, 'State of zones', 'Failed readers')
  await expect.poll(() => zoneNames(page)).toEqual(['Store 0001', 'Store 0002', 'Store 0003'])
  await pick(page, 'Order of zones', 'By name, Z to A')
  await expect.poll(() => zoneNames(page)).toEqual(['Store 0003', 'Store 0002', 'Store 0001'])
  const address = () => Object.fromEntries(new URL(page.url()).searchParams)
  expect(address()).toEqual({ 'zones-state': 'failed', 'zones-order': 'Descending' })
  await page.reload()
  await zoneRows(page).filter({ hasText: 'Store 0003' }).waitFor()
  await expect.poll(() => zoneNames(page)).toEqual(['Store 0003', 'Store 0002', 'Store 0001'])
  await pick(page, 'State of zones', 'Complete')
  await parts(page).getByText('No zone matches.').waitFor()
  await isAccessible(page)
  await parts(page).getByRole('button', { name: 'Show all zones' }).press('Enter')
  await parts(page).getByText('1–10 of 1,000 zones').waitFor()
  expect(await zoneNames(page)).toContain('Store 1000')
  await pick(page, 'Order of zones', 'Most failed first')
  await expect.poll(async () => (await zoneNames(page)).slice(0, 4)).toEqual(['Store 0001', 'Store 0002', 'Store 0003', 'Store 0004'])
})

/** Tables are not read again by the clock: changes come by events alone. */
const withoutPolling = (page: Page) =>
  page.addInitScript(() => {
    const every = window.setInterval.bind(window)
    window.setInterval = ((run: () => void, ms?: number) => (ms === 5_000 ? 0 : every(run, ms))) as typeof setInterval
  })

test('[MNY-06] tables of a live rollout, and the list, are read with each event, one read at a time, and none is left behind', async () => {
  const list = await pages.open('/codedm/rollouts?search=stores', manager, withoutPolling)
  await rollouts(list).getByText('0 of 2,000').waitFor()

  const page = await pages.open(`/codedm/rollouts/${rollout}?search=Store-0005`, manager, withoutPolling)
  const readers = page.getByRole('region', { name: 'Readers of the rollout' })
  await readers.getByText('Store-0005-1').waitFor()
  const reading = new Set<Request>()
  let atOnce = 0
  page.on('request', (request) => {
    if (request.url().includes('/parts?')) atOnce = Math.max(atOnce, reading.add(request).size)
  })
  for (const ended of ['requestfinished', 'requestfailed'] as const)
    page.on(ended as 'requestfinished', (request) => reading.delete(request))
  // The first read after an event is held until more has changed, which must not be lost.
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  await page.route('**/parts?*', async (route) => {
    const response = await route.fetch()
    held.resolve()
    await release.promise
    await route.fulfill({ response })
  })
  await settle('applied', "d.serial_number = 'Store-0005-1'")
  await held.promise
  await readers.getByText('Applied').waitFor()
  await settle('applied', "d.serial_number = 'Store-0005-2'")
  const total = (amount: number) =>
    page
      .getByRole('region', { name: 'Progress', exact: true })
      .locator('dl > div')
      .filter({ hasText: new RegExp(`^Applied${amount}\\D`) })
  await total(2).waitFor()
  release.resolve()
  await zoneRows(page).getByRole('link', { name: '2 applied, Store 0005: show readers' }).waitFor()
  await expect.poll(() => readers.getByText('Applied').count()).toBe(2)
  await rollouts(list).getByText('2 of 2,000').waitFor()

  for (let store = 10; store < 30; store++) await settle('applied', `d.serial_number = 'Store-00${store}-1'`)
  await total(22).waitFor()
  await rollouts(list).getByText('22 of 2,000').waitFor()
  expect(atOnce).toBe(1)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('[MNY-05] the list of rollouts is searched and filtered in its address, by keyboard, and says when nothing matches', async () => {
  const page = await pages.open('/codedm/rollouts', manager)
  await rollouts(page).getByRole('link', { name: 'before.js' }).waitFor()
  await isAccessible(page)
  await page.getByRole('searchbox', { name: 'Search rollouts' }).fill('before.js')
  await expect.poll(() => titles(page)).toEqual(['before.js'])
  await page.getByRole('searchbox', { name: 'Search rollouts' }).fill('.js')
  await rollouts(page).getByRole('link', { name: 'stores.js' }).waitFor()
  await pick(page, 'State', 'Replaced or rolled back')
  await expect.poll(() => titles(page)).toEqual(['before.js'])
  await pick(page, 'State', 'Failed readers')
  await expect.poll(() => titles(page)).toEqual(['stores.js'])
  await pick(page, 'State', 'All states')
  await pick(page, 'Content', 'Configuration')
  await pick(page, 'Model', 'CR2700')
  await pick(page, 'Published by', 'Northfield Manager')
  const zone = page.getByRole('combobox', { name: 'Zone', exact: true })
  await zone.focus()
  await page.keyboard.type('store 00')
  await expect.poll(() => page.locator('datalist option').count()).toBe(50)
  await page.keyboard.type('07')
  await expect.poll(() => titles(page)).toEqual(['stores.js', 'before.js'])
  await page.getByLabel('From').fill('2026-01-01')
  await page.getByLabel('To', { exact: true }).fill('2026-01-31')
  await rollouts(page).getByText('No rollout matches.').waitFor()
  await isAccessible(page)
  const { zone: chosen, person, ...address } = Object.fromEntries(new URL(page.url()).searchParams)
  expect(address).toEqual({ search: '.js', kind: 'configuration', model: 'CR2700', from: '2026-01-01', to: '2026-01-31' })
  expect([chosen, person].every((id) => /^[0-9a-f-]{36}$/.test(id ?? ''))).toBe(true)
  await page.reload()
  await rollouts(page).getByText('No rollout matches.').waitFor()
  await expect.poll(() => zone.inputValue()).toBe('Store 0007')
  await page.getByRole('button', { name: 'Show all rollouts' }).press('Enter')
  await expect.poll(async () => (await titles(page)).slice(0, 2)).toEqual(['stores.js', 'before.js'])
  expect(new URL(page.url()).search).toBe('')
})
