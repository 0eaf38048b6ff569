import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrollHostPc, type HostPc } from './support/processes/agent-process.ts'
import { foreigner, licence, northfield, type Stack, startLoneStack } from './support/processes/stack.ts'
import { chooseFile, goodScript, saveFile, spoilScript } from './support/screens/publish-wizard.ts'

const zone = 'Emergency Ward 4'
const neighbour = 'Emergency Ward 5'
const cfg = '<cfg v="2" model="CR2700"><sym><qr on="1"/></sym></cfg>'
const label = `CFG ${createHash('sha256').update(cfg).digest('hex').slice(0, 8)}`
const readers = 21

let stack: Stack
const hosts: HostPc[] = []

beforeAll(async () => {
  stack = await startLoneStack()
})
afterAll(async () => {
  for (const host of hosts) await host.remove()
  await stack?.stop()
})

test('[PUB-08] the main job: a zone, its host, a publish for two models of which one is refused at first, and the readers have it', async () => {
  const page = await stack.page()
  const zoneId = await createZone(page)
  await startHost(zoneId, 'NRH-WARD4-01', '7')
  const api = await stack.api()
  const other = await api('createZone', { params: { organizationId: northfield, location: neighbour } })
  await startHost(other.id, 'NRH-WARD5-01', '8')

  await fillWizard(page)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page
    .getByText(/The file bad.js is not text/)
    .first()
    .waitFor()
  await page.getByText('Published', { exact: true }).waitFor()
  expect(await published()).toEqual([{ device_type: 'CR2700', revision: 1 }])

  await replaceScript(page)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.waitForURL(/\/config-success\?rollout=/)
  await page.getByText('Success! Your Configuration has published.').waitFor()
  expect(await published()).toEqual([
    { device_type: 'CR1500', revision: 1 },
    { device_type: 'CR2700', revision: 1 },
  ])
  await page.getByRole('link', { name: 'Done' }).click()
  await page.waitForURL('**/codedm')

  await expectArrival(page)
  await expectForeignerSeesNothing(zoneId)
})

