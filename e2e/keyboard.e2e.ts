import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContext } from './support/processes/browser.ts'
import { manager, northfield, type Stack, signIn, startStack } from './support/processes/stack.ts'
import { emulatePointerLock } from './support/screens/pointer-lock.ts'
import { tabTo } from './support/tab-to.ts'

const zone = 'Keyboard Ward'
let stack: Stack

beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

test('the main job with the keyboard alone: sign in, create a zone, publish to it, look at the dashboard', async () => {
  const context = await openContext(stack.browser)
  const page = await context.newPage()
  const { keyboard } = page
  await page.goto(`${stack.url}/codedm/zones`)
  await page.locator('input[name=email]').waitFor()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await tabTo(page, /^E-?mail/i)
  await keyboard.type(manager)
  await tabTo(page, /^Password/)
  await keyboard.type('lectern-demo')
  await keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Manage Your Zones' }).waitFor()
  await page.getByText('ED Triage').waitFor()
  await tabTo(page, /^Create a zone/)
  await keyboard.type(zone)
  await keyboard.press('Enter')
  await page.getByText('Zone created', { exact: true }).waitFor()

  await page.goto(`${stack.url}/codedm/apply-config`)
  await page.getByRole('heading', { name: 'Select Zone and Devices' }).waitFor()
  await tabTo(page, /^Zone/)
  await keyboard.press('Enter')
  await page.getByRole('option', { name: zone }).waitFor()
  await keyboard.type('Keyb')
  await keyboard.press('Enter')
  await tabTo(page, /^A271\/2/)
  await keyboard.press('Space')
  await tabTo(page, 'Next')
  await keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Configure A271/2' }).waitFor()
  await page.getByRole('textbox', { name: 'A271/2 configuration text' }).waitFor()
  await emulatePointerLock(page)
  // "<" anywhere on the page goes to the box, as a reader's keystrokes do.
  await keyboard.type('<cfg>by hand</cfg>')
  await tabTo(page, 'Next')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Review Your Device Configuration Selections' }).waitFor()
  await tabTo(page, 'Publish')
  await keyboard.press('Enter')
  await page.getByText('Success! Your Configuration has published.').waitFor()
  await tabTo(page, 'Done')
  await keyboard.press('Enter')
  await page.waitForURL('**/codedm')

  const desired = await stack.sql('select d.device_type, d.revision from desired d join zone z on z.id = d.zone_id where z.name = $1', [
    zone,
  ])
  expect(desired).toEqual([{ device_type: 'A271/2', revision: 1 }])

  await tabTo(page, 'Manage Your Devices')
  await keyboard.press('Enter')
  await tabTo(page, /^My Devices/)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Device Dashboard' }).waitFor()
  await page.locator('tbody tr').first().waitFor()
  await tabTo(page, /^All Devices/)
  // Held, as by a finger: the key must still be down when focus arrives.
  await keyboard.down('ArrowRight')
  await page.waitForURL(/offline/i)
  await keyboard.up('ArrowRight')
  const { offline } = await (await stack.api())('getDeviceTotals', { params: { organizationId: northfield } })
  await page.getByText(`of ${offline} devices`).waitFor()
  await tabTo(page, /^Serial Number/)
  await keyboard.press('Enter')
  await page.locator('th[aria-sort=ascending], th[aria-sort=descending]').filter({ hasText: 'Serial Number' }).waitFor()
})

test('a publish takes at most 60 strokes from /codedm to the success page', async () => {
  const context = await openContext(stack.browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(`${stack.url}/codedm`)
  await signIn(page, manager)
  await page.getByRole('heading', { level: 1, name: 'Device Management' }).waitFor()
  await page.evaluate(() => navigator.clipboard.writeText('<cfg>by few keys</cfg>'))
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  let strokes = 0
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      strokes += 1
    }
  }
  const tab = async (name: string | RegExp) => {
    strokes += await tabTo(page, name)
  }

  await tab('Configure')
  await press('Enter')
  await page.locator('h1:focus', { hasText: 'Select Zone and Devices' }).waitFor()
  await page.getByRole('combobox', { name: 'Zone' }).and(page.locator(':enabled')).waitFor()
  await tab(/^Zone/)
  await press('Enter')
  await page.getByRole('option', { name: 'Radiology' }).waitFor()
  await press('r', 'a', 'd', 'Enter')
  await page.getByRole('checkbox', { name: /^CR2700/ }).waitFor()
  await tab(/^CR2700/)
  await press('Space')
  await tab('At')
  await press('ArrowLeft')
  await tab('Next')
  await press('Enter')
  await page.locator('h1:focus', { hasText: 'Configure CR2700' }).waitFor()
  await page.getByRole('textbox', { name: 'CR2700 configuration text' }).waitFor()
  await tab(/^CR2700 configuration text/)
  await press('Control+V')
  await tab('Next')
  await press('Enter')
  await page.locator('h1:focus', { hasText: 'Review Your Device Configuration Selections' }).waitFor()
  await tab('Publish')
  await press('Enter')
  await page.getByText('Success! Your Configuration has published.').waitFor()
  expect(strokes).toBeLessThanOrEqual(60)

  const published = await stack.sql(
    `select p.device_type, p.at_once, p.size::int from publication p join zone z on z.id = p.zone_id
     where z.name = 'Radiology' and p.content = 'cfg' order by p.published_at desc limit 1`,
  )
  expect(published).toEqual([{ device_type: 'CR2700', at_once: true, size: '<cfg>by few keys</cfg>'.length }])
  await context.close()
})
