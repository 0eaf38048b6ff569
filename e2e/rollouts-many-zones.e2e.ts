import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { axeInLooks, looks, turn } from './support/axe.ts'
import { manager, northfield, startLoneStack } from './support/processes/stack.ts'
import { newHost } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const zones = 60
const { stack, pages } = await stackForFile(startLoneStack())
const rollout = randomUUID()

/** Zones with four readers each, one of which has the newer of two configurations; the others wait for their host PCs. */
beforeAll(async () => {
  await stack.sql(
    `insert into zone (public_id, organization_id, name)
     select gen_random_uuid(), o.id, 'Floor ' || lpad(n::text, 2, '0') from organization o, generate_series(1, $2::int) n where o.public_id = $1`,
    [northfield, zones],
  )
  await stack.sql(
    `insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at)
     select z.organization_id, replace(z.name, ' ', '-') || '-' || n, 'CR2700', z.id, now() from zone z, generate_series(1, 4) n where z.name like 'Floor %'`,
  )
  for (const [id, file] of [
    [randomUUID(), 'before.js'],
    [rollout, 'floors.js'],
  ] as const) {
    await stack.sql(`insert into rollout (id, organization_id) select $2, id from organization where public_id = $1`, [northfield, id])
    await stack.sql(`update publication set replaced_at = now(), replaced_readers = 4 where zone_name like 'Floor %'`)
    await stack.sql(
      `insert into publication (id, organization_id, zone_id, zone_name, device_type, revision, content, content_hash, file_name, size, update_time, rollout_id)
       select gen_random_uuid(), z.organization_id, z.id, z.name, 'CR2700', (select count(*) + 1 from publication p where p.zone_id = z.id), 'file', repeat('a', 64),
         $1, 10, '02:00', $2 from zone z where z.name like 'Floor %'`,
      [file, id],
    )
    if (id !== rollout) await settle('-1', id)
  }
  await settle('-1')
})

const settle = (ending: string, of = rollout) =>
  stack.sql(
    `insert into outcome (publication_id, device_id, organization_id, outcome, happened_at)
     select p.id, d.id, d.organization_id, 'applied', now() from publication p join device d on d.zone_id = p.zone_id and d.serial_number like 'Floor-%' || $2
     where p.rollout_id = $1`,
    [of, ending],
  )

async function isAccessible(page: Page): Promise<void> {
  expect(await axeInLooks(page)).toEqual([])
  await turn(page, looks[0])
}

const parts = (page: Page) => page.getByRole('region', { name: 'By zone and model' })
const rows = (page: Page) => page.getByRole('region', { name: 'Progress by zone' }).locator('tbody tr')
const names = async (page: Page) => (await rows(page).locator('[data-part=name]').allTextContents()).map((name) => name.trim())

test('[PUB-15] a rollout to many zones shows them in pages, found by name; its counts and the shown page stay live', async () => {
  const page = await pages.open(`/codedm/rollouts/${rollout}`, manager)
  await page.getByRole('heading', { level: 1, name: 'floors.js' }).waitFor()
  await expect.poll(() => rows(page).count()).toBe(10)
  expect((await names(page)).slice(0, 2)).toEqual(['Floor 01', 'Floor 02'])
  await parts(page).getByText('1–10 of 60 zones').waitFor()
  await page
    .getByRole('region', { name: 'Progress', exact: true })
    .getByText('Waiting counts readers that download or are silent')
    .waitFor()
  expect(await parts(page).getByRole('radio', { name: 'Model' }).count()).toBe(0)
  await isAccessible(page)

  await parts(page).getByRole('button', { name: 'Next page' }).press('Enter')
  await expect.poll(async () => (await names(page))[0]).toBe('Floor 11')
  await rows(page).first().getByRole('button', { name: 'Floor 11' }).press('Enter')
  await rows(page).nth(1).getByText('CR2700').waitFor()
  await settle('-2')
  await page.getByRole('region', { name: 'Progress', exact: true }).getByText('120', { exact: false }).first().waitFor()
  await rows(page).nth(1).getByRole('link', { name: '2 applied, Floor 11, CR2700: show readers' }).click()
  const readers = page.getByRole('region', { name: 'Readers of the rollout' }).locator('tbody tr')
  await expect.poll(() => readers.count()).toBe(2)
  await page.getByRole('combobox', { name: 'Zone' }).getByText('Floor 11').waitFor()
  // The address has both lists, and neither loses the other's parameters.
  expect(new URL(page.url()).searchParams.get('zones-page')).toBe('2')
  await page.reload()
  await rows(page).first().waitFor()
  await expect.poll(async () => (await names(page))[0]).toBe('Floor 11')
  await expect.poll(() => readers.count()).toBe(2)

  const search = parts(page).getByRole('searchbox', { name: 'Search zones' })
  await search.fill('floor 6')
  await expect.poll(() => names(page)).toEqual(['Floor 60'])
  await search.fill('nowhere')
  await parts(page).getByText('No zone matches.').waitFor()
  await isAccessible(page)
  await parts(page).getByRole('button', { name: 'Show all zones' }).click()
  await expect.poll(() => rows(page).count()).toBe(10)
  await expect.poll(() => search.evaluate((element) => element === document.activeElement)).toBe(true)

  await page.getByRole('button', { name: 'Roll back…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Roll back this rollout?' })
  await dialog.getByText('are released').waitFor()
})

