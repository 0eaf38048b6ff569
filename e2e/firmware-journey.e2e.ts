import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { axeFindings } from './support/axe.ts'
import { downloadedText } from './support/downloaded.ts'
import { enrollHostPc, type HostPc } from './support/processes/agent-process.ts'
import { licence, manager, northfield, type Stack, staff, startStack } from './support/processes/stack.ts'
import { readerEvents } from './support/reader-logs.ts'
import { firmwarePath, versionSelect } from './support/screens/firmware-wizard.ts'
import { button, select } from './support/screens/publish-wizard.ts'

const zone = 'Firmware ward'
/** Of the twenty readers of the fleet, seven are of this model. */
const device = 'CR2700'
const readers = 7

let stack: Stack
let host: HostPc
let zoneId: string
let staffPage: Page
let page: Page

beforeAll(async () => {
  stack = await startStack()
  const api = await stack.api()
  zoneId = (await api('createZone', { params: { organizationId: northfield, location: zone } })).id
  // Slow enough to be met half-way.
  host = await enrollHostPc({ server: stack.url, zoneId, licence, name: 'NRH-FW-01' }, ['--readers', '20', '--seed', '42', '--poll', '1'])
  host.start('--apply-ms', '200')
  await vi.waitUntil(
    async () => (await stack.sql('select from device where zone_id = (select id from zone where public_id = $1)', [zoneId])).length === 20,
    { timeout: 60_000 },
  )
  staffPage = await stack.page(staff, '/admin/firmware')
  page = await stack.page(manager, firmwarePath)
})
afterAll(async () => {
  await host?.remove()
  await stack?.stop()
})

const region = (name: string) => page.getByRole('region', { name, exact: true })
/** Waits until the totals strip of the rollout counts so many readers in a state. */
const total = (state: string, amount: number) =>
  region('Progress')
    .locator('dl > div')
    .filter({ hasText: new RegExp(`^${state}${amount}\\D`) })
    .waitFor({ timeout: 60_000 })

/** Staff upload a release whose file names its own version. */
async function upload(version: string): Promise<void> {
  await staffPage.goto(`${stack.url}/admin/firmware?edit=new`)
  await staffPage.getByRole('combobox', { name: 'Model' }).click()
  await staffPage.getByRole('option', { name: device, exact: true }).click()
  await staffPage.getByRole('textbox', { name: /^Version/ }).fill(version)
  await staffPage.getByLabel('Drag one firmware file here').setInputFiles({
    name: `cr2700-${version}.crvfw`,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(`simulated firmware ${device} ${version}\n${'x'.repeat(400_000)}`),
  })
  await staffPage.getByRole('button', { name: 'Upload release' }).click()
  await staffPage.getByText('Release uploaded').first().waitFor()
}

/** The manager publishes the latest release, for now, and opens its rollout. */
async function publish(version: string): Promise<void> {
  await page.goto(`${stack.url}${firmwarePath}`)
  await select(page, zone, [device])
  await page.getByRole('radio', { name: 'Now' }).click()
  await button(page, 'Next').click()
  await versionSelect(page).getByText(`${version} (latest)`).waitFor()
  await button(page, 'Next').click()
  await button(page, 'Publish').click()
  await page.waitForURL(/\/config-success\?of=firmware&rollout=/)
  await page.getByRole('link', { name: 'Watch the rollout' }).click()
  await page.getByRole('heading', { level: 1, name: `Firmware ${version}` }).waitFor()
}

/** The readers of the model that run a version, as their own logs have it. */
const running = (version: string) => {
  const last = new Map<string, string | null | undefined>()
  for (const line of readerEvents(host.state)) if (line.event === 'complete') last.set(line.serialNumber, line.firmware)
  return [...last.values()].filter((firmware) => firmware === version).length
}

