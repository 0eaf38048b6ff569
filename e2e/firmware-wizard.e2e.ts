import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoneStack, manager, member, startLoneStack } from './support/processes/stack.ts'
import * as wizard from './support/screens/firmware-wizard.ts'
import * as publish from './support/screens/publish-wizard.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { tabTo } from './support/tab-to.ts'

let stack: LoneStack
let open: (path?: string) => Promise<Page>
beforeAll(async () => {
  stack = await startLoneStack()
  open = publish.signedIn(stack)
})
afterAll(() => stack?.stop())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const isDisabled = async (page: Page, name: string) => (await publish.button(page, name).getAttribute('aria-disabled')) === 'true'
const success = (page: Page) => page.waitForURL(/\/config-success\?of=firmware&rollout=/)

test('[FRM-01 FRM-02 FRM-03 FRM-05 FRM-06 FRM-07 FRM-08 FRM-09 FRM-10 FRM-11 FRM-15 FRM-17 WIZ-12] one model gets an older version, the other a file; one fails and is retried alone', async () => {
  const zone = await publish.newZone(stack, 'Firmware')
  await wizard.newReaders(stack, zone, 'CR2700', ['4.12.0', '4.12.0', '4.11.3'])
  const page = await open(wizard.firmwarePath)
  await heading(page, 'Select Zone and Device to Update').waitFor()
  await page.getByText('Choose a zone first.').waitFor()
  expect(await isDisabled(page, 'Next')).toBe(true)
  await publish.select(page, zone.name, [])
  await page.getByText('Tick at least one model first.').waitFor()
  await publish.select(page, zone.name, ['CR2700', 'V4500', 'CR1100'])
  await page.getByRole('checkbox', { name: 'CR1100' }).uncheck()
  await page.getByRole('textbox', { name: 'Update time' }).fill('03:15')
  await publish.button(page, 'Next').click()

  await heading(page, 'Manage Firmware').waitFor()
  await page.getByText(`CR2700, device 1 of 2. This firmware goes to 3 readers in ${zone.name}.`).waitFor()
  await wizard.versionSelect(page).getByText('4.13.0 (latest)').waitFor()
  await wizard.versionSelect(page).click()
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['4.13.0 (latest)', '4.12.0', '4.11.3', 'Custom file'])
  await page.getByRole('option', { name: '4.11.3' }).click()
  await page.getByText('2 readers in this zone run newer firmware, up to 4.12.0. Publishing 4.11.3 asks for confirmation.').waitFor()
  await publish.button(page, 'Next').click()

  await page.getByText('V4500, device 2 of 2.').waitFor()
  await wizard.versionSelect(page).getByText('2.0.0 (latest)').waitFor()
  await wizard.pick(page, 'Custom file')
  expect(await isDisabled(page, 'Next')).toBe(true)
  const refused = async (files: { name: string; size: number }[], words: string) => {
    await wizard.dropFirmware(page, files)
    await page.getByText(words, { exact: true }).waitFor()
    expect(await isDisabled(page, 'Next')).toBe(true)
  }
  await refused([{ name: 'notes.txt', size: 9 }], 'File type must be .ufw, .crvfw')
  await refused([{ name: 'empty.ufw', size: 0 }], 'The file empty.ufw is empty.')
  await refused(
    ['one.ufw', 'two.crvfw'].map((name) => ({ name, size: 9 })),
    'Too many files',
  )
  await wizard.dropFirmware(page, [{ name: 'dropped.ufw', size: 9 }])
  await publish.button(page, 'Remove dropped.ufw').click()
  await page.getByText('dropped.ufw').waitFor({ state: 'detached' })
  expect(await isDisabled(page, 'Next')).toBe(true)
  const [dialog] = await Promise.all([page.waitForEvent('filechooser'), publish.button(page, 'Import a File').click()])
  expect(dialog.isMultiple()).toBe(false)
  await dialog.setFiles({ name: 'own.crvfw', mimeType: 'application/octet-stream', buffer: Buffer.from('firmware of our own') })
  await page.getByText('Ready').waitFor()
  await publish.button(page, 'Next').click()

  await heading(page, 'Review Your Firmware Selections').waitFor()
  await page.reload()
  await publish.row(page, 'V4500').getByText('own.crvfw').waitFor()
  await publish.row(page, 'CR2700').getByText('4.11.3').waitFor()
  expect(await publish.row(page, 'CR1100').count()).toBe(0)
  await page.getByText('Do not power off the device during the update: it can damage the reader.').waitFor()
  await publish.button(page, 'Publish').click()
  await page.getByRole('dialog').getByText(`CR2700: from 4.12.0 back to 4.11.3 on 2 readers in ${zone.name}.`).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click()
  await publish.row(page, 'CR2700').getByText('Not sent').waitFor()
  expect(await wizard.listVersions(stack, zone.id)).toEqual([])

  await wizard.offer(stack, 'CR2700', '4.11.3', false)
  await publish.button(page, 'Publish').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await publish.row(page, 'V4500').getByText('Published', { exact: true }).waitFor()
  const message = 'Firmware 4.11.3 for CR2700 was withdrawn. Choose another version.'
  await page.getByRole('alert').getByText(`CR2700 could not be published. ${message}`).waitFor()
  await page.reload()
  await publish.row(page, 'V4500').getByText('Published', { exact: true }).waitFor()
  await wizard.offer(stack, 'CR2700', '4.11.3', true)
  await publish.button(page, 'Retry CR2700').click()
  await success(page)
  await heading(page, 'Manage Firmware').waitFor()
  await page.getByText('Success! Your firmware has published.').waitFor()
  const common = { revision: 1, update_time: '03:15' }
  expect(await wizard.listVersions(stack, zone.id)).toMatchObject([
    { ...common, device_type: 'CR2700', version: '4.11.3' },
    { ...common, device_type: 'V4500', version: null, file_name: 'own.crvfw' },
  ])
  await page.getByRole('link', { name: 'Done' }).click()
  await page.waitForURL(`${stack.url}/codedm`)
})

