import { createHash, randomUUID } from 'node:crypto'
import type { ReportedDevice } from '@lectern/contract/hosts.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { caller, licence, northfield, startStack } from './support/processes/stack.ts'
import { button, inspect, makeCfg, newZone, saveCfg, saveFile, select, signedIn } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack } = await stackForFile(startStack({ env: { MIN_BATTERY: '25' } }))
const open = signedIn(stack)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const organizationId = northfield

/** A zone whose host PC reports readers. */
async function fleet(name: string, readers: readonly Partial<ReportedDevice>[]) {
  const zone = await newZone(stack, name)
  const credential = randomUUID()
  const body = { zoneId: zone.id, hostName: 'DRY-01', timeZone: 'Europe/Berlin', agentVersion: '1.0.0', credentialHash: sha256(credential) }
  await caller(stack.url, licence)('enrollHost', { body })
  const devices = readers.map((reader) => ({
    serialNumber: randomUUID(),
    deviceType: 'CR2700',
    firmware: '4.9.2',
    configuration: null,
    batteryHealth: 80,
    warrantyUntil: null,
    ...reader,
  }))
  await caller(stack.url, credential)('checkIn', { body: { timeZone: 'Europe/Berlin', agentVersion: '1.0.0', driver: 'serial', devices } })
  return zone
}

const runs = (text: string, fileName: string | null): Partial<ReportedDevice> => ({
  configuration: { contentHash: sha256(text), fileName },
})
const dryRun = (page: Page) => page.getByRole('region', { name: 'Dry run' })
const counts = (page: Page, row: number) => dryRun(page).getByRole('table').getByRole('row').nth(row).getByRole('cell').allInnerTexts()

test('[DRY-01 DRY-02] review counts who changes, matches or cannot take it and why, and shows each line that differs', async () => {
  const [before, after] = ['<cfg>\n<beep volume="1"/>\n<light/>\n</cfg>', '<cfg>\n<beep volume="3"/>\n<light/>\n</cfg>']
  const zone = await fleet('Dry run', [
    ...[runs(before, null), runs(before, null), runs(after, null), { ...runs(before, null), batteryHealth: 10 }],
    { deviceType: 'CR1500' },
  ])
  const api = await stack.api()
  await api('publishCfg', { params: { organizationId, location: zone.id, device: 'CR2700' }, body: { cfg: before, when: 'now' } })
  const page = await open()
  await select(page, zone.name, ['CR2700'])
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', after)
  await dryRun(page).getByRole('table').waitFor()
  await expect.poll(() => counts(page, 1)).toEqual([zone.name, 'CR2700 configuration', '2', '1', '1\n1 low battery', '0', '4'])
  await dryRun(page).getByText('the same').waitFor()
  const label = `CFG ${sha256(before).slice(0, 8)}`
  await button(page, `Show the difference from ${label}`).click()
  const lines = dryRun(page).getByRole('region', { name: 'Lines that differ' }).getByRole('listitem')
  await lines.first().waitFor()
  const changed = (await lines.evaluateAll((all) => all.map((line) => [line.getAttribute('data-change'), line.textContent]))).filter(
    ([change]) => change === '-' || change === '+',
  )
  expect(changed.map(([change, text]) => [change, text?.replace(/^.*: /, '')])).toEqual([
    ['-', '<beep volume="1"/>'],
    ['+', '<beep volume="3"/>'],
  ])
  await inspect(page, 'review with its dry run')
})

test('[DRY-02] an edited file of the same name is not the same, and its difference is shown', async () => {
  const api = await stack.api()
  const script = (volume: number) => `rules_onDecode = (d) => d // ${volume}\n`
  const zone = await fleet('Edited', [runs(script(1), 'rules.js')])
  const params = { organizationId }
  const { sha256: stored } = await api('uploadScript', { params, file: new File([script(1)], 'rules.js') })
  const parts = [{ model: 'CR2700' as const, content: { kind: 'script' as const, sha256: stored, fileName: 'rules.js' } }]
  await api('publishToZones', {
    params,
    body: { key: randomUUID(), zones: { ids: [zone.id] }, parts, when: { now: true }, phases: [] },
  })
  const page = await open()
  await select(page, zone.name, ['CR2700'])
  await button(page, 'Next').click()
  await saveFile(page, 'rules.js', script(2))
  await dryRun(page).getByText('another content of that name').waitFor()
  await button(page, 'Show the difference from rules.js').click()
  await dryRun(page).getByRole('region', { name: 'Lines that differ' }).getByText(script(2).trim()).waitFor()
})

test('[DRY-02] zones beyond the first ten are counted on pages of their own', async () => {
  const zones: Awaited<ReturnType<typeof fleet>>[] = []
  for (let number = 10; number <= 20; number++) zones.push(await fleet(`Page ${number}`, [{}]))
  const page = await open()
  await button(page, 'Choose several zones').click()
  const dialog = page.getByRole('dialog', { name: 'Choose zones' })
  await dialog.getByRole('searchbox', { name: 'Search zones' }).fill('Page ')
  await dialog.getByText('11 zones match').waitFor()
  await button(page, 'Choose all that match').click()
  await button(page, 'Use 11 zones').click()
  await page.getByRole('checkbox', { name: 'CR2700' }).check()
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', makeCfg('pages'))
  await dryRun(page).getByText(zones[0]!.name).waitFor()
  expect(await dryRun(page).getByText(zones[10]!.name).count()).toBe(0)
  await dryRun(page).getByRole('navigation', { name: 'Pages of zones' }).getByRole('button', { name: /Next/ }).click()
  await dryRun(page).getByText(zones[10]!.name).waitFor()
  await dryRun(page).getByText(zones[0]!.name).waitFor({ state: 'detached' })
})

test('[DRY-02] review shows the difference of commands by the names of options', async () => {
  const api = await stack.api()
  const name = `Ward ${randomUUID().slice(0, 8)}`
  const commands = (list: string[]) => ({ kind: 'commands' as const, commands: list })
  const entry = await api('createLibraryEntry', {
    params: { organizationId },
    body: { name, device: 'CR2700', content: commands(['SYAZTCSEN0']) },
  })
  await api('addLibraryVersion', { params: { organizationId, id: entry.id }, body: { content: commands(['SYAZTCSEN1']) } })
  const zone = await fleet('Options', [runs('SYAZTCSEN0\n', `${name}, version 1`)])
  const params = { organizationId, location: zone.id, device: 'CR2700' as const }
  await api('publishLibraryVersion', { params, body: { configurationId: entry.id, version: 1, when: 'now' } })
  const page = await open()
  await select(page, zone.name, ['CR2700'])
  await button(page, 'Next').click()
  await page.getByRole('radio', { name: /From the library/ }).check()
  await page.getByRole('combobox', { name: 'Saved configuration' }).click()
  await page.getByRole('option', { name }).click()
  await button(page, 'Next').click()
  await button(page, `Show the difference from ${name}, version 1`).click()
  const aztec = dryRun(page).getByRole('region', { name: 'Comparison' }).getByRole('row', { name: 'Aztec' })
  await aztec.getByText('Different').waitFor()
  const [option, before, after] = await aztec.getByRole('cell').allInnerTexts()
  expect([option, before?.split(' ')[0], after?.split(' ')[0]]).toEqual(['Aztec', 'Off', 'On'])
  await inspect(page, 'review with the difference of commands')
})
