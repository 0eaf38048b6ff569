import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { manager, northfield, type Stack, startStack } from './support/processes/stack.ts'
import { button, fillIn, makeCfg, newHost, newZone, saveCfg, select, signedIn, wizardPath } from './support/screens/publish-wizard.ts'
import { tabTo } from './support/tab-to.ts'

let stack: Stack
let open: ReturnType<typeof signedIn>

beforeAll(async () => {
  stack = await startStack()
  open = signedIn(stack, manager, { timezoneId: 'Europe/Berlin' })
})
afterAll(() => stack?.stop())

const fact = (page: Page, term: string) => page.locator('dt', { hasText: term }).locator('xpath=following-sibling::dd[1]')
async function published(page: Page): Promise<void> {
  await page.waitForURL(/\/config-success\?rollout=/)
  await page.getByText('Success! Your Configuration has published.').waitFor()
}

/** `HH:mm` in Berlin, so many minutes from now. */
const inMinutes = (minutes: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' }).format(Date.now() + minutes * 60_000)

test('[NOW-01 NOW-02] step 1 offers Now and At; what is published now is at once, and every place says so', async () => {
  const zone = await newZone(stack, 'Now')
  await newHost(stack, zone.id, 'Europe/Berlin')
  const page = await open()
  expect(await page.getByRole('radio', { name: 'At', exact: true }).isChecked()).toBe(true)
  expect(await page.getByRole('textbox', { name: 'Update time' }).inputValue()).toBe('02:00')
  await select(page, zone.name, ['CR2700'])
  await page.getByRole('radio', { name: 'Now' }).click()
  await page.getByText('Readers begin as soon as their host PC has it, whatever its clock says.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Update time' }).count()).toBe(0)
  await page.getByText(`in ${zone.name}, now`).waitFor()
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', makeCfg('now'))
  expect(await fact(page, 'Update time').innerText()).toBe('Now')
  await button(page, 'Publish').click()
  await published(page)
  const rows = await stack.sql('select at_once from publication where zone_id = (select id from zone where public_id = $1)', [zone.id])
  expect(rows).toEqual([{ at_once: true }])
  expect(await fact(page, 'Update time').innerText()).toBe('Now: as soon as the host PC has it')
})

test('[NOW-02 SEE-04] step 1, its foot, review and success page name the same run, once in each place; the success page also after a reload', async () => {
  const zone = await newZone(stack, 'Named')
  await newHost(stack, zone.id, 'America/Chicago')
  const page = await open()
  await select(page, zone.name, ['CR2700'])
  const run =
    /(today|tomorrow) 02:00, (?:in [\dhmin ]+|at once) \(\w{3} \d+ \w{3} \d{4}, America\/Chicago; (\w{3} \d+ \w{3} \d{4} )?\d{2}:00 on your clock\)/
  await page.locator('.next-run').getByText(run).waitFor()
  const foot = page.getByRole('region', { name: 'Actions' })
  const brief = foot.getByText(/^(today|tomorrow) 02:00 local, (in [\dhmin ]+|at once)$/)
  await brief.waitFor()
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', makeCfg('named'))
  expect(await fact(page, 'Update time').innerText()).toMatch(run)
  expect(await foot.getByText('02:00').count()).toBe(0)
  await button(page, 'Publish').click()
  await published(page)
  for (const again of [false, true]) {
    if (again) await page.reload()
    await page.getByText('Success! Your Configuration has published.').waitFor()
    expect(await fact(page, 'Zone').innerText()).toBe(zone.name)
    expect(await fact(page, 'Models').innerText()).toBe('CR2700')
    expect(await fact(page, 'Readers').innerText()).toBe('0')
    expect(await fact(page, 'Update time').innerText()).toMatch(run)
  }
})

