import { randomUUID } from 'node:crypto'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { axeInLooks } from '../axe.ts'
import { manager, northfield, type Stack } from '../processes/stack.ts'
import { signedInPages } from './signed-in-pages.ts'

export const wizardPath = '/codedm/apply-config'

/** Opens pages for one signed-in person; after its test a page is there for the next one. */
export function signedIn(stack: Stack, account = manager, options: BrowserContextOptions = {}): (path?: string) => Promise<Page> {
  const pages = signedInPages(stack, options)
  return (path = wizardPath) => {
    onTestFinished(pages.closeAll)
    return pages.open(path, account)
  }
}

/** A closed configuration for a test to publish. */
export const makeCfg = (text: string): string => `<cfg v="2"><note text="${text}"/></cfg>`

/** A zone of the test's own, named after it. */
export async function newZone(stack: Stack, name: string): Promise<{ id: string; name: string }> {
  const api = await stack.api()
  return api('createZone', { params: { organizationId: northfield, location: `${name} ${randomUUID().slice(0, 8)}` } })
}

/** Puts a host PC into a zone, as if it had enrolled there. */
export async function newHost(stack: Stack, zoneId: string, timeZone: string): Promise<void> {
  await stack.sql(
    `insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, last_seen_at)
     select gen_random_uuid(), z.organization_id, z.id, l.id, $3, $4, '1', now()
     from zone z join licence l on l.organization_id = z.organization_id join organization o on o.id = z.organization_id
     where o.public_id = $1 and z.public_id = $2 limit 1`,
    [northfield, zoneId, `PC ${timeZone}`, timeZone],
  )
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Chooses a zone and ticks models on step 1. */
export async function select(page: Page, zone: string, models: readonly UpdateModel[]): Promise<void> {
  await page.getByRole('combobox', { name: 'Zone' }).click()
  await page.getByRole('option', { name: zone, exact: true }).click()
  for (const model of models) await page.getByRole('checkbox', { name: model }).check()
}

/** Fills in the CFG of the model whose page is showing, and goes on. */
export async function saveCfg(page: Page, model: UpdateModel, cfg: string): Promise<void> {
  await page.getByRole('textbox', { name: `${model} configuration text` }).fill(cfg)
  await button(page, 'Next').click()
}

/** Chooses a file on the page of a model that is showing, and goes on. */
export async function saveFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.getByRole('radio', { name: /CodeRules/ }).check()
  await chooseFile(page, name, content)
  await page.getByText('Ready', { exact: true }).waitFor()
  await button(page, 'Next').click()
}

/** A script that changes nothing. */
export const goodScript = 'rules_onDecode = d=>d\n'

/**
 * From now on the file bad.js arrives with bytes that are no text, as through a proxy that damages it; the page has checked another one.
 */
export async function spoilScript(page: Page): Promise<void> {
  await page.route('**/configuration/file', async (route) => {
    const body = route.request().postDataBuffer() ?? Buffer.alloc(0)
    const start = body.indexOf(goodScript)
    if (!body.includes('bad.js') || start < 0) return route.fallback()
    await route.continue({
      postData: Buffer.concat([body.subarray(0, start), Buffer.alloc(goodScript.length), body.subarray(start + goodScript.length)]),
    })
  })
}

export const chooseFile = (page: Page, name: string, content: string | Buffer): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/javascript', buffer: Buffer.from(content) })

/** Fills in the wizard that is showing, up to its review, with a CFG for each model. */
export async function fillIn(page: Page, zone: string, models: readonly UpdateModel[]): Promise<Page> {
  await select(page, zone, models)
  await button(page, 'Next').click()
  for (const model of models) await saveCfg(page, model, makeCfg(model))
  await page.getByRole('heading', { name: 'Review Your Device Configuration Selections' }).waitFor()
  return page
}

/** The row of a model on the review. */
export const row = (page: Page, model: UpdateModel) => page.getByRole('listitem', { name: model, exact: true })

/** What was published to a zone, in order. */
export const publications = (stack: Stack, zoneId: string) =>
  stack.sql<{ device_type: string; revision: number; content: string; update_time: string; file_name: string | null }>(
    'select device_type, revision, content, update_time, file_name from publication where zone_id = (select id from zone where public_id = $1) order by device_type, revision',
    [zoneId],
  )

/** Makes the configuration calls wait until `count` of them have arrived. Returns how many waited at most. */
export async function gather(page: Page, count: number): Promise<() => number> {
  let waiting = 0
  const all = Promise.withResolvers<void>()
  await page.route('**/configuration/*', async (route) => {
    waiting += 1
    if (waiting >= count) all.resolve()
    await all.promise
    await route.fallback()
  })
  return () => waiting
}

/** Judges what is on screen, in the state `name`, in both looks, once nothing is dimmed while it waits for the server. */
export async function inspect(page: Page, name: string): Promise<void> {
  await page.locator('[aria-busy=true]:not(button)').first().waitFor({ state: 'detached' })
  expect(await axeInLooks(page), name).toEqual([])
}
