import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isWhole } from './support/layout/is-whole.ts'
import { manager, northfield, startStack } from './support/processes/stack.ts'
import { button, fillIn, newHost, newZone, signedIn } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack } = await stackForFile(startStack({ env: { LARGE_PUBLISH_READERS: '4' } }))
const open = signedIn(stack)
const api = await stack.api(manager)

/** With so many readers of the model, and one of another. */
async function zoneOf(name: string, readers: number) {
  const zone = await newZone(stack, name)
  await newHost(stack, zone.id, 'UTC')
  await stack.sql(
    `insert into device (organization_id, serial_number, device_type, zone_id, host_id, last_seen_at)
     select z.organization_id, z.id || '-' || n, case when n = 0 then 'CR1500' else 'CR2700' end::device_model, z.id, h.id, now()
     from zone z join host h on h.zone_id = z.id cross join generate_series(0, $2::int) n where z.public_id = $1`,
    [zone.id, readers],
  )
  return zone
}

const publishedPhases = async (page: Page) => {
  await page.waitForURL('**/codedm/config-success?*')
  const id = new URL(page.url()).searchParams.get('rollout')!
  const { phases } = await api('getRollout', { params: { organizationId: northfield, id } })
  return phases.map(({ share, soakMinutes, gate }) => [share, soakMinutes, gate])
}

const gate = { maxFailedPercent: 2, maxSilentPercent: 10 }
const proposed = [
  [1, 60, gate],
  [10, 60, gate],
  [undefined, 0, undefined],
]
const phases = (page: Page) => page.getByRole('list', { name: 'Phases' })
const question = (page: Page) => page.getByRole('dialog', { name: 'Publish without phases?' })

test('[SEE-03] above the size of the server Review proposes phases with a gate, which one press accepts', async () => {
  const zone = await zoneOf('Large Ward', 5)
  const page = await fillIn(await open(), zone.name, ['CR2700'])
  const safety = page.getByRole('region', { name: 'Safety and phases' })
  await safety.getByText(`5 readers in ${zone.name} would begin together.`).waitFor()
  await isWhole(page, 'large review')
  await button(page, 'Publish in these phases').click()
  await phases(page).getByText('1. 1% of the readers').waitFor()
  await phases(page).getByText('2. 10% of the readers').waitFor()
  await phases(page).getByText('3. All other readers.').waitFor()
  expect(await safety.getByText('would begin together').count()).toBe(0)
  await button(page, 'Publish').click()
  expect(await publishedPhases(page)).toEqual(proposed)
})

test('[SEE-03] declined, it asks once with zones and readers; going back publishes nothing; below the size nothing is asked', async () => {
  const zone = await zoneOf('Great Ward', 5)
  const page = await fillIn(await open(), zone.name, ['CR2700'])
  await page.getByText('would begin together').waitFor()
  await button(page, 'Publish').click()
  await question(page).getByText(`5 readers in ${zone.name}`, { exact: true }).waitFor()
  await isWhole(page, 'large question')
  await button(page, 'Go back').click()
  await question(page).waitFor({ state: 'detached' })
  const published = () => stack.sql('select from publication p join zone z on z.id = p.zone_id where z.public_id = $1', [zone.id])
  expect(await published()).toEqual([])

  // After one answer it is not asked again, although the first attempt failed.
  let isDown = true
  await page.route('**/configuration/cfg', (route) =>
    isDown ? route.fulfill({ status: 503, json: { title: 'Busy', status: 503 } }) : route.fallback(),
  )
  await button(page, 'Publish').click()
  await button(page, 'Publish anyway').click()
  await page.getByText('could not be published').first().waitFor()
  isDown = false
  await button(page, 'Publish').click()
  expect(await publishedPhases(page)).toEqual([])

  const again = await fillIn(await open(), zone.name, ['CR2700'])
  await button(again, 'Publish').click()
  await button(again, 'Use phases').click()
  expect(await publishedPhases(again)).toEqual(proposed)

  const small = await zoneOf('Small Ward', 4)
  const other = await fillIn(await open(), small.name, ['CR2700'])
  await other.getByText('All readers may begin together.').waitFor()
  expect(await other.getByText('would begin together').count()).toBe(0)
  await button(other, 'Publish').click()
  expect(await publishedPhases(other)).toEqual([])
})