/** Creates the zone on its page, downloads its location file, and returns the zone's id in the file. */
async function createZone(page: Page): Promise<string> {
  // A browser without file pickers downloads instead; a native dialog cannot be driven.
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showOpenFilePicker'))
  await page.goto(`${stack.url}/codedm/zones`)
  await page.getByRole('textbox', { name: 'Create a zone' }).fill(zone)
  await page.getByRole('button', { name: 'Create zone' }).click()
  await page.getByText('Zone created', { exact: true }).waitFor()
  await page.getByRole('searchbox').fill(zone)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Location file for ${zone}` }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Location.ctxdm')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function startHost(zoneId: string, name: string, seed: string): Promise<void> {
  const run = ['--readers', String(readers), '--seed', seed, '--apply-ms', '20', '--poll', '5']
  const host = await enrollHostPc({ server: stack.url, zoneId, licence, name }, run)
  hosts.push(host)
  host.start()
  await expect.poll(() => known(zoneId)).toBe(readers)
}

const known = async (zoneId: string) =>
  (
    await stack.sql<{ n: number }>('select count(*)::int as n from device where zone_id = (select id from zone where public_id = $1)', [
      zoneId,
    ])
  )[0]?.n

const published = () =>
  stack.sql<{ device_type: string; revision: number }>('select device_type, revision from publication order by device_type')

/** Fills in the wizard up to its review, for now. A reload in the middle loses nothing. */
async function fillWizard(page: Page): Promise<void> {
  await page.goto(`${stack.url}/codedm/apply-config`)
  await page.getByRole('combobox', { name: 'Zone' }).click()
  await page.getByRole('option', { name: zone }).click()
  for (const model of ['CR2700', 'CR1500']) await page.getByRole('checkbox', { name: new RegExp(model) }).check()
  await page.getByRole('radio', { name: 'Now' }).click()
  await page.getByRole('button', { name: 'Next' }).click()

  await page.getByRole('heading', { name: 'Configure CR2700' }).waitFor()
  await page.getByRole('textbox', { name: 'CR2700 configuration text' }).fill(cfg.slice(1))
  await page.reload()
  expect(await page.getByRole('textbox', { name: 'CR2700 configuration text' }).inputValue()).toBe(cfg)
  await page.getByRole('button', { name: 'Next' }).click()

  await page.getByRole('heading', { name: 'Configure CR1500' }).waitFor()
  await page.getByRole('radio', { name: /CodeRules/ }).click()
  await spoilScript(page)
  await chooseFile(page, 'bad.js', 'rules_onDecode = (decode => decode\n')
  await page.getByRole('alert').getByText("The file bad.js is not valid JavaScript: expecting ')', line 2.").waitFor()
  expect(await page.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('true')
  await saveFile(page, 'bad.js', goodScript)
  await page.getByRole('heading', { name: 'Review Your Device Configuration Selections' }).waitFor()
}

/** Goes from the review back to the refused model and chooses another file; only that one is left to publish. */
async function replaceScript(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit CR1500' }).click()
  await page.getByRole('heading', { name: 'Configure CR1500' }).waitFor()
  await page.getByRole('button', { name: /Remove/ }).click()
  const good = { name: 'ward.js', mimeType: 'text/javascript', buffer: Buffer.from('rules_onDecode = (decode) => decode\n') }
  await page.locator('input[type=file]').setInputFiles(good)
  await page.getByText('Ready', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
}

/** The dashboard shows the new configuration for every reader of both models in this zone, and for no other. */
async function expectArrival(page: Page): Promise<void> {
  await page.goto(`${stack.url}/codedm/device-dashboard?size=100`)
  await page.getByRole('searchbox').fill('emergency ward')
  const rows = page.locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(2 * readers)
  const shown = async () => {
    const texts = await rows.allInnerTexts()
    return texts.map((text) => ({
      here: text.includes(zone),
      cr2700: /CR2700/.test(text),
      cr1500: /CR1500/.test(text),
      cfg: text.includes(label),
      script: text.includes('ward.js'),
    }))
  }
  const arrived = async () =>
    (await shown()).every((row) => row.cfg === (row.here && row.cr2700) && row.script === (row.here && row.cr1500))
  await expect.poll(arrived, { timeout: 60_000 }).toBe(true)
  const all = await shown()
  expect(all.filter((row) => row.cfg).length).toBeGreaterThan(0)
  expect(all.filter((row) => row.script).length).toBeGreaterThan(0)
  expect(await outcomes()).toEqual([{ outcome: 'applied', n: all.filter((row) => row.cfg || row.script).length }])
}

const outcomes = () => stack.sql<{ outcome: string; n: number }>('select outcome, count(*)::int as n from outcome group by outcome')

async function expectForeignerSeesNothing(zoneId: string): Promise<void> {
  const api = await stack.api(foreigner)
  const { organizationId } = await api('getCurrentUser', {})
  const zones = await api('listZones', { params: { organizationId: organizationId[0] ?? '' } })
  expect(zones.map(({ name }) => name)).not.toContain(zone)
  await expect(api('listZones', { params: { organizationId: northfield } })).rejects.toThrow('404')
  const params = { organizationId: organizationId[0] ?? '', location: zoneId, device: 'CR2700' as const }
  await expect(api('publishCfg', { params, body: { cfg } })).rejects.toThrow('404')
  const page = await stack.page(foreigner, '/codedm/device-dashboard')
  await page.getByRole('searchbox').fill('emergency')
  await page.getByText(/No readers/).waitFor()
  await page.goto(`${stack.url}/codedm/zones`)
  await page.getByText('Cold Store').waitFor()
  expect(await page.getByText(zone).count()).toBe(0)
}
