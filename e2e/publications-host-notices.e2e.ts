import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFindings } from './support/axe.ts'
import { manager, type Stack, startStack } from './support/processes/stack.ts'
import { button, makeCfg, newHost, newZone, saveCfg, select, signedIn } from './support/screens/publish-wizard.ts'

let stack: Stack
let open: ReturnType<typeof signedIn>

beforeAll(async () => {
  stack = await startStack()
  open = signedIn(stack, manager, { timezoneId: 'Europe/Berlin' })
})
afterAll(() => stack?.stop())

test('[AGT-08 AGT-09] Review says of a wrong clock when its readers begin in truth, and of a host PC on two PCs that it gets nothing', async () => {
  const zone = await newZone(stack, 'Wrong')
  await newHost(stack, zone.id, 'Europe/Berlin')
  await stack.sql('update host set clock_ahead = -3700, on_two_pcs_at = now() where zone_id = (select id from zone where public_id = $1)', [
    zone.id,
  ])
  const page = await open()
  await select(page, zone.name, ['CR2700'])
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', makeCfg('wrong'))
  const where = `See Host PCs of ${zone.name} under Zones.`
  const clock =
    /^The clock of 1 host PC is 1 hour and 1 minute behind\. By the true time its readers begin (today|tomorrow) 03:01, (in [\dhmin ]+|at once) \(.*, Europe\/Berlin\)\. /
  expect(await page.getByText(clock).innerText()).toContain(where)
  await page.getByText(`1 host PC runs on two PCs. Nothing is handed out to it until each of the PCs is enrolled anew. ${where}`).waitFor()
  expect(await axeFindings(page)).toEqual([])
})
