import { createHash, randomUUID } from 'node:crypto'
import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { enrollHostPc, type HostPc } from './support/processes/agent-process.ts'
import { licence, northfield, startStack } from './support/processes/stack.ts'
import { readerEvents } from './support/reader-logs.ts'
import { box, chooser, format, generate } from './support/screens/builder-screen.ts'
import { button, newZone } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { until } from './support/until.ts'

const params = { organizationId: northfield }
const device = 'CR2700'
const first = ['CFR', 'SYAZTCSEN0']
const second = ['CFR', 'SYAZTCSEN1']
const hash = (commands: readonly string[]) =>
  createHash('sha256')
    .update(`${commands.join('\n')}\n`)
    .digest('hex')
const refusal = 'The reader does not leave its locked mode.'
/**
 * 40 simulated readers in all: so many per zone that each has some in the first phase and all have some later, whatever the rollout's id.
 */
const perZone = 14

const { stack, pages } = await stackForFile(startStack())
const api = await stack.api()
const hosts: HostPc[] = []
afterAll(() => Promise.all(hosts.map((host) => host.remove())))

async function servedZone(name: string, seed: string) {
  const zone = await newZone(stack, name)
  const run = ['--readers', '40', '--seed', seed, '--apply-ms', '0', '--poll', '1', '--check-in', '1']
  const host = await enrollHostPc({ server: stack.url, zoneId: zone.id, licence, name: `NRH-${seed}` }, run)
  hosts.push(host)
  host.start()
  return { ...zone, host }
}

/** How many readers of the zones report a version of Golden, by its name. */
async function running(zones: readonly { id: string }[]): Promise<Record<string, number>> {
  const rows = await stack.sql<{ name: string; n: number }>(
    `select c.label as name, count(*)::int as n
     from device d join zone z on z.id = d.zone_id and z.organization_id = d.organization_id
       join reported_configuration c on c.organization_id = d.organization_id and c.id = d.configuration_id
     where z.public_id = any($1::uuid[]) and d.device_type = $2 and c.label like 'Golden%' group by 1`,
    [zones.map(({ id }) => id), device],
  )
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}

/** What runs before: version 1, in each of the zones. */
async function publishFirst(ids: readonly string[]): Promise<void> {
  const content = { kind: 'commands' as const, commands: first }
  const { id } = await api('createLibraryEntry', { params, body: { name: 'Golden', device, content } })
  const parts = [{ model: device, content: { kind: 'saved' as const, configurationId: id, version: 1 } }] as const
  await api('publishToZones', { params, body: { key: randomUUID(), zones: { ids: [...ids] }, parts: [...parts], when: { now: true } } })
}

async function buildAndSave(page: Page): Promise<void> {
  await page.goto(`${stack.url}${chooser}/${device}?show=aztec`)
  await format(page).waitFor()
  await box(page, 'Aztec').click()
  await box(page, 'Reset (CFR) First').check()
  await generate(page).click()
  await page.getByText('Reads back exactly').waitFor()
  await button(page, 'Save').click()
  const dialog = page.getByRole('dialog', { name: 'Save configuration' })
  await dialog.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Version 2 of Golden' }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Version 2 saved').first().waitFor()
  await button(page, 'Open the library').first().click()
}

async function fillWizard(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Publish to zones' }).click()
  await page.getByRole('region', { name: 'This update' }).getByText('Golden, version 2').waitFor()
  await button(page, 'Choose several zones').click()
  const picker = page.getByRole('dialog', { name: 'Choose zones' })
  await picker.getByRole('checkbox', { name: /^Stores/ }).check()
  await button(page, 'Use 2 zones').click()
  await page.getByRole('radio', { name: 'Now' }).click()
  await button(page, 'Next').click()
  await page.getByRole('combobox', { name: 'Version' }).getByText('Version 2').waitFor()
  const { x: edge } = (await page.locator('.config-type').boundingBox())!
  expect((await page.getByRole('combobox', { name: 'Version' }).boundingBox())!.x).toBeGreaterThan(edge + 8)
  await button(page, 'Next').click()
  const safety = page.getByRole('region', { name: 'Safety and phases' })
  await safety.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add phase' }).click()
  await dialog.getByLabel('Share of readers').fill('60')
  await button(page, 'Use for this rollout').click()
  await safety.getByText(/^1\. 60% of the readers\./).waitFor()
}