test('[SEE-04] of several clocks the foot of step 1 and the head of Review have one phrase, and the lines behind it', async () => {
  const zone = await newZone(stack, 'Several clocks')
  for (const timeZone of ['America/Denver', 'America/Chicago', 'America/New_York']) await newHost(stack, zone.id, timeZone)
  const page = await open()
  // 08:00 in New York.
  await page.clock.setFixedTime('2026-01-15T13:00:00Z')
  await select(page, zone.name, ['CR2700'])
  const words = 'tomorrow 02:00 local, 3 time zones, first in 18 h'
  const foot = page.getByRole('region', { name: 'Actions' })
  await foot.getByText(words, { exact: true }).hover()
  const lines = page.getByRole('tooltip')
  for (const city of ['New_York', 'Chicago', 'Denver']) await lines.getByText(new RegExp(`Fri 16 Jan 2026, America/${city}`)).waitFor()
  expect(await page.locator('.next-run').getByText('tomorrow 02:00').count()).toBe(3)
  await page.mouse.move(0, 0)
  await lines.waitFor({ state: 'detached' })
  await tabTo(page, words)
  await lines.waitFor()
  await page.keyboard.press('Escape')
  await lines.waitFor({ state: 'detached' })
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', makeCfg('several clocks'))
  const head = fact(page, 'Update time')
  await head.getByText(words, { exact: true }).focus()
  await page.keyboard.press('Enter')
  expect((await head.getByRole('listitem').allInnerTexts()).map((line) => line.slice(0, line.indexOf(';')))).toEqual([
    'tomorrow 02:00, in 18 h (Fri 16 Jan 2026, America/New_York',
    'tomorrow 02:00, in 19 h (Fri 16 Jan 2026, America/Chicago',
    'tomorrow 02:00, in 20 h (Fri 16 Jan 2026, America/Denver',
  ])
  const summary = page.locator('.action-foot-summary')
  expect(await summary.innerText()).toMatch(/^\d+ readers?, 1 model$/)
  expect((await summary.boundingBox())!.height).toBeLessThan(30)
})

test('[NOW-02 SEE-09] after a publish to 46 zones the success page, the rollout and its row say day, time and distance, with the rest on hover', async () => {
  const api = await stack.api()
  const params = { organizationId: northfield }
  const ids: string[] = []
  for (const city of ['Denver', 'Chicago']) {
    const zone = await newZone(stack, `Many ${city}`)
    await newHost(stack, zone.id, `America/${city}`)
    await stack.sql(
      `with more as (
         insert into zone (public_id, organization_id, name)
         select gen_random_uuid(), z.organization_id, z.name || ' ' || n from zone z, generate_series(1, 22) n where z.public_id = $1
         returning id, organization_id
       ) insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, last_seen_at)
         select gen_random_uuid(), m.organization_id, m.id, h.licence_id, 'PC', h.time_zone, '1', now()
         from more m, host h join zone z on z.id = h.zone_id where z.public_id = $1`,
      [zone.id],
    )
  }
  ids.push(...(await api('listZones', { params })).filter(({ name }) => name.startsWith('Many ')).map(({ id }) => id))
  expect(ids).toHaveLength(46)
  await stack.sql(
    `insert into device (organization_id, zone_id, host_id, serial_number, device_type, last_seen_at)
     select h.organization_id, h.zone_id, h.id, 'M' || h.id, 'CR2700', now() from host h join zone z on z.id = h.zone_id where z.public_id = any($1::uuid[])`,
    [ids],
  )
  const key = crypto.randomUUID()
  // While it is 02:00 in one of the two cities and not yet in the other, their next 02:00 is on two days.
  const hour = new Date().getUTCHours()
  const updateTime = hour >= 6 && hour <= 9 ? '14:00' : '02:00'
  const parts = [{ model: 'CR2700' as const, content: { kind: 'cfg' as const, text: makeCfg('many') } }]
  await api('publishToZones', { params, body: { key, zones: { ids }, parts, when: { updateTime } } })

  const page = await open(`/codedm/config-success?rollout=${key}`)
  const phrase = new RegExp(`^(today|tomorrow) ${updateTime} local, 2 time zones, first in [\\dhmin ]+$`)
  const line = (city: string) => new RegExp(`(today|tomorrow) ${updateTime}, in [\\dhmin ]+ \\(.+ America/${city}; .+ on your clock\\)$`)
  const time = fact(page, 'Update time')
  await time.getByText(phrase).waitFor()
  expect((await time.getByText(phrase).innerText()).length).toBeLessThanOrEqual(60)
  for (const city of ['Denver', 'Chicago']) await time.getByText(line(city)).waitFor()
  await page.getByRole('link', { name: 'Watch the rollout' }).click()
  const begin = page.getByRole('list', { name: 'When readers begin' }).getByRole('listitem')
  await begin.first().waitFor()
  expect(await begin.allInnerTexts()).toEqual([expect.stringMatching(line('Chicago')), expect.stringMatching(line('Denver'))])
  await page.getByRole('navigation').getByRole('link', { name: 'Rollouts', exact: true }).click()
  await page.getByRole('row').getByText(phrase).hover()
  await page.getByRole('tooltip').getByText(line('Denver')).waitFor()
})

