import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { axeInLooks, looks, turn } from './support/axe.ts'
import { enrollHostPc, type HostPc } from './support/processes/agent-process.ts'
import { foreigner, licence, manager, member, northfield, startLoneStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const params = { organizationId: northfield }
const device = 'CR2700'

const { stack, pages } = await stackForFile(startLoneStack())
let host: HostPc
let zoneId: string
/** Readers of the model in the zone, and those of them that refuse everything. */
let readers: number

beforeAll(async () => {
  const api = await stack.api()
  zoneId = (await api('createZone', { params: { ...params, location: 'Rolling ward' } })).id
  const run = ['--readers', '40', '--seed', '91', '--apply-ms', '0', '--poll', '1', '--check-in', '1', '--fail-share', '0.3']
  host = await enrollHostPc({ server: stack.url, zoneId, licence, name: 'NRH-ROLL-01' }, run)
  host.start()
  await vi.waitUntil(async () => (await count('from device where zone_id = (select id from zone where public_id = $1)', zoneId)) === 40, {
    timeout: 60_000,
    interval: 50,
  })
  readers = await count('from device where zone_id = (select id from zone where public_id = $1) and device_type = $2', zoneId, device)
})
afterAll(() => host?.remove())

async function count(text: string, ...values: unknown[]): Promise<number> {
  return (await stack.sql<{ count: number }>(`select count(*)::int as count ${text}`, values))[0]?.count ?? 0
}

/** Publishes a script that is taken over in twelve hours. Returns its rollout. */
async function publish(fileName: string): Promise<string> {
  const rollout = randomUUID()
  const api = await stack.api()
  const updateTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(Date.now() + 12 * 3_600_000)
  const place = { ...params, location: zoneId, device } as const
  await api('publishCodeRules', {
    params: place,
    file: new File([`// ${fileName}\nrules_onDecode = () => undefined\n`], fileName),
    fields: { updateTime, rollout },
  })
  return rollout
}
/** Moves the publish two days back, so that it is due at once. */
const makeDue = (rollout: string) =>
  stack.sql("update publication set published_at = published_at - interval '2 days' where rollout_id = $1", [rollout])
const outcomes = (rollout: string, outcome: string) =>
  count('from outcome o join publication p on p.id = o.publication_id where p.rollout_id = $1 and o.outcome = $2', rollout, outcome)

/** Publishes a script that some readers take over at once and that no safety limit halts. Returns its rollout. */
async function publishAndRun(fileName: string): Promise<string> {
  const rollout = await publish(fileName)
  const api = await stack.api()
  const body = { haltAbovePercent: null, stopTime: null, forLater: false }
  await api('setSafetyLimit', { params: { ...params, id: rollout }, body })
  await makeDue(rollout)
  await vi.waitUntil(async () => (await outcomes(rollout, 'applied')) > 0, { timeout: 60_000, interval: 50 })
  return rollout
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** Waits until the totals strip counts so many readers in a state. */
const total = (page: Page, state: string, amount: number) =>
  page
    .getByRole('region', { name: 'Progress', exact: true })
    .locator('dl > div')
    .filter({ hasText: new RegExp(`^${state}${amount}\\D`) })
    .waitFor()
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
async function isAccessible(page: Page): Promise<void> {
  expect(await axeInLooks(page)).toEqual([])
  await turn(page, looks[0])
}

test('[PUB-15] a rollout is followed live from its publish: halted, resumed, beyond its limit, tried again, down to serial numbers', async () => {
  const nothing = await pages.open('/codedm/rollouts', foreigner)
  await nothing.getByText('Nothing has been published yet.').waitFor()
  await nothing.getByRole('link', { name: 'Configure Zones' }).waitFor()
  await isAccessible(nothing)

  const page = await pages.open('/codedm/rollouts', manager)
  await title(page, 'Rollouts')
  const rollout = await publish('wristband.js')
  // The list hears of it by itself.
  await page.getByRole('link', { name: 'wristband.js' }).first().click()
  await title(page, 'wristband.js')
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await total(page, 'Waiting', readers)
  await region(page, 'Progress by zone')
    .getByText(/^(today|tomorrow) \d\d:\d\d( local)?, in /)
    .waitFor()

  // By keyboard alone.
  await button(page, 'Halt rollout').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Halt this rollout?' }).getByText(`${readers} readers will wait`).waitFor()
  await page.keyboard.press('Enter')
  await button(page, 'Resume rollout').waitFor()
  await region(page, 'Progress by zone').getByText('by Northfield Manager').waitFor()
  expect(await count('from publication where rollout_id = $1 and halted_at is not null', rollout)).toBe(1)
  await button(page, 'Resume rollout').click()
  await button(page, 'Halt rollout').waitFor()
  expect(await count('from publication where rollout_id = $1 and halted_at is not null', rollout)).toBe(0)

  const limits = region(page, 'Safety limits')
  await expect.poll(() => limits.getByText('None', { exact: true }).count()).toBe(2)
  await limits.getByRole('button', { name: 'Change…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Safety limits' })
  const percent = dialog.getByRole('textbox', { name: 'Halt a zone when failed exceeds' })
  await percent.waitFor()
  await expect.poll(() => percent.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('500')
  await page.keyboard.press('Enter')
  await dialog.getByText('The limit must be at most 100.').waitFor()
  await percent.fill('1')
  await page.keyboard.press('Tab')
  await page.keyboard.type('25')
  await page.keyboard.press('Enter')
  await dialog.getByText('The stop time must be a time of day, such as 05:00.').waitFor()
  await isAccessible(page)
  await dialog.getByRole('textbox', { name: 'Stop starting new readers at' }).fill('')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await limits.getByText('1%', { exact: true }).waitFor()
  const [later] = await stack.sql<{ percent: number }>('select halt_above_percent as percent from organization where public_id = $1', [
    northfield,
  ])
  expect(later?.percent).toBe(1)

  await makeDue(rollout)
  await limits.getByText(/^Rolling ward halted (at|on) .* with .*% failed\.$/).waitFor({ timeout: 60_000 })
  await button(page, 'Rolling ward').click()
  await region(page, 'Progress by zone').getByText(device, { exact: true }).waitFor()
  await isAccessible(page)
  await button(page, 'Resume rollout').click()
  const question = page.getByRole('dialog', { name: 'Resume this rollout?' })
  await question
    .getByText(/^The safety limit has halted Rolling ward with .*% failed\. Once resumed, it is not halted by it again/)
    .waitFor()
  await question.getByRole('button', { name: 'Resume' }).click()
  await limits.getByText(/^Rolling ward resumed (at|on) .* beyond the limit/).waitFor()
  await expect
    .poll(async () => (await outcomes(rollout, 'applied')) + (await outcomes(rollout, 'failed')), { timeout: 60_000 })
    .toBe(readers)
  const failed = await outcomes(rollout, 'failed')
  expect(failed).toBeGreaterThan(1)
  await total(page, 'Applied', readers - failed)
  await total(page, 'Failed', failed)
  await region(page, 'Live events').getByText('applied wristband.js').first().waitFor()
  await limits.getByRole('button', { name: 'Change…' }).click()
  await dialog.getByRole('textbox', { name: 'Stop starting new readers at' }).fill('0500')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await limits.getByText('05:00', { exact: true }).waitFor()
  await page.getByText(/^Updated \d\d:\d\d:\d\d$/).waitFor()
  expect(await count('from publication where rollout_id = $1 and is_halted(publication)', rollout)).toBe(0)

  await host.end('SIGTERM')
  await region(page, 'Failed readers').getByRole('button', { name: 'Retry all…' }).click()
  const retry = page.getByRole('dialog', { name: 'Retry all failed readers?' })
  await retry.getByText(`It is applied again to ${failed} readers.`).waitFor()
  await isAccessible(page)
  await retry.getByRole('button', { name: 'Retry' }).click()
  await total(page, 'Waiting', failed)
  await region(page, 'Failed readers').getByText('None now.').waitFor()
  expect(await count('from reapplication where outcome is null')).toBe(failed)
  host.start()
  await total(page, 'Failed', failed)
  await region(page, 'Failed readers')
    .getByRole('link', { name: `Show all ${failed}` })
    .click()
  const rows = region(page, 'Readers of the rollout').locator('tbody tr')
  await rows.nth(failed - 1).waitFor()
  await expect.poll(() => rows.count()).toBe(failed)
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
  await rows.first().getByRole('link').click()
  await page.waitForURL(`${stack.url}/codedm/devices/**`)
})

test('[NOW-03] a roll back whose run has moved to another day asks once more', async () => {
  await publishAndRun('before the move.js')
  const second = await publish('moved.js')
  // A context of its own: its clock stays changed.
  const page = await stack.page(manager, `/codedm/rollouts/${second}`)
  onTestFinished(() => page.context().close())
  const dialog = page.getByRole('dialog', { name: 'Roll back this rollout?' })
  await page.route('**/roll-back', (route) => route.abort())
  await button(page, 'Roll back…').click()
  await dialog.getByRole('radio', { name: 'At' }).click()
  expect(await dialog.getByRole('button', { name: 'Roll back' }).isDisabled()).toBe(true)
  await page.unroute('**/roll-back')
  await page.reload()
  await button(page, 'Roll back…').click()
  await dialog.getByRole('radio', { name: 'At' }).click()
  const { time, runs } = await page.evaluate(() => {
    const at = new Date(Date.now() + 2 * 60_000)
    return { time: at.toTimeString().slice(0, 5), runs: at.getTime() }
  })
  await dialog.getByRole('textbox', { name: 'Update time' }).fill(time)
  await dialog.getByText(new RegExp(`^(today|tomorrow) ${time}, `)).waitFor()
  await page.clock.setFixedTime(runs + 60_000)
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await dialog.getByText(new RegExp(`^The run has moved to another day: tomorrow ${time}, in 23 h`)).waitFor()
  expect(await count('from rollout where rolls_back = $1', second)).toBe(0)
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await title(page, 'moved.js')
  expect(
    await count('from publication p join rollout r on r.id = p.rollout_id where r.rolls_back = $1 and p.update_time = $2', second, time),
  ).toBe(1)
})

test('[PUB-15 NOW-02] rolling back publishes what readers had before; who may not publish only looks; a lost connection is said and comes back', async () => {
  const first = await publishAndRun('first.js')
  const second = await publishAndRun('second.js')
  const page = await pages.open(`/codedm/rollouts/${second}`, manager)
  await title(page, 'second.js')
  // A reader still under way would get back what it had a moment later, and change the roll back's name.
  await vi.waitUntil(async () => (await outcomes(second, 'applied')) + (await outcomes(second, 'failed')) === readers, {
    timeout: 60_000,
    interval: 50,
  })
  await total(page, 'Applied', await outcomes(second, 'applied'))
  await button(page, 'Roll back…').click()
  const dialog = page.getByRole('dialog', { name: 'Roll back this rollout?' })
  await dialog.getByText('first.js').waitFor()
  await isAccessible(page)
  await dialog.getByRole('radio', { name: 'At' }).click()
  await dialog.getByRole('textbox', { name: 'Update time' }).fill('04:30')
  await dialog.getByText(/^(today|tomorrow) 04:30, in .+ \(.+ \d{4}, .+\)$/).waitFor()
  await dialog.getByRole('textbox', { name: 'Update time' }).fill('')
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await dialog.getByText('The update time must be a time of day, such as 02:00.').waitFor()
  await dialog.getByRole('radio', { name: 'Now' }).click()
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await title(page, 'first.js')
  await page.getByText('each reader that it reached gets back what it had').waitFor()
  const [back] = await stack.sql<{ id: string; at_once: boolean; isSame: boolean }>(
    `select p.rollout_id as id, p.at_once, p.content_hash = (select content_hash from publication where rollout_id = $1) as "isSame"
     from publication p join rollout r on r.id = p.rollout_id where r.rolls_back = $2`,
    [first, second],
  )
  expect(back).toMatchObject({ at_once: true, isSame: true })
  expect(page.url()).toBe(`${stack.url}/codedm/rollouts/${back?.id}`)

  await stack.crash()
  await page.getByText(/^Connection lost, trying again\./).waitFor()
  await stack.start()
  await page.getByText(/^Updated /).waitFor({ timeout: 60_000 })

  await showInApp(page, `/codedm/rollouts/${second}`)
  await title(page, 'second.js')
  await expect.poll(() => button(page, 'Roll back…').getAttribute('aria-disabled')).toBe('true')

  const onlooker = await pages.open(`/codedm/rollouts/${second}`, member)
  await title(onlooker, 'second.js')
  await onlooker.getByText('It was rolled back.').waitFor()
  await region(onlooker, 'Progress by zone')
    .getByText(`Rolled back, ${await outcomes(second, 'applied')} of ${readers} applied`)
    .waitFor()
  expect(await onlooker.getByRole('button', { name: /Halt|Resume|Roll back|Retry|Change/ }).count()).toBe(0)
  await showInApp(onlooker, '/codedm')
  await region(onlooker, 'Latest rollout').getByRole('link', { name: 'Open rollout' }).click()
  await title(onlooker, 'first.js')
  await showInApp(onlooker, `/codedm/rollouts/${randomUUID()}`)
  await title(onlooker, 'Rollout not found')
})
