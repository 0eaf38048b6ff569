import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { manager, northfield, type Stack, startStack } from './support/processes/stack.ts'
import {
  button,
  chooseFile,
  goodScript,
  inspect,
  makeCfg,
  newHost,
  newZone,
  row,
  saveCfg,
  select,
  signedIn,
  spoilScript,
} from './support/screens/publish-wizard.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const box = (page: Page, model: string) => page.getByRole('textbox', { name: `${model} configuration text` })

test('nothing is wrong for assistive technology in any state, in either look, and nothing is wider than the screen', async () => {
  const zone = await newZone(stack, `Looks ${'W'.repeat(180)}`)
  await newHost(stack, zone.id, 'America/Chicago')
  const open = signedIn(stack, manager, { timezoneId: 'Europe/Berlin' })
  const page = await open()
  const at = (name: string) => inspect(page, name)
  await page.getByText('Other models take a printed barcode instead.').waitFor()
  await at('step 1, empty')
  await page.getByRole('textbox', { name: 'Update time' }).fill('25')
  await page.getByRole('textbox', { name: 'Update time' }).blur()
  await at('step 1, no time')
  await page.getByRole('textbox', { name: 'Update time' }).fill('02:00')
  await page.getByRole('combobox', { name: 'Zone' }).click()
  await page.getByRole('option', { name: zone.name }).waitFor()
  await page.keyboard.press('Escape')
  await select(page, zone.name, ['CR2700', 'A271/2', 'CR1500'])
  await page.locator('.next-run').getByText('on your clock').waitFor()
  await at('step 1, filled in')
  await page.getByRole('combobox', { name: 'Zone' }).getByText(zone.name).hover()
  await page.getByRole('tooltip', { name: zone.name }).waitFor({ state: 'attached' })
  await page.mouse.move(0, 0)

  await button(page, 'Next').click()
  await page.getByText('Questions about this step').waitFor()
  await at('CFG, waiting')
  await box(page, 'CR2700').fill('<cfg><a>')
  await page.getByText('Receiving').waitFor()
  await at('CFG, receiving')
  await page.getByText('Stopped before the end').waitFor()
  await button(page, 'The text stopped before the closing tag').click()
  await at('CFG, stopped, with an answer open')
  await box(page, 'CR2700').fill('1 2 3')
  await page.getByText('does not start with a tag').first().waitFor()
  await at('CFG, wrong')
  await box(page, 'CR2700').fill(makeCfg('looks '.repeat(80)))
  await at('CFG, complete')
  await button(page, 'Next').click()
  await page.getByRole('radio', { name: /CodeRules/ }).check()
  await chooseFile(page, 'empty.js', '')
  await page.getByText('The file empty.js is empty.').waitFor()
  await at('CodeRules, refused')
  await chooseFile(page, 'loop.js', 'rules_onDecode = () => { for (;;); }')
  await page.getByRole('alert').getByText('takes more than 40 million steps').waitFor()
  await button(page, 'Try it on sample scans').click()
  await page.getByText('Not tried').first().waitFor()
  await at('CodeRules, cannot work')
  await chooseFile(page, 'name.js', 'rules_onDecode = d => d\nrules_other = 1')
  await page.getByText('which readers do not call').waitFor()
  await at('CodeRules, with a warning')
  await spoilScript(page)
  await chooseFile(page, 'bad.js', goodScript)
  await page.getByText('Ready', { exact: true }).waitFor()
  await at('CodeRules, chosen')
  await button(page, 'Next').click()
  await saveCfg(page, 'CR1500', makeCfg('CR1500'))
  await row(page, 'CR1500').waitFor()
  await button(page, 'Add firmware to CR1500').click()
  await page.getByText('(latest)').waitFor()
  await at('firmware beside a configuration')
  await button(page, 'Next').click()
  await page.getByText('CR1500 also receives firmware.').waitFor()
  await at('review')
  await page.getByRole('link', { name: 'Device Management Home' }).click()
  await page.getByRole('dialog').waitFor()
  await at('leaving')
  await button(page, 'Stay').click()
  await button(page, 'Publish').click()
  await page.getByRole('alert').getByText('The file bad.js is not text. If it is a script, save it as UTF-8.').waitFor()
  await at('review, one failed')
  await stack.sql('delete from host where zone_id = (select id from zone where public_id = $1)', [zone.id])
  await (await stack.api())('deleteZone', { params: { organizationId: northfield, location: zone.id } })
  await button(page, 'Retry A271/2').click()
  await page.getByText(`The zone ${zone.name} was deleted.`).waitFor()
  await at('review, zone deleted')
  await page.getByRole('link', { name: 'choose another zone' }).click()
  await page.getByText('Choose a zone first.').first().waitFor({ state: 'attached' })
  await at('step 1, zone deleted')
  await showInApp(page, '/codedm/apply-config?step=CR9999')
  await page.getByText('Invalid device: CR9999').waitFor()
  await at('no such step')
  await showInApp(page, '/codedm/config-success')
  await page.getByText('Success! Your Configuration has published.').waitFor()
  await at('success')
  await page.context().close()
})