test('[FRM-19 PUB-15 PHA-04] a release reaches every reader; the next is halted half-way, resumed, retried and rolled back; the audit log tells it', async () => {
  await upload('9.1.0')
  await publish('9.1.0')
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await total('Applied', readers)
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
  expect(running('9.1.0')).toBe(readers)

  // Nothing was published before, so each reader gets back what it ran, where that is offered.
  await button(page, 'Roll back…').click()
  const back = page.getByRole('dialog', { name: 'Roll back this rollout?' })
  await back
    .getByText(/^CR2700: firmware 4\.\d+\.\d+$/)
    .first()
    .waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await back.waitFor({ state: 'detached' })

  // Four readers at a time: the first four are finished, the others have not begun.
  await host.end('SIGTERM')
  host.start('--apply-ms', '6000')
  await vi.waitUntil(() => host.isUp(), { timeout: 60_000 })
  await upload('9.2.0')
  await publish('9.2.0')
  await total('Downloading', 4)
  await button(page, 'Halt rollout').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Halt', exact: true }).click()
  await total('Applied', 4)
  await total('Waiting', 3)
  await region('Progress by zone').getByText('Halted').first().waitFor()
  expect([running('9.2.0'), running('9.1.0')]).toEqual([4, 3])

  // The three others fail until a user has been there.
  await host.end('SIGTERM')
  host.start('--apply-ms', '0', '--fail-share', '1')
  await button(page, 'Resume rollout').click()
  await total('Failed', 3)
  await region('Failed readers').getByText('The reader does not leave its locked mode.').first().waitFor()
  await host.end('SIGTERM')
  host.start('--apply-ms', '0')
  await region('Failed readers').getByRole('button', { name: 'Retry all…' }).click()
  await page.getByRole('dialog', { name: 'Retry all failed readers?' }).getByRole('button', { name: 'Retry' }).click()
  await total('Applied', readers)
  expect(running('9.2.0')).toBe(readers)

  await button(page, 'Roll back…').click()
  await page.getByRole('dialog').getByText('Now').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Firmware 9.1.0' }).waitFor()
  await total('Applied', readers)
  expect(running('9.1.0')).toBe(readers)

  await theLogTellsIt()
})

/** Every step is in the audit log, in sentences, and the CSV has the same rows. */
async function theLogTellsIt(): Promise<void> {
  const me = 'Northfield Manager'
  const installed = (version: string) => Array.from({ length: readers }, () => `installed firmware ${version}`)
  await page.goto(`${stack.url}/codedm/audit-log?zone=${encodeURIComponent(zone)}&entries=single`)
  await page.getByText('rolled back').first().waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export to CSV' }).click()])
  const rows = (await downloadedText(download)).trim().split('\r\n').slice(1)
  const shown: string[] = []
  for (;;) {
    shown.push(...(await page.locator('.disclosure-text').allTextContents()))
    const next = page.getByRole('button', { name: 'Next page' })
    if (shown.length >= rows.length || !(await next.isEnabled())) break
    const first = await page.locator('.disclosure-text').first().textContent()
    await next.click()
    await expect.poll(() => page.locator('.disclosure-text').first().textContent()).not.toBe(first)
  }
  expect(shown).toHaveLength(rows.length)
  for (const [index, sentence] of shown.entries()) {
    const isMarked = sentence.endsWith(' Simulated')
    expect(rows[index]).toContain(isMarked ? sentence.slice(0, -' Simulated'.length) : sentence)
    // Simulated, host PC, rollout.
    expect(/,Yes,[^,]*,[^,]*$/.test(rows[index] ?? '')).toBe(isMarked)
  }
  const without = (sentence: string) => sentence.replace(/ on \S+ in .*$/, '').replace(/^Host PC NRH-FW-01 (?=installed)/, '')
  const told = shown.map(without).reverse()
  const steps = told.filter((sentence) => !sentence.startsWith('installed'))
  expect(steps).toEqual([
    `${me} created the zone ${zone}`,
    expect.stringContaining('NRH-FW-01'),
    `${me} set firmware 9.1.0 for ${device} in ${zone}`,
    `${me} set firmware 9.2.0 for ${device} in ${zone}`,
    expect.stringMatching(`^${me} halted the rollout of .*9\\.2\\.0`),
    expect.stringMatching(`^${me} resumed the rollout of .*9\\.2\\.0`),
    expect.stringMatching(`^${me} had the rollout of .*9\\.2\\.0.* tried again on 3 readers`),
    expect.stringMatching(/(rolled back|set firmware 9\.1\.0)/),
    expect.stringMatching(/(rolled back|set firmware 9\.1\.0)/),
  ])
  expect(told.filter((sentence) => sentence.startsWith('installed')).sort()).toEqual(
    [...installed('9.1.0'), ...installed('9.1.0'), ...installed('9.2.0')].sort(),
  )
}
