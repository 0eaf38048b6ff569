import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { measureLayout } from './support/layout/in-page.ts'
import { northfield, startStack } from './support/processes/stack.ts'
import { fillIn, newHost, newZone } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startStack())
const params = { organizationId: northfield }
/** Seven zones with four readers each. The first rollout was replaced; the gate of the second has halted it. */
const zones: { id: string; name: string }[] = []
const rollouts = { replaced: randomUUID(), halted: randomUUID() }

beforeAll(async () => {
  const api = await stack.api()
  for (const name of ['Boise', 'Bonn', 'Denver', 'Essen', 'Reno', 'Ulm', 'Receiving dock of the long way round']) {
    const zone = await newZone(stack, name)
    await newHost(stack, zone.id, 'America/Denver')
    await stack.sql(
      `insert into device (organization_id, zone_id, host_id, serial_number, device_type, last_seen_at)
       select z.organization_id, z.id, h.id, '77' || substr(md5(z.name), 1, 6) || n, 'CR2700', now()
       from zone z join host h on h.organization_id = z.organization_id and h.zone_id = z.id, generate_series(1, 4) n where z.public_id = $1`,
      [zone.id],
    )
    zones.push(zone)
  }
  await stack.sql('update host set knows_phases = true')
  const ids = zones.map(({ id }) => id)
  await api('tagZones', { params, body: { zones: ids, add: ['Clinic', 'Mountain', 'West'], remove: [] } })
  const gate = { maxFailedPercent: 5, maxSilentPercent: 50 }
  for (const key of [rollouts.replaced, rollouts.halted]) {
    const parts = [{ model: 'CR2700' as const, content: { kind: 'cfg' as const, text: `<cfg>${key}</cfg>` } }]
    const phases = [{ share: 40, soakMinutes: 0, gate }]
    await api('publishToZones', { params, body: { key, zones: { ids }, parts, when: { now: true }, phases } })
    await stack.sql(
      `insert into outcome (organization_id, publication_id, device_id, outcome, happened_at)
       select p.organization_id, p.id, d.id, 'applied', now() from publication p
       join device d on d.organization_id = p.organization_id and d.zone_id = p.zone_id and d.device_type = p.device_type
       where p.rollout_id = $1 and right(d.serial_number, 1) = '1'`,
      [key],
    )
  }
  await stack.sql(
    `update rollout_phase set halted_at = now(), halted_by = 'failed', halted_count = 3, halted_readers = 9 where rollout_id = $1 and number = 1`,
    [rollouts.halted],
  )
})

async function openAt(path: string, width: number, height = 900): Promise<Page> {
  const page = await pages.open(path)
  await page.setViewportSize({ width, height })
  return page
}

const isClose = (page: Page) =>
  page.evaluate(measureLayout).then(({ flaws }) => flaws.filter(({ kind }) => kind === 'close to its row').map(({ texts }) => texts))

test('[SEE-07] a cell of several lines keeps the padding of its row in rollouts, zones, devices and a dry run, at every width', async () => {
  const lists: [path: string, selector: string][] = [
    ['/codedm/rollouts', 'tbody tr'],
    [`/codedm/rollouts/${rollouts.halted}`, '#readers tbody tr'],
    ['/codedm/zones', 'tbody tr'],
    ['/codedm/device-dashboard?search=77', 'tbody tr'],
  ]
  for (const [path, selector] of lists) {
    const page = await openAt(path, 1440)
    await page.locator(selector).nth(1).waitFor()
    for (const width of [660, 834, 1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await isClose(page), `${path} at ${width}`).toEqual([])
    }
  }
  const wizard = await openAt('/codedm/apply-config', 1440)
  await fillIn(wizard, zones[0]!.name, ['CR2700'])
  await wizard.getByRole('region', { name: 'Dry run' }).locator('tbody tr').first().waitFor()
  for (const width of [660, 834, 1440]) {
    await wizard.setViewportSize({ width, height: 900 })
    expect(await isClose(wizard), `the dry run at ${width}`).toEqual([])
  }
})

test('[SEE-07] a reason that all zones of a rollout share is shown once above them', async () => {
  const page = await openAt(`/codedm/rollouts/${rollouts.halted}`, 1440)
  const byZone = page.getByRole('region', { name: 'Progress by zone' })
  await byZone.getByText(/^Halted: by the gate of its phase, .*\.$/).waitFor()
  expect(await byZone.getByText('by the gate of its phase').count()).toBe(1)
  expect(await byZone.locator('tbody tr').getByText('Halted', { exact: true }).count()).toBe(7)
  await byZone.getByRole('button', { name: zones[0]!.name }).click()
  expect(await byZone.getByText('by the gate of its phase').count()).toBe(1)
})

test('[SEE-01 SEE-02] list and page of what was replaced or halted say what share was applied, and with which figures the gate halted it', async () => {
  const list = await openAt('/codedm/rollouts', 1440)
  await list.getByText('Replaced, 7 of 28 applied', { exact: true }).waitFor()
  const page = await openAt(`/codedm/rollouts/${rollouts.replaced}`, 1440)
  await page.locator('.page-head-trail').getByText('Replaced, 7 of 28 applied', { exact: true }).waitFor()
  await page.getByRole('list', { name: 'Phases' }).getByText('Ended by a newer rollout').nth(1).waitFor()
  const halted = await openAt(`/codedm/rollouts/${rollouts.halted}`, 1440)
  await halted.getByText('The rollout was halted, as 3 of 9 readers failed.').waitFor()
  await halted.getByText(/^now \d applied, 0 failed$/).waitFor()
})

test('[SEE-09] on a phone each section of a rollout of 28 readers is at most three screens high', async () => {
  const page = await openAt(`/codedm/rollouts/${rollouts.halted}`, 390, 844)
  const readers = page.getByRole('region', { name: 'Readers', exact: true })
  await expect.poll(() => readers.locator('.record').count()).toBe(25)
  const heights = await page.locator('main section').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThanOrEqual(3 * 844)
  // What a reader is, and what became of it, is there.
  await readers.locator('.record').first().getByText(`${zones[0]!.name}, CR2700`).waitFor()
  await readers.locator('.record').first().getByText('Applied', { exact: true }).waitFor()
})