test('[FRM-17 PUB-10] an upload shows how far it is, can be cancelled and sent again; a draft asks before it is left, and its file goes with it', async () => {
  const zone = await publish.newZone(stack, 'Upload')
  const page = await open(wizard.firmwarePath)
  await publish.select(page, zone.name, ['CR5200', 'CR1500'])
  await publish.button(page, 'Next').click()
  await wizard.versionSelect(page).getByText('3.9.0 (latest)').waitFor()
  await publish.button(page, 'Next').click()
  await wizard.pick(page, 'Custom file')
  await wizard.dropFirmware(page, [{ name: 'large.crvfw', size: 6_000_000 }])
  await page.getByText('5.7 MB').waitFor()
  await publish.button(page, 'Next').click()
  await publish.row(page, 'CR5200').getByText('large.crvfw').waitFor()
  await wizard.slowUploads(page, 60_000)
  await publish.button(page, 'Publish').click()
  await page.getByRole('progressbar', { name: 'Uploading CR5200' }).waitFor()
  await publish.row(page, 'CR1500').getByText('Published', { exact: true }).waitFor()
  await page.getByText(/ of 5\.7 MB, \d+ %/).waitFor()
  await publish.button(page, 'Cancel upload of CR5200').click()
  await publish.row(page, 'CR5200').getByText('The upload was cancelled.').waitFor()
  await wizard.slowUploads(page, -1)
  await page.reload()

  await page.getByRole('link', { name: 'Device Management Home' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without publishing?' })
  await question.getByText('What you chose for CR5200 is not published and will be discarded. CR1500 stays published.').waitFor()
  await publish.button(page, 'Stay').click()
  await wizard.slowUploads(page, 60_000)
  await publish.button(page, 'Retry CR5200').click()
  await page.getByText(/ of 5\.7 MB, \d+ %/).waitFor()
  // The connection is cut in the middle. The page asks again by itself for a while.
  await stack.crash()
  await stack.start()
  await wizard.slowUploads(page, -1)
  const retry = publish.button(page, 'Retry CR5200')
  await heading(page, 'Manage Firmware').or(retry).first().waitFor()
  if (await retry.isVisible()) await retry.click()
  await success(page)
  expect(await wizard.listVersions(stack, zone.id)).toMatchObject([
    { device_type: 'CR1500', revision: 1, version: '3.9.0' },
    { device_type: 'CR5200', revision: 1, file_name: 'large.crvfw' },
  ])
  const kept = await page.evaluate(async () => {
    const opening = indexedDB.open('lectern')
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const keys = opening.result.transaction('files').objectStore('files').getAllKeys()
    await new Promise((resolve) => keys.addEventListener('success', resolve))
    return keys.result
  })
  expect(kept).toEqual([])
})

test('[CFG-22 FRM-04] firmware that is added on the review of Configure Zones is shown there, and published beside the configuration', async () => {
  const zone = await publish.newZone(stack, 'Both')
  const page = await publish.fillIn(await open(), zone.name, ['CR2700', 'A271/2'])
  await publish.row(page, 'CR2700').getByText('Firmware: no change.').waitFor()
  for (const [model, choice] of [
    ['CR2700', '4.12.0'],
    ['A271/2', 'Custom file'],
  ] as const) {
    await publish.button(page, `Add firmware to ${model}`).click()
    await wizard.versionSelect(page).getByText('(latest)').waitFor()
    await wizard.pick(page, choice)
    if (choice === 'Custom file') await wizard.dropFirmware(page, [{ name: 'own.crbfw', size: 9 }])
    await publish.button(page, 'Next').click()
    await publish
      .row(page, model)
      .getByText(choice === 'Custom file' ? 'own.crbfw' : choice)
      .waitFor()
  }
  await publish.row(page, 'A271/2').getByText(publish.makeCfg('A271/2')).waitFor()
  await page.getByText('CR2700 and A271/2 also receive firmware. Do not power off the device during the update').waitFor()
  await publish.button(page, 'Remove A271/2 firmware').click()
  await publish.row(page, 'A271/2').getByText('Firmware: no change.').waitFor()
  await publish.button(page, 'Publish').click()
  await page.waitForURL(/\/config-success\?rollout=/)
  expect((await publish.publications(stack, zone.id)).map(({ device_type, content }) => [device_type, content]).sort()).toEqual([
    ['A271/2', 'cfg'],
    ['CR2700', 'cfg'],
    ['CR2700', 'firmware'],
  ])
})

test('[PER-04 FRM-14 WIZ-06] without manage:firmware the wizard is not shown; a page without firmware or zone says so', async () => {
  const refused = await stack.page(member, wizard.firmwarePath)
  await refused.getByText('This page needs the permission “Publish firmware, manage zones”.').waitFor()
  expect(await refused.getByRole('combobox').count()).toBe(0)
  await refused.context().close()
  const page = await open(`${wizard.firmwarePath}?step=CR2700`)
  await page.getByRole('alert').getByText("firmware can't be null for current page", { exact: true }).waitFor()
  await showInApp(page, `${wizard.firmwarePath}?step=review`)
  await page.getByRole('alert').getByText('no location', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Select Zone and Device to Update' }).click()
  await heading(page, 'Select Zone and Device to Update').waitFor()
})

test('[FRM-05 FRM-06] the whole wizard with the keyboard alone', async () => {
  const zone = await publish.newZone(stack, 'Keys')
  await wizard.newReaders(stack, zone, 'A271/2', ['2.7.0'])
  const page = await open(wizard.firmwarePath)
  const { keyboard } = page
  const highlighted = (name: string) => page.locator('[data-highlighted]').getByText(name, { exact: true }).waitFor()
  await heading(page, 'Select Zone and Device to Update').waitFor()
  await page.getByRole('combobox', { name: 'Zone' }).getByText('Choose a zone').waitFor()
  await tabTo(page, /^Zone/)
  await keyboard.press('Enter')
  await page.locator('[data-highlighted]').waitFor()
  await keyboard.type('Keys')
  await highlighted(zone.name)
  await keyboard.press('Enter')
  await tabTo(page, /^A271\/2/)
  await keyboard.press('Space')
  await tabTo(page, 'Next')
  await keyboard.press('Enter')
  await wizard.versionSelect(page).getByText('2.7.0 (latest)').waitFor()
  await tabTo(page, /^Select Firmware Version/)
  await keyboard.press('Enter')
  await highlighted('2.7.0 (latest)')
  await keyboard.press('ArrowDown')
  await highlighted('2.6.1')
  await keyboard.press('Enter')
  await tabTo(page, 'Next')
  await keyboard.press('Enter')
  await publish.row(page, 'A271/2').getByText('2.6.1').waitFor()
  await tabTo(page, 'Publish')
  await keyboard.press('Enter')
  await page.getByRole('dialog').getByText('A271/2: from 2.7.0 back to 2.6.1 on 1 reader').waitFor()
  await keyboard.press('Enter')
  await success(page)
  await tabTo(page, 'Done')
  await keyboard.press('Enter')
  await page.waitForURL(`${stack.url}/codedm`)
})

test('nothing is wrong for assistive technology in any state, in either look', async () => {
  const zone = await publish.newZone(stack, 'Firmware looks')
  await publish.newHost(stack, zone.id, 'America/Chicago')
  await wizard.newReaders(stack, zone, 'CR2700', ['4.12.0', '4.11.3'])
  const page = await publish.signedIn(stack, manager, { timezoneId: 'Europe/Berlin' })(wizard.firmwarePath)
  await page.route('**/device/V1300/available-firmware', (route) => route.fulfill({ status: 500, json: {} }))
  await page.route('**/device/CR1500/available-firmware', (route) => route.fulfill({ json: [] }))
  await publish.select(page, zone.name, ['CR2700', 'CR1500', 'CR5200', 'V1300'])
  await page.locator('.next-run').getByText('on your clock').waitFor()
  await publish.inspect(page, 'zone and devices')
  await publish.button(page, 'Next').click()
  await wizard.versionSelect(page).getByText('(latest)').waitFor()
  await page.getByText('CR2700 now').waitFor()
  await publish.button(page, 'Which version should I choose?').click()
  await publish.inspect(page, 'latest version')
  await wizard.pick(page, '4.11.3')
  await page.getByText('asks for confirmation').waitFor()
  await publish.inspect(page, 'older version')
  await publish.button(page, 'Next').click()
  await page.getByText('There is no release for CR1500 yet. Choose a file of your own.').waitFor()
  await wizard.dropFirmware(page, [{ name: 'notes.txt', size: 9 }])
  await page.getByText('File type must be .crvfw').waitFor()
  await publish.inspect(page, 'no release, file refused')
  await wizard.dropFirmware(page, [{ name: 'a-long-name-of-a-file-that-has-to-be-broken-somewhere-3.9.0.crvfw', size: 6_000_000 }])
  await page.getByText('Ready', { exact: true }).waitFor()
  await publish.inspect(page, 'file chosen')
  await publish.button(page, 'Next').click()
  await wizard.versionSelect(page).getByText('(latest)').waitFor()
  await publish.button(page, 'Next').click()
  await page.getByText('The versions for V1300 could not be loaded.').waitFor()
  await publish.inspect(page, 'versions not loaded')
  await publish.button(page, 'Next').click()
  await publish.row(page, 'V1300').getByText('Latest', { exact: true }).waitFor()
  await publish.inspect(page, 'summary')
  await wizard.offer(stack, 'CR2700', '4.11.3', false)
  await wizard.slowUploads(page, 30_000)
  await publish.button(page, 'Publish').click()
  await page.getByRole('dialog').getByText('from 4.12.0 back to 4.11.3').waitFor()
  await publish.inspect(page, 'question')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByText(/ of 5\.7 MB, \d+ %/).waitFor()
  await page.getByRole('alert').getByText('CR2700 could not be published.').waitFor()
  await publish.inspect(page, 'uploading, one failed')
  await wizard.offer(stack, 'CR2700', '4.11.3', true)
  await publish.button(page, 'Cancel upload of CR1500').click()
  await publish.row(page, 'CR1500').getByText('The upload was cancelled.').waitFor()
  await showInApp(page, '/codedm/config-success?of=firmware')
  await page.getByText('Success! Your firmware has published.').waitFor()
  await publish.inspect(page, 'success')
  await page.context().close()
})
