import { randomUUID } from 'node:crypto'
import { updateModels } from '@lectern/contract/devices/device-models.ts'
import { expect, test } from 'vitest'
import { manager, northfield, startStack } from './support/processes/stack.ts'
import { button, fillIn, inspect, makeCfg, newHost, newZone, saveCfg, signedIn } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack } = await stackForFile(startStack())
const open = signedIn(stack, manager, { timezoneId: 'Europe/Berlin' })

/** Adds a host with an agent that knows phases; its readers are named after the zone. */
async function addHost(zone: string, readers: number): Promise<void> {
  await newHost(stack, zone, 'Europe/Berlin')
  await stack.sql(
    `insert into device (organization_id, zone_id, host_id, serial_number, device_type, last_seen_at)
     select z.organization_id, z.id, h.id, z.name || ' ' || n, 'CR2700', now()
     from zone z join host h on h.organization_id = z.organization_id and h.zone_id = z.id, generate_series(1, $2::int) n where z.public_id = $1`,
    [zone, readers],
  )
  await stack.sql('update host set knows_phases = true where zone_id = (select id from zone where public_id = $1)', [zone])
}

async function zonesOfCity(city: string): Promise<{ id: string; name: string }[]> {
  const zones = [await newZone(stack, `${city} A`), await newZone(stack, `${city} B`), await newZone(stack, `${city} C`)]
  for (const { id } of zones) await addHost(id, 4)
  return zones
}

test('[PHA-01 PHA-02] Review shows the defaults in words; others are chosen for this rollout, whose page shows its phases, who is in which, and begins the next', async () => {
  const zone = await newZone(stack, 'Phases')
  await addHost(zone.id, 30)
  const api = await stack.api()
  const params = { organizationId: northfield }
  await api('setPublishingDefaults', { params, body: { haltAbovePercent: 5, stopTime: null, phases: [] } })
  const page = await open()
  await fillIn(page, zone.name, ['CR2700'])
  const safety = page.getByRole('region', { name: 'Safety' })
  await safety.getByText('These are the defaults of your organization.').waitFor()
  await safety.getByText('A zone halts by itself when more than 5% of its readers fail.').waitFor()
  await safety.getByText('All readers may begin together.').waitFor()
  await safety.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add phase' }).click()
  await dialog.getByLabel('Share of readers').fill('100')
  await button(page, 'Use for this rollout').click()
  await dialog.getByText('The share must be at most 99.').waitFor()
  await dialog.getByLabel('Share of readers').fill('40')
  await inspect(page, 'phases')
  await button(page, 'Use for this rollout').click()
  await safety.getByText('Chosen for this rollout.').waitFor()
  await safety
    .getByText(
      '1. 40% of the readers. 1 hour after they are done, the next phase begins if at most 10% are silent; else the whole rollout halts. When more than 2% have failed, it halts at once.',
    )
    .waitFor()
  await button(page, 'Publish').click()
  await page.waitForURL(/\/config-success\?rollout=/)
  const rollout = new URL(page.url()).searchParams.get('rollout')!
  await page.goto(`${new URL(page.url()).origin}/codedm/rollouts/${rollout}`)
  const phases = page.getByRole('list', { name: 'Phases' })
  await phases.getByText('1. 40% of the readers').waitFor()
  // Its update time is tonight.
  await phases.getByText(/^Its readers wait until (today|tomorrow) 02:00/).waitFor()
  expect(await phases.getByText('Its turn').count()).toBe(0)
  await inspect(page, 'phases of a rollout')
  const { phases: counted } = (await api('getRollout', { params: { ...params, id: rollout } })) as { phases: { readers: number }[] }
  expect(counted.map(({ readers }) => readers).reduce((sum, readers) => sum + readers)).toBe(30)
  await phases.getByRole('link', { name: /readers? of phase 1$/ }).click()
  const readers = page.getByRole('region', { name: 'Readers', exact: true })
  await readers.getByText(new RegExp(`of ${counted[0]!.readers} readers`)).waitFor()
  await page.getByRole('combobox', { name: 'Phase' }).getByText('Phase 1').waitFor()
  await page.getByRole('button', { name: 'Begin phase 2…' }).click()
  await page.getByRole('dialog').getByText('Phase 1 has not passed its gate').waitFor()
  await button(page, 'Begin').click()
  await phases.getByText('Passed').waitFor()
})