test('[PUB-15] a hundred readers that wait are counted; where the safety limit has halted a zone, Halt says how many more it stops', async () => {
  await stack.sql(
    `insert into safety_halt (rollout_id, zone_id, organization_id, above_percent, failed, readers)
     select rollout_id, zone_id, organization_id, 4, 1, 4 from publication where rollout_id = $1 and zone_name = 'Floor 01'`,
    [rollout],
  )
  const page = await pages.open(`/codedm/rollouts/${rollout}?state=waiting`, manager)
  const readers = page.getByRole('region', { name: 'Readers', exact: true })
  await readers.getByText('1–25 of more than 100 readers').waitFor()
  await readers.getByRole('button', { name: 'Next page' }).click()
  await readers.getByText('26–50 of more than 100 readers').waitFor()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Halt rollout' }).click()
  await page
    .getByRole('dialog', { name: 'Halt this rollout?' })
    .getByText(/^1(77|18) readers will wait/)
    .waitFor()
})

test('a page of zones that cannot be read says so, beside what could', async () => {
  // Refused until "Try Again" is pressed, as the page also reads again by itself.
  const page = await pages.open(`/codedm/rollouts/${rollout}`, manager, (fresh) =>
    fresh.route('**/parts?*', async (route) =>
      (await fresh.evaluate(() => document.documentElement.dataset.pressed)) === undefined
        ? route.fulfill({ status: 400, json: { title: 'Refused', detail: 'Not today.' } })
        : route.fallback(),
    ),
  )
  await parts(page).getByText('Error loading the zones').waitFor()
  await page.getByRole('region', { name: 'Progress', exact: true }).getByText('Applied').first().waitFor()
  await page.evaluate(() =>
    document.addEventListener(
      'click',
      () => {
        document.documentElement.dataset.pressed = 'yes'
      },
      { capture: true },
    ),
  )
  await parts(page).getByRole('button', { name: 'Try Again' }).click()
  await expect.poll(() => rows(page).count()).toBe(10)
})

test('[MNY-03] the end of the wizard counts the readers of all zones, and names some of them', async () => {
  const page = await pages.open(`/codedm/config-success?rollout=${rollout}`, manager)
  await expect
    .poll(async () => (await page.locator('main dl > *').allTextContents()).map((text) => text.trim()))
    .toEqual([
      ...['Zones', 'Floor 01, Floor 02, Floor 03 and 57 more'],
      ...['Content', 'floors.js'],
      ...['Models', 'CR2700'],
      ...['Readers', '240'],
      ...['Update time', '02:00, on the clock of each host PC'],
    ])
})

test('[NOW-04] a rollout of many zones is moved from the time at which it would begin, not from tomorrow at two', async () => {
  const [zone] = await stack.sql<{ public_id: string }>(`select public_id from zone where name = 'Floor 05'`)
  await newHost(stack, zone!.public_id, 'UTC')
  await stack.sql(`update publication set update_time = '04:30' where rollout_id = $1`, [rollout])
  const page = await pages.open(`/codedm/rollouts/${rollout}`, manager)
  await page.getByRole('button', { name: 'Start or move…', exact: true }).click()
  await expect.poll(() => page.getByRole('dialog').getByRole('textbox', { name: 'Update time' }).inputValue()).toBe('04:30')
})
