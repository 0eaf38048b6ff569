import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { downloadedSheet } from './support/downloaded.ts'
import { manager, member, northfield, startStack } from './support/processes/stack.ts'
import { fillIn, makeCfg, newHost, newZone } from './support/screens/publish-wizard.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startStack())
const params = { organizationId: northfield }

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

/** A zone with a host PC and so many readers, whose serial numbers begin with `serial`. */
async function makeZone(name: string, serial: string, readers: number) {
  const zone = await newZone(stack, name)
  await newHost(stack, zone.id, 'Europe/Berlin')
  await stack.sql(
    `insert into device (organization_id, serial_number, device_type, zone_id, host_id, last_seen_at)
     select z.organization_id, $2 || n, 'CR2700', z.id, (select id from host h where h.organization_id = z.organization_id and h.zone_id = z.id), now()
     from zone z, generate_series(1, $3::int) n where z.public_id = $1`,
    [zone.id, serial, readers],
  )
  return zone
}

const [north, south, other] = [
  await makeZone('North', 'NORTH', 3),
  await makeZone('South', 'SOUTH', 2),
  await makeZone('Other', 'OTHER', 4),
]
const api = await stack.api(manager)
const publish = (location: string, rollout: string) =>
  api('publishCfg', { params: { ...params, location, device: 'CR2700' }, body: { cfg: makeCfg('a'), when: 'now', rollout } })
const [common, foreign] = [crypto.randomUUID(), crypto.randomUUID()]
for (const zone of [north, other]) await publish(zone.id, common)
await publish(other.id, foreign)

/** Five hundred more, as a large organization has them. */
const addZones = () =>
  stack.sql(
    `insert into zone (public_id, organization_id, name)
     select gen_random_uuid(), id, 'Room ' || n from organization, generate_series(1, 500) n where public_id = $1`,
    [northfield],
  )

const tagZones = (zones: readonly { id: string }[], add: string) =>
  api('tagZones', { params, body: { zones: zones.map(({ id }) => id), add: [add] } })

/** Limited to North, and to the tag of South. */
async function makeRole(): Promise<string> {
  await tagZones([south], 'Ulm')
  const permissions = ['manage:cfg', 'manage:firmware', 'access:audit_log'] as const
  const body = { name: `Operator of two zones ${crypto.randomUUID()}`, permissions: [...permissions], zones: [north.id], tags: ['Ulm'] }
  const { roleId } = await api('createRole', { params, body })
  const { memberList } = await api('listMembers', { params, query: { textFilter: member } })
  await api('changeMemberRole', { params: { ...params, memberId: memberList[0]!.memberId }, body: { roleId } })
  return roleId
}

test('[PPL-04] a role is limited to zones that are looked for among five hundred, and to tags, and the list says to which', async () => {
  await addZones()
  await tagZones([south, other], 'Other wards')
  const page = await pages.open('/people/roles')
  await button(page, 'Add a role').click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Two wards')
  await dialog(page).getByRole('checkbox', { name: 'Manage people' }).check()
  await dialog(page).getByRole('checkbox', { name: 'Publish configurations' }).check()
  await dialog(page).getByRole('radio', { name: 'Only the zones that you choose' }).check()
  await dialog(page).getByText('515 zones', { exact: true }).waitFor()
  // By the label: a role is looked for among all five hundred.
  const search = dialog(page).getByLabel('Search zones', { exact: true })
  await search.fill('no such zone')
  await dialog(page).getByText('No zone matches “no such zone”.').waitFor()
  expect(await dialog(page).getByRole('checkbox', { name: 'Manage people' }).isChecked()).toBe(false)
  expect(await dialog(page).getByRole('checkbox', { name: 'Manage people' }).isDisabled()).toBe(true)
  await button(page, 'Add role').click()
  await dialog(page).getByText('Choose at least one zone or tag.').waitFor()
  for (const { name } of [north, south]) {
    await search.fill(name.toLowerCase())
    await dialog(page).getByRole('checkbox', { name }).press('Space')
  }
  await dialog(page).getByText('2 zones, 5 readers: CR2700 5', { exact: true }).waitFor()
  await search.fill('room 12')
  await dialog(page).getByText('11 zones match').waitFor()
  await button(page, 'Choose all that match').waitFor()
  await search.fill('OTHER')
  await dialog(page)
    .getByRole('checkbox', { name: /^Other wards 2$/ })
    .press('Space')
  await dialog(page).getByText('3 zones, 9 readers: CR2700 9', { exact: true }).waitFor()
  // It goes with its tag alone.
  const covered = dialog(page).getByRole('checkbox', { name: `${other.name} Other wards`, exact: true, checked: true, disabled: true })
  await covered.press('Space')
  await dialog(page).getByText('3 zones, 9 readers: CR2700 9', { exact: true }).waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await button(page, 'Add role').click()
  await page.getByText('Role added').first().waitFor()
  const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Two wards' }) })
  await item.getByText('Limited to 3 zones').waitFor()
  await item.getByText(`${north.name} and ${south.name}`).waitFor()
  await item.getByText('and those tagged Other wards').waitFor()
  await api('tagZones', { params, body: { zones: [south.id, other.id], remove: ['Other wards'] } })

  await button(page, 'Edit the role Two wards').click()
  await dialog(page).getByText('2 zones, 5 readers: CR2700 5', { exact: true }).waitFor()
  // One that no zone has any more stays chosen.
  expect(await dialog(page).getByLabel('Other wards 0').isChecked()).toBe(true)
  // What is chosen comes first.
  const listed = dialog(page).getByRole('list', { name: 'Zones', exact: true }).getByRole('checkbox')
  await expect
    .poll(() => listed.evaluateAll((boxes) => boxes.slice(0, 3).map((box) => box.closest('label')?.textContent)))
    .toEqual([north.name, south.name, 'ED Triage'])
  await dialog(page).getByRole('radio', { name: 'All zones, and the organization as a whole' }).check()
  await button(page, 'Save').click()
  await page.getByText('Role saved').first().waitFor()
  await item.getByText('Limited to', { exact: false }).waitFor({ state: 'detached' })
})