test('[PHA-01] chosen zones begin first: picked among those of the publish, refused with a sentence where they cannot be, and said wherever the rollout is', async () => {
  const zones = await zonesOfCity('Bonn')
  const page = await open()
  await button(page, 'Choose several zones').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox', { name: 'Search zones' }).fill('bonn')
  await dialog.getByText('3 zones match').waitFor()
  await button(page, 'Choose all that match').click()
  await button(page, 'Use 3 zones').click()
  await page.getByRole('checkbox', { name: 'CR2700' }).check()
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', makeCfg('zones first'))
  const safety = page.getByRole('region', { name: 'Safety' })
  await safety.getByRole('button', { name: 'Change…' }).click()
  await dialog.getByRole('button', { name: 'Add phase' }).click()
  const who = dialog.getByRole('combobox', { name: 'Who begins' })
  const [one, other] = [(await who.boundingBox())!, (await dialog.getByLabel('Share of readers').boundingBox())!]
  expect(one.x + one.width, 'they lie beside each other').toBeLessThan(other.x)
  await who.click()
  await page.getByRole('option', { name: 'Chosen zones' }).click()
  await button(page, 'Use for this rollout').click()
  await dialog.getByText('Choose a zone.').waitFor()

  const choose = dialog.getByRole('button', { name: 'Choose zones of phase 1' })
  const picker = page.getByRole('dialog', { name: 'Zones of phase 1' })
  await choose.press('Enter')
  await picker.getByText('3 zones', { exact: true }).waitFor()
  await button(page, 'Choose all').click()
  await picker.getByText('3 zones, 12 readers: CR2700 12').waitFor()
  await button(page, 'Use 3 zones').click()
  await dialog.getByText('3 chosen zones').waitFor()
  await expect.poll(() => choose.evaluate((element) => element === document.activeElement)).toBe(true)
  await button(page, 'Use for this rollout').click()
  await dialog.getByText('All zones are in phases, so no reader is left for the last phase. Leave a zone out.').waitFor()
  await choose.click()
  await picker.getByRole('checkbox', { name: zones[1]!.name }).uncheck()
  await picker.getByRole('checkbox', { name: zones[2]!.name }).uncheck()
  await button(page, 'Use 1 zone').click()
  await dialog.getByText(`1 chosen zone: ${zones[0]!.name}, 4 readers`).waitFor()
  await inspect(page, 'phases of zones')
  await button(page, 'Use for this rollout').click()
  await safety.getByText(`1. 1 chosen zone: ${zones[0]!.name}, 4 readers. 1 hour after they are done`).waitFor()

  await button(page, 'Publish').click()
  await page.waitForURL(/\/config-success\?rollout=/)
  const rollout = new URL(page.url()).searchParams.get('rollout')!
  await page.goto(`${new URL(page.url()).origin}/codedm/rollouts/${rollout}`)
  await page.getByRole('list', { name: 'Phases' }).getByText(`1. 1 chosen zone: ${zones[0]!.name}`).waitFor()
  const row = (zone: { name: string }) => page.getByRole('row', { name: zone.name })
  for (const zone of zones.slice(1)) await row(zone).getByText('Waiting for phase 2').waitFor()
  expect(
    await row(zones[0]!)
      .getByText(/for phase/)
      .count(),
  ).toBe(0)
  await inspect(page, 'zones that wait for their phase')
})

test('[PHA-01] in a rollout to many zones readers whose turn it is wait for the time of their zone, and begin at once where it is now', async () => {
  const zones = await zonesOfCity('Ulm')
  const api = await stack.api()
  const params = { organizationId: northfield }
  const key = randomUUID()
  const content = { kind: 'cfg' as const, text: makeCfg('by night') }
  await api('publishToZones', {
    params,
    body: {
      key,
      zones: { ids: zones.map(({ id }) => id) },
      parts: updateModels.map((model) => ({ model, content })),
      when: { updateTime: '02:00' },
      phases: [{ share: 25, soakMinutes: 60, gate: 'by hand' }],
    },
  })
  const page = await open()
  await page.goto(`${new URL(page.url()).origin}/codedm/rollouts/${key}`)
  const phases = page.getByRole('list', { name: 'Phases' })
  await phases.getByText(/^Its readers wait until (today|tomorrow) 02:00, in [\dhmin ]+\./).waitFor()
  await inspect(page, 'phases of a large rollout')
  await button(page, 'Start or move…').click()
  await page.getByRole('dialog').getByRole('radio', { name: 'Now' }).check()
  await button(page, 'Save').click()
  await phases.getByText(/^Its turn came/).waitFor()
})
