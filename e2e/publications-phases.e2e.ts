import { expect, test } from 'vitest'
import { manager, northfield, startStack } from './support/processes/stack.ts'
import { button, fillIn, inspect, newHost, newZone, signedIn } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack } = await stackForFile(startStack())
const open = signedIn(stack, manager, { timezoneId: 'Europe/Berlin' })

test('[PHA-01 PHA-02] Review shows the defaults in words; others are chosen for this rollout, whose page shows its phases, who is in which, and begins the next', async () => {
  const zone = await newZone(stack, 'Phases')
  await newHost(stack, zone.id, 'Europe/Berlin')
  await stack.sql(
    `insert into device (organization_id, zone_id, host_id, serial_number, device_type, last_seen_at)
     select z.organization_id, z.id, h.id, 'PHASE-' || n, 'CR2700', now()
     from zone z join host h on h.organization_id = z.organization_id and h.zone_id = z.id, generate_series(1, 30) n where z.public_id = $1`,
    [zone.id],
  )
  await stack.sql('update host set knows_phases = true where zone_id = (select id from zone where public_id = $1)', [zone.id])
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
      '1. 40% of the readers. 1 hour after they are done, the next phase begins if at most 10% are offline. When more than 2% have failed, the whole rollout halts at once.',
    )
    .waitFor()
  await button(page, 'Publish').click()
  await page.waitForURL(/\/config-success\?rollout=/)
  const rollout = new URL(page.url()).searchParams.get('rollout')!
  await page.goto(`${new URL(page.url()).origin}/codedm/rollouts/${rollout}`)
  const phases = page.getByRole('list', { name: 'Phases' })
  await phases.getByText('1. 40% of the readers').waitFor()
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
