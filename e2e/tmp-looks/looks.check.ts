import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { manager, northfield, startStack } from '../support/processes/stack.ts'
import { button, makeCfg, saveCfg, wizardPath } from '../support/screens/publish-wizard.ts'

const out = '/tmp/scratch/me/looks'
const looks = [
  [1440, 'light'],
  [390, 'dark'],
  [834, 'light'],
] as const
test('looks', async () => {
  const stack = await startStack()
  const api = await stack.api(manager)
  const params = { organizationId: northfield }
  const { spawnSync } = await import('node:child_process')
  spawnSync(process.execPath, ['bench/src/fill.ts', northfield, '40000', '500', 'plain'], {
    env: { ...process.env, DATABASE_URL: stack.databaseUrl },
    stdio: 'inherit',
  })
  await stack.sql(`update host set last_seen_at = now(), readers_seen_at = now() where last_seen_at is not null`)
  await stack
    .sql(
      `insert into tag (organization_id, name) select id, t from organization, unnest(array['Berlin','Hamburg','Flagship store','Pilot']) t where public_id = $1`,
      [northfield],
    )
    .catch((e) => console.log('tag', e.message))
  const zones = (await api('listZones', { params } as never)) as { id: string; name: string }[]
  const ids = zones.map((z) => z.id)
  for (const [tag, from, to] of [
    ['Berlin', 0, 120],
    ['Hamburg', 120, 200],
    ['Flagship store', 60, 140],
  ] as const)
    for (let at = from; at < to; at += 100)
      await api('tagZones', { params, body: { zones: ids.slice(at, Math.min(to, at + 100)), add: [tag], remove: [] } } as never).catch(
        (e: Error) => console.log(e.message.slice(0, 300)),
      )
  const shot = async (page: Page, name: string) => {
    if (/^(zones|picker|step|review|phases)/.test(name)) return
    for (const [width, scheme] of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: scheme })
      await page.waitForTimeout(250)
      await page.screenshot({ path: `${out}/${name}-${width}.png`, fullPage: true })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
  }
  const page = await stack.page(manager, '/codedm/zones')
  page.on('response', async (r) => {
    if (r.url().includes('publications')) console.log(r.status(), r.url(), (await r.text()).slice(0, 600))
  })
  await page.locator('tbody tr').first().waitFor()
  await shot(page, 'zones')
  await page.goto(`${stack.url}${wizardPath}`)
  await button(page, 'Choose several zones').click()
  await page
    .getByRole('dialog', { name: 'Choose zones' })
    .getByText(/zones? match$/)
    .waitFor()
  await shot(page, 'picker')
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /^Berlin/ })
    .check()
  await page.waitForTimeout(300)
  await button(page, 'Choose all that match').click()
  await shot(page, 'picker-chosen')
  await page.getByRole('button', { name: /^Use \d+ zones/ }).click()
  await shot(page, 'step1')
  await page.getByRole('checkbox', { name: 'CR2700' }).check()
  await button(page, 'Next').click()
  await page.waitForTimeout(500)
  await shot(page, 'step2')
  await saveCfg(page, 'CR2700', makeCfg('many'))
  await page.getByRole('heading', { name: 'Review Your Device Configuration Selections' }).waitFor()
  await page.waitForTimeout(2500)
  await shot(page, 'review')
  await page.getByRole('region', { name: 'Safety' }).getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add phase' }).click()
  await page.getByRole('dialog').getByLabel('Share of readers').fill('10')
  await shot(page, 'phases-dialog')
  await button(page, 'Use for this rollout').click()
  await shot(page, 'review-phases')
  await button(page, 'Publish').click()
  await page.waitForTimeout(3000)
  await shot(page, 'after-publish')
  const ask = page.getByRole('dialog')
  if (await ask.count()) {
    console.log(await ask.innerText())
    for (const name of [/wait/i, /Publish/]) {
      const b = ask.getByRole('button', { name })
      if (await b.count()) {
        await b.first().click()
        break
      }
    }
  }
  await page.waitForTimeout(8000)
  await shot(page, 'published')
  console.log(page.url(), (await page.locator('main').innerText()).slice(-1500))
  await page.waitForURL(/rollout=/, { timeout: 5000 })
  await shot(page, 'success')
  const rollout = new URL(page.url()).searchParams.get('rollout')
  await page.goto(`${stack.url}/codedm/rollouts/${rollout}`)
  await page.waitForTimeout(2500)
  await shot(page, 'rollout')
  await page.goto(`${stack.url}/codedm/publishing-settings`).catch(() => 0)
  await page.waitForTimeout(1500)
  await shot(page, 'settings')
  await page.goto(`${stack.url}/codedm/library`).catch(() => 0)
  await page.waitForTimeout(1500)
  await shot(page, 'library')
  const row = page.locator('tbody button').first()
  if (await row.count()) {
    await row.click()
    await page.waitForTimeout(1200)
    await shot(page, 'library-open')
  }
  await stack.stop()
})
