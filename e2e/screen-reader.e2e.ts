import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { emptyLogs } from './support/audit-entries.ts'
import { openContext } from './support/processes/browser.ts'
import { manager, northfield, type Stack, signIn, startStack } from './support/processes/stack.ts'
import { readAloud } from './support/screen-reader.ts'
import { button, makeCfg, saveCfg, select } from './support/screens/publish-wizard.ts'

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
/** What a page reads out below the bar with which every page begins, once nothing on it waits for the server. */
async function readPage(page: Page): Promise<string> {
  await page.waitForFunction(() => document.querySelector('#frame, .skeleton, [aria-busy=true]') === null)
  return readAloud(page, 'end of banner')
}

/** A product of the test's own, so that one test's changes are not read aloud in another. */
async function start(): Promise<Stack> {
  const stack = await startStack()
  onTestFinished(() => stack.stop())
  return stack
}

async function open(stack: Stack, path: string): Promise<Page> {
  const page = await stack.page(manager, path, { bypassCSP: true, timezoneId: 'UTC' })
  onTestFinished(() => page.context().close())
  return page
}

/** Compares what was read aloud with `transcripts/`, where the pages of a journey follow one another. */
async function isTranscript(name: string, pages: readonly string[]): Promise<void> {
  await expect(pages.join('\n')).toMatchFileSnapshot(`transcripts/${name}.txt`)
}

test('read aloud: from the sign-in to the products', async () => {
  const stack = await start()
  const context = await openContext(stack.browser, { bypassCSP: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(stack.url)
  await page.getByRole('textbox', { name: 'E-mail' }).waitFor()
  const provider = await readAloud(page)
  await signIn(page, manager)
  await title(page, 'Northfield Regional Health Products')
  await page.waitForFunction(() => document.querySelector('#frame, .skeleton, [aria-busy=true]') === null)
  await page.getByText('Loading...').waitFor({ state: 'detached' })
  await isTranscript('sign-in', [provider, await readAloud(page)])
})

test('read aloud: the zones, and a new one', async () => {
  const stack = await start()
  const page = await open(stack, '/codedm/zones')
  const search = page.getByRole('searchbox', { name: 'Search zones' })
  await search.fill('ED Triage')
  await page.getByText(', showing 1').waitFor()
  const before = await readPage(page)
  await page.getByRole('textbox', { name: 'Create a zone' }).fill('Ward 9')
  await button(page, 'Create zone').click()
  await page.getByText('Zone created', { exact: true }).waitFor()
  await search.fill('Ward 9')
  await button(page, 'Delete Ward 9').waitFor()
  await isTranscript('zones', [before, await readPage(page)])
})

test('read aloud: a configuration is published', async () => {
  const stack = await start()
  const page = await open(stack, '/codedm/apply-config')
  await page.getByRole('combobox', { name: 'Zone' }).and(page.locator(':enabled')).waitFor()
  const pages = [await readPage(page)]
  await select(page, 'ED Triage', ['CR2700'])
  await page.getByRole('radio', { name: 'Now' }).check()
  await button(page, 'Next').click()
  await title(page, 'Configure CR2700')
  await page.getByRole('region', { name: 'Questions about this step' }).waitFor()
  await page.getByRole('textbox', { name: 'CR2700 configuration text' }).waitFor()
  pages.push(await readPage(page))
  await saveCfg(page, 'CR2700', makeCfg('aloud'))
  await title(page, 'Review Your Device Configuration Selections')
  await page.getByText('These are the defaults of your organization.').waitFor()
  await page.getByRole('region', { name: 'Dry run' }).getByRole('table').waitFor()
  pages.push(await readPage(page))
  await button(page, 'Publish').click()
  await page.getByText('Success! Your Configuration has published.').waitFor()
  await page.getByText('Loading...').waitFor({ state: 'detached' })
  pages.push(await readPage(page))
  await isTranscript('publish', pages)
})

test('read aloud: the device dashboard, filtered by a tile and by a search', async () => {
  const stack = await start()
  const [reader] = await stack.sql<{ organization_id: number; id: string }>(
    `select d.organization_id, d.id from device d join organization o on o.id = d.organization_id
     where o.public_id = $1 and device_type = 'CR2700' order by serial_number limit 1`,
    [northfield],
  )
  await stack.sql('delete from device where organization_id = $1 and id <> $2', [reader?.organization_id, reader?.id])
  const page = await open(stack, '/codedm/device-dashboard')
  await page.getByRole('radio', { name: 'Offline' }).click()
  await page.getByText('No reader is offline.').waitFor()
  const offline = await readPage(page)
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('ED Triage')
  await page.getByText('of 1 device').waitFor()
  await isTranscript('devices', [offline, await readPage(page)])
})

test('read aloud: an entry of the audit log', async () => {
  const stack = await start()
  const api = await stack.api()
  const page = await open(stack, '/codedm/audit-log')
  await page.locator('.disclosure-summary').first().waitFor()
  // Without the sign-ins.
  await emptyLogs(stack)
  await api('createZone', { params: { organizationId: northfield, location: 'Read aloud' } })
  await page.reload()
  await page.locator('.disclosure-summary').click()
  await page.locator('.disclosure-details[data-state=open]').waitFor()
  await isTranscript('audit', [await readPage(page)])
})