test('[PPL-04] an Operator of two zones publishes there, and sees nothing else in any list, count, export or stream', async () => {
  const roleId = await makeRole()
  const page = await pages.open('/codedm/zones', member)
  let asked = 0
  const heard: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/users/current') && asked++))
  page.on('response', async (response) => {
    if (/\/api\/codedm\//.test(response.url()) && !response.url().endsWith('/events')) heard.push(await response.text().catch(() => ''))
  })
  await page.getByText('2 zones, showing 2').waitFor()
  expect(await page.getByText(other.name).count()).toBe(0)
  expect(await page.getByRole('textbox', { name: 'Create a zone' }).count()).toBe(0)
  await button(page, `Edit note and tags of ${north.name}`).click()
  await dialog(page).getByText('Roles are limited to Ulm: they see every zone that has such a tag.').waitFor()
  await dialog(page).getByRole('textbox', { name: 'Tags' }).fill('Ulm')
  await button(page, 'Save').click()
  await dialog(page).getByText('Roles are limited to the tag "Ulm". Giving or taking it needs the permission “Manage people”.').waitFor()
  await button(page, 'Cancel').click()
  const banner = page.getByRole('banner')
  await banner.getByText('5 readers', { exact: false }).first().waitFor()
  expect(await banner.getByRole('link', { name: 'Data' }).count()).toBe(0)

  await showInApp(page, '/codedm/device-dashboard')
  await page.getByRole('row').filter({ hasText: 'SOUTH2' }).waitFor()
  expect(
    await page
      .getByRole('row')
      .filter({ has: page.getByRole('cell') })
      .count(),
  ).toBe(5)
  await button(page, 'Export to Excel').click()
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()])
  const serials = (await downloadedSheet(download)).match(/(NORTH|SOUTH|OTHER)\d/g)
  expect([...new Set(serials)].sort()).toEqual(['NORTH1', 'NORTH2', 'NORTH3', 'SOUTH1', 'SOUTH2'])

  await showInApp(page, '/codedm/rollouts')
  const line = page.getByRole('row').filter({ has: page.getByRole('cell') })
  await line.getByText('0 of 3').waitFor()
  expect(await line.count()).toBe(1)
  await line.getByText('Part', { exact: true }).waitFor()
  await line.getByRole('link').click()
  await page.getByText('It has more zones, which you do not see and do not change.').waitFor()
  expect(await button(page, 'Change…').count()).toBe(0)
  await stack.sql(
    `insert into outcome (publication_id, device_id, organization_id, outcome, happened_at)
     select p.id, d.id, p.organization_id, 'applied', now() from publication p join device d on d.organization_id = p.organization_id and d.zone_id = p.zone_id
     where p.rollout_id = $1`,
    [common],
  )
  await page.getByText('NORTH1').first().waitFor()
  expect(await page.getByText('OTHER1').count()).toBe(0)

  await showInApp(page, '/codedm/apply-config')
  await page.getByRole('combobox', { name: 'Zone' }).click()
  expect((await page.getByRole('option').allTextContents()).filter((name) => !name.startsWith('Select'))).toEqual([north.name, south.name])
  await page.keyboard.press('Escape')
  await fillIn(page, south.name, ['CR2700'])
  await button(page, 'Publish').click()
  await page.getByText('Success! Your Configuration has published.').waitFor()

  await showInApp(page, '/codedm/audit-log')
  await page.getByText(south.name).first().waitFor()
  expect(await page.getByText(other.name).count()).toBe(0)
  await showInApp(page, '/data')
  await page.getByRole('heading', { name: 'Not for your role' }).waitFor()
  expect(heard.join(' ')).not.toContain(other.name)
  expect(heard.join(' ')).not.toMatch(/OTHER\d/)
  expect(heard.length).toBeGreaterThan(10)
  expect(asked).toBeLessThanOrEqual(1)

  const { roleList } = await api('listRoles', { params })
  expect(roleList.find((role) => role.roleId === roleId)).toMatchObject({ zones: [{ name: north.name }], tags: ['Ulm'], zoneCount: 2 })
})
