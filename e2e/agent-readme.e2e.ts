import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startLoneStack } from './support/processes/stack.ts'
import { button, saveCfg, select } from './support/screens/publish-wizard.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { create } from './support/screens/zone-screen.ts'

const project = fileURLToPath(new URL('..', import.meta.url))
const readme = await readFile(join(project, 'README.md'), 'utf8')
const { stack, pages } = await stackForFile(startLoneStack({ hasFleet: true }))

/** The paragraph of the first hour that begins with these bold words. */
const paragraph = (title: string) =>
  readme
    .split(/\n\n/)
    .find((text) => text.startsWith(`**${title}.**`))!
    .replaceAll('\n', ' ')
const find = (text: string, pattern: RegExp) => pattern.exec(text)![1]!
const waiting = { timeout: 60_000, interval: 250 }

const openTab = async (page: Page, name: string) => {
  await page.getByRole('link', { name: 'Device Management' }).first().click()
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
}

test('the pages are where the README says they are', async () => {
  const [, tabs, area] = /\n\n(.+) are tabs under \*\*(.+?)\*\*/.exec(readme)!
  const page = await pages.open('/product')
  await page.getByRole('link', { name: area! }).first().click()
  const links = page.getByRole('navigation').getByRole('link')
  for (const tab of tabs!.split(/, | and /)) await expect.poll(() => links.allInnerTexts(), waiting).toContain(tab)
})

test('"Publish and watch": every reader applied, found and in the log; who may see less sees less', async () => {
  const steps = paragraph('Publish and watch')
  const [zone, model] = [find(steps, /choose _(.+?)_/), find(steps, /tick _(.+?)_/) as UpdateModel]
  const listReaders = () =>
    stack.sql('select from device where zone_id = (select id from zone where name = $1) and device_type = $2', [zone, model])
  await expect.poll(listReaders, waiting).not.toEqual([])
  const readers = (await listReaders()).length
  const page = await pages.open('/product', find(steps, /Sign in as `(.+?)`/))
  await openTab(page, find(steps, /\*\*(Configure)\*\* takes/))
  await select(page, zone, [model])
  await page.getByRole('radio', { name: find(steps, /, choose _(.+?)_, paste/) }).check()
  await button(page, 'Next').click()
  await saveCfg(page, model, find(steps, /paste `(.+?)`/))
  await button(page, 'Publish').click()
  await page.getByRole('link', { name: find(steps, /press _(.+?)_/) }).click()
  await page.waitForURL('**/rollouts/*')
  const outcomes = () =>
    stack.sql(
      "select from outcome o join device d on d.id = o.device_id where d.zone_id = (select id from zone where name = $1) and o.outcome = 'applied'",
      [zone],
    )
  await expect.poll(outcomes, waiting).toHaveLength(readers)

  await openTab(page, find(steps, /\*\*(Devices)\*\*, searched/))
  await page.getByRole('searchbox').fill(find(steps, /searched for `(.+?)`/))
  await page.getByText(/of [\d,]+ devices matching/).waitFor()
  await page.getByRole('main').locator('tbody tr').first().getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Configuration', exact: true }).waitFor()
  await openTab(page, find(steps, /\*\*(Audit Log)\*\*/))
  await page
    .locator('.disclosure-summary', { hasText: /Northfield Manager.+ICU 3 North/ })
    .first()
    .waitFor()

  const onlooker = await pages.open('/product', find(steps, /`(member@.+?)` may look/))
  await onlooker.getByRole('link', { name: 'Device Management' }).first().click()
  const tabs = onlooker.getByRole('navigation', { name: 'Device Management' }).getByRole('link')
  await expect.poll(() => tabs.allInnerTexts(), waiting).toContain('Rollouts')
  expect(await tabs.allInnerTexts()).not.toContain('Configure')
  const other = await pages.open('/codedm/rollouts', find(steps, /`(manager@harborline.+?)` belongs/))
  await other.getByText('Nothing has been published yet.').waitFor()
})

test('"Publish to a fleet": the third phase begins, the halted rollout says why, and calendar, library and wizard have what is named', async () => {
  const steps = paragraph('Publish to a fleet')
  const isByHand = () => stack.sql('select from rollout_phase where number = 2 and started_at is not null and done_at is not null')
  await expect.poll(isByHand, waiting).toHaveLength(1)
  const page = await pages.open('/product')
  await openTab(page, find(steps, /\*\*(Rollouts)\*\* has/))
  await page.getByRole('link', { name: find(steps, /\n?_(Wristband, version 3)_ went/) }).click()
  await button(page, `${find(steps, /press _(.+?)_/)}…`).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Begin', exact: true }).click()
  await page
    .getByText('91 of 91')
    .or(page.getByText('Complete', { exact: true }))
    .first()
    .waitFor()
  await openTab(page, 'Rollouts')
  await page.getByRole('link', { name: find(steps, /_(Firmware 3\.9\.0)_ was halted/) }).click()
  await page.getByText('as 3 of 9 readers failed').waitFor()
  await openTab(page, find(steps, /\*\*(Calendar)\*\* shows/))
  await page.getByRole('link', { name: 'Quiet desk, version 1' }).waitFor()
  await openTab(page, find(steps, /\*\*(Library)\*\* has/))
  await button(page, `View ${find(steps, /has _(.+?)_ with three versions/)}`).click()
  await page.getByRole('combobox', { name: 'Version' }).click()
  await page.getByRole('option', { name: /^Version 2,/ }).click()
  await page.getByText('2 of 3').waitFor()
  await openTab(page, find(steps, /in \*\*(Configure)\*\*/))
  await button(page, find(steps, /press _(Choose several zones)_/)).click()
  const tag = new RegExp(`^${find(steps, /the tag _(.+?)_/)} 7$`)
  await page.getByRole('dialog', { name: 'Choose zones' }).getByRole('checkbox', { name: tag }).check()
  await page.getByText('7 zones match').waitFor()
})