test('[NAM-02 MNY-01 PHA-01 PHA-02] built, saved as a version, published to the zones of a tag in phases, halted by its gate, looked into, rolled back', async () => {
  const [well, locked, other] = await Promise.all([servedZone('Aalen', '21'), servedZone('Balve', '22'), newZone(stack, 'Calw')])
  const zones = [well, locked]
  await publishFirst(zones.map(({ id }) => id))
  await api('tagZones', { params, body: { zones: zones.map(({ id }) => id), add: ['Stores'] } })
  await until('version 1', well.host, async () => (await running(zones))['Golden, version 1'] === 2 * perZone)
  await locked.host.end('SIGTERM')

  const page = await pages.open('/codedm')
  await buildAndSave(page)
  await fillWizard(page)
  const all = page.getByRole('region', { name: 'Dry run' }).getByRole('row').filter({ hasText: 'All 2 zones' })
  await all.waitFor()
  expect((await all.getByRole('cell').allTextContents()).slice(2)).toEqual([String(2 * perZone), '0', '0', '0', String(2 * perZone)])
  await button(page, 'Publish').click()
  await page.waitForURL(/\/config-success\?rollout=/)
  const rollout = new URL(page.url()).searchParams.get('rollout')!
  await page.getByText('Golden, version 2', { exact: true }).waitFor()
  await page.getByText(/^Only the readers of phase 1 begin then\./).waitFor()
  await page.getByRole('link', { name: 'Watch the rollout' }).click()
  await page.getByRole('heading', { level: 1, name: 'Golden, version 2' }).waitFor()
  const phases = page.getByRole('list', { name: 'Phases' })
  const inFirst = ({ host }: typeof well) => {
    const serials = new Set(readerEvents(host.state).map(({ serialNumber }) => serialNumber))
    return [...serials].filter((serial) => serial.startsWith('27P') && readerPosition(rollout, serial) < 6_000).sort()
  }
  const applied = inFirst(well)
  await phases.getByText(`${applied.length} applied`).waitFor()

  locked.host.start('--fail-share', '1')
  await phases.getByText('Halted by its gate').waitFor()
  await phases.getByText(/^The rollout was halted, as \d of \d+ readers failed\./).waitFor()
  await button(page, 'Resume rollout').click()
  const question = page.getByRole('dialog', { name: 'Resume this rollout?' })
  await question.getByText(/^The gate of phase 1 has halted it\./).waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await page
    .getByRole('region', { name: 'Failed readers' })
    .getByRole('link', { name: /^Show all/ })
    .click()
  const row = page.getByRole('region', { name: 'Readers of the rollout' }).locator('tbody tr').first()
  await row.getByText(refusal).waitFor()
  const failed = row.getByRole('link').first()
  const serial = await failed.innerText()
  await failed.click()
  await page.getByRole('heading', { level: 1, name: serial }).waitFor()
  await page.getByText(refusal).first().waitFor()
  await page.getByText('Golden, version 2').first().waitFor()
  await page.goBack()

  // No outcome comes while the dialog is open: other counts than those shown would be asked about again.
  await locked.host.end('SIGTERM')
  await button(page, 'Roll back…').click()
  const back = page.getByRole('dialog', { name: 'Roll back this rollout?' })
  await back.getByText('Golden, version 1').first().waitFor()
  await back.getByRole('button', { name: 'Roll back', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Golden, version 1' }).waitFor()
  locked.host.start()
  await page.locator('.page-head-trail').getByText('Complete', { exact: true }).waitFor()
  await expect.poll(() => running(zones)).toEqual({ 'Golden, version 1': 2 * perZone })

  const began = zones.map(({ host }) =>
    readerEvents(host.state).filter(({ event, contentHash }) => event === 'begin' && contentHash === hash(second)),
  )
  expect(began[0]!.map(({ serialNumber }) => serialNumber).sort()).toEqual(applied)
  expect(inFirst(locked)).toEqual(expect.arrayContaining(began[1]!.map(({ serialNumber }) => serialNumber)))
  expect(await stack.sql('select 1 from publication p join zone z on z.id = p.zone_id where z.public_id = $1', [other.id])).toEqual([])
})