test('[NOW-03] while the clocks of the zone are not known, nothing is published for a time', async () => {
  const zone = await newZone(stack, 'Unknown clocks')
  await newHost(stack, zone.id, 'Europe/Berlin')
  const page = await open()
  await fillIn(page, zone.name, ['CR2700'])
  await page.route('**/locations/overview*', (route) => route.abort())
  await page.reload()
  await page.getByRole('heading', { level: 1, name: /^Review/ }).waitFor()
  await button(page, 'Publish').focus()
  await page.getByText('Loading the host PCs...').waitFor()
  expect(await button(page, 'Publish').getAttribute('aria-disabled')).toBe('true')
  await page.unroute('**/locations/overview*')
  await page.reload()
  await button(page, 'Publish').click()
  await published(page)
})

/** The review of a run that has moved to the next day since step 1, by the browser's clock. */
async function movedRun(name: string) {
  const zone = await newZone(stack, name)
  await newHost(stack, zone.id, 'Europe/Berlin')
  // A context of its own: its clock stays changed.
  const page = await stack.page(manager, wizardPath, { timezoneId: 'Europe/Berlin' })
  onTestFinished(() => page.context().close())
  const time = inMinutes(2)
  await page.getByRole('textbox', { name: 'Update time' }).fill(time)
  await fillIn(page, zone.name, ['CR2700'])
  await page.clock.setFixedTime(Date.now() + 4 * 60_000)
  await button(page, 'Publish').click()
  const dialog = page.getByRole('dialog', { name: 'The run has moved to another day' })
  await dialog.waitFor()
  const starts = () =>
    stack.sql('select at_once, update_time from publication where zone_id = (select id from zone where public_id = $1)', [zone.id])
  return { page, dialog, time, starts }
}

test('[NOW-03] where the run has moved to another day, Publish says the old and the new one; it can be taken back, or published for the new day', async () => {
  const { page, dialog, time, starts } = await movedRun('Moved')
  await dialog.getByText(new RegExp(`^(today|\\w{3} \\d+ \\w{3} \\d{4}) ${time} \\(`)).waitFor()
  await dialog.getByText(new RegExp(`^tomorrow ${time}, in 23 h 5\\d min \\(`)).waitFor()
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await starts()).toEqual([])
  await button(page, 'Publish').click()
  await dialog.getByRole('button', { name: 'Publish for the new day' }).click()
  await published(page)
  expect(await starts()).toEqual([{ at_once: false, update_time: time }])
})

test('[NOW-03] or published now', async () => {
  const { page, dialog, starts } = await movedRun('Moved, now')
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await published(page)
  expect(await starts()).toEqual([{ at_once: true, update_time: '02:00' }])
})
