import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { isWhole } from './support/layout/is-whole.ts'
import { manager, northfield, startLoneStack } from './support/processes/stack.ts'
import { button, fillIn, makeCfg, newHost, newZone, signedIn } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack } = await stackForFile(startLoneStack())
const open = signedIn(stack)
const api = await stack.api(manager)
const params = { organizationId: northfield }

async function servedZone(name: string) {
  const zone = await newZone(stack, name)
  await newHost(stack, zone.id, 'UTC')
  await stack.sql(
    `insert into device (organization_id, serial_number, device_type, zone_id, host_id, last_seen_at)
     select z.organization_id, 'N-' || z.id, 'CR2700', z.id, h.id, now() from zone z join host h on h.zone_id = z.id where z.public_id = $1`,
    [zone.id],
  )
  return zone
}

test('[SEE-05] a rollout is named on Review; the name stands on the success page, on its page and in the list, where it is found', async () => {
  const zone = await servedZone('Named Ward')
  const page = await fillIn(await open(), zone.name, ['CR2700'])
  await button(page, 'Name it…').click()
  const asked = page.getByRole('dialog', { name: 'Name of this rollout' })
  const name = asked.getByRole('textbox', { name: 'Name of the rollout' })
  await name.fill('Clinic\u200b go-live')
  await button(page, 'Save').click()
  await asked.getByText('Name of the rollout must not have characters that cannot be seen.').waitFor()
  await name.fill('  Clinic go-live ')
  await button(page, 'Save').click()
  await page.getByText('Named Clinic go-live', { exact: true }).waitFor()
  await isWhole(page, 'review')
  await button(page, 'Publish').click()
  await page.waitForURL('**/codedm/config-success?*')
  await page.getByText('Clinic go-live', { exact: true }).waitFor()
  await isWhole(page, 'success')
  await page.getByRole('link', { name: 'Watch the rollout' }).click()
  await page.getByRole('heading', { level: 1, name: 'Clinic go-live', exact: true }).waitFor()

  await button(page, 'Rename…').click()
  await asked.getByRole('textbox', { name: 'Name of the rollout' }).fill('Clinic second wave')
  await isWhole(page, 'name dialog')
  await button(page, 'Save').click()
  await page.getByRole('heading', { level: 1, name: 'Clinic second wave', exact: true }).waitFor()
  expect(await page.title()).toBe('Clinic second wave · Lectern')
  await isWhole(page, 'page')

  await page.goto(`${stack.url}/codedm/rollouts?q=${encodeURIComponent('second wave')}`)
  const row = page.getByRole('row').filter({ hasText: 'Clinic second wave' })
  expect(await row.getByRole('cell').first().textContent()).toMatch(/^Clinic second waveCFG [0-9a-f]{8}\s*$/)
})

test('[SEE-05] the words of a choice of zones stand in the list, on the page, on the success page, in the calendar and in the audit log', async () => {
  const zones = [await servedZone('Boise Clinic'), await servedZone('Boise Laboratory'), await servedZone('Ada Clinic')]
  const ids = zones.map(({ id }) => id)
  await api('tagZones', { params, body: { zones: ids, add: ['Clinic'] } })
  const key = randomUUID()
  const parts = [{ model: 'CR2700', content: { kind: 'cfg', text: makeCfg('words'), fileName: 'Wristband' } }] as const
  const updateTime = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(11, 16)
  await api('publishToZones', {
    params,
    body: { key, name: 'Go-live', zones: { filter: { tags: ['Clinic'] } }, parts: [...parts], when: { updateTime } },
  })
  const words = '3 zones tagged Clinic'
  const page = await open('/codedm/rollouts')
  await page.getByRole('row').filter({ hasText: 'Go-live' }).getByText(words, { exact: true }).waitFor()
  await isWhole(page, 'list')
  await page.getByRole('link', { name: /^Go-live/ }).click()
  await page.getByText(`Wristband in ${words}. Published by`).waitFor()
  await isWhole(page, 'page of many')
  await page.goto(`${stack.url}/codedm/config-success?rollout=${key}`)
  await page.getByText(words, { exact: true }).waitFor()
  await page.goto(`${stack.url}/codedm/calendar`)
  const run = page.getByRole('list', { name: 'Days' }).getByRole('listitem').filter({ hasText: 'Go-live' }).last()
  await run.getByText(words, { exact: true }).waitFor()
  await isWhole(page, 'calendar')
  await page.goto(`${stack.url}/codedm/audit-log`)
  await page.getByText(`set the configuration of CR2700 in ${words} to Wristband, called Go-live`).waitFor()
  await isWhole(page, 'audit log')
  await page.goto(`${stack.url}/codedm`)
  await page.getByText(`Go-live, Wristband in ${words}.`).waitFor()
})