test('"Make a barcode" ends with a sheet in the library, and its words are on the pages', async () => {
  const steps = paragraph('Make a barcode')
  const page = await pages.open('/product')
  await openTab(page, find(steps, /^\*\*Make a barcode\.\*\* \*\*(.+?)\*\*/))
  await page.getByRole('combobox', { name: 'Device' }).click()
  await page.getByRole('option', { name: find(steps, /choose _(.+?)_/), exact: true }).click()
  await button(page, 'Next').click()
  await page.getByRole('region', { name: 'Options', exact: true }).getByRole('checkbox').first().click()
  await button(page, 'Generate Barcode').click()
  await page.getByText('Reads back exactly').waitFor()
  expect(await button(page, 'Print').getAttribute('aria-disabled')).not.toBe('true')
  expect(await page.locator('.print-sheet .evidence-word').first().innerText()).toMatch(/Guide|Listing|Inferred/)
  await button(page, 'Save').click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('First hour')
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await openTab(page, find(steps, /save it to the \*\*(.+?)\*\*/))
  await button(page, 'View First hour').click()
  await button(page, 'Compare').waitFor()
  await openTab(page, find(steps, /\*\*(Read Barcode)\*\* says/))
  await page.locator('input[type=file]').waitFor({ state: 'attached' })
})

test('"Look around" finds what it names', async () => {
  const steps = paragraph('Look around')
  const page = await pages.open('/product')
  await page.getByRole('link', { name: find(steps, /\*\*(Data)\*\*/), exact: true }).click()
  await page
    .getByRole('button', { name: /^View as table/ })
    .first()
    .click()
  await page.getByRole('table').first().waitFor()
  for (const name of ['Licences', 'Registered readers', 'Support']) {
    await button(page, find(steps, /\*\*(More)\*\* has/)).click()
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  const newcomer = await pages.open('/product', find(steps, /`(new@.+?)` has yet/))
  await newcomer
    .getByRole('textbox', { name: 'Company name' })
    .or(newcomer.getByRole('textbox', { name: 'First name' }))
    .waitFor()
  const staff = await pages.open('/admin/organizations', find(steps, /`(staff@.+?)` of the vendor/))
  await staff.getByText('Northfield Regional Health').first().waitFor()
  await button(staff, 'More').click()
  for (const path of ['/admin/firmware', '/admin/products', '/admin/marketing']) await staff.locator(`a[href="${path}"]`).waitFor()
})

test('"Run a host PC of your own": its commands, run as they are, bring the zone its readers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-readme-'))
  // `npx` finds the program where the README has it found: in the project's own packages.
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const start = (command: string) => {
    const child = spawn(command.replace('http://localhost:3000', stack.url), {
      ...{ cwd: folder, shell: true, detached: true, env: { ...process.env, PATH: path } },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const read = (text: string) => {
      output += text
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read)
    return { closed: once(child, 'close').then(() => output), end: () => process.kill(-child.pid!, 'SIGTERM') }
  }
  const section = readme.slice(readme.indexOf('**Run a host PC'), readme.indexOf('## The map'))
  const [enroll, run] = find(section, /```sh\n([\s\S]+?)```/)
    .trim()
    .split('\n') as [string, string]
  const [status, stopReaders] = [find(section, /`(npx lectern-agent status .+?)`/), find(section, /`(npx lectern-agent stop-readers .+?)`/)]
  onTestFinished(async () => {
    await start(stopReaders).closed
    await rm(folder, { recursive: true, force: true })
  })

  const page = await pages.open('/product')
  // A browser without a save dialog of its own for pages, such as Firefox or Safari.
  await page.addInitScript('delete window.showOpenFilePicker; delete window.showSaveFilePicker')
  await page.reload()
  await openTab(page, find(section, /Create a zone on \*\*(.+?)\*\*/))
  await create(page, 'Of my own')
  const downloading = page.waitForEvent('download')
  await button(page, 'Location file for Of my own').click()
  await (await downloading).saveAs(join(folder, 'Location.ctxdm'))

  expect(await start(enroll).closed).toContain('in the zone Of my own')
  const agent = start(run)
  const readers = Number(find(run, /--readers (\d+)/))
  await expect
    .poll(() => stack.sql("select from device where simulated and zone_id = (select id from zone where name = 'Of my own')"), waiting)
    .toHaveLength(readers)
  expect(await start(status).closed).toContain(`${readers} readers`)
  agent.end()
  await agent.closed
  expect(await start(stopReaders).closed).toContain('The simulated readers have ended.')
})

test('what the recipe makes is ignored by git', async () => {
  const ignored = spawn('git', ['check-ignore', 'Location.ctxdm', 'host/status.json'], { cwd: project })
  expect(await once(ignored, 'close')).toEqual([0, null])
})
