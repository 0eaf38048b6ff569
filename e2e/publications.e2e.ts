import { updateModels } from '@lectern/contract/devices/device-models.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manager, member, northfield, type Stack, startStack } from './support/processes/stack.ts'
import {
  button,
  chooseFile,
  fillIn,
  goodScript,
  makeCfg,
  newHost,
  newZone,
  row,
  saveCfg,
  saveFile,
  select,
  signedIn,
  wizardPath,
} from './support/screens/publish-wizard.ts'

let stack: Stack
let zone: { id: string; name: string }
let open: (path?: string) => Promise<Page>
beforeAll(async () => {
  stack = await startStack()
  open = signedIn(stack)
  zone = await newZone(stack, 'Wizard')
})
afterAll(() => stack?.stop())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const isDisabled = async (page: Page, name: string) => (await button(page, name).getAttribute('aria-disabled')) === 'true'
const steps = (page: Page) => page.getByRole('navigation', { name: 'Configure Zones progress' }).getByRole('listitem').allInnerTexts()

/** The wizard on its first step. */
async function wizard(): Promise<Page> {
  const page = await open()
  await heading(page, 'Select Zone and Devices').waitFor()
  return page
}

/** The page of the first of some models. */
async function devicePage(...models: (typeof updateModels)[number][]): Promise<Page> {
  const page = await wizard()
  await select(page, zone.name, models)
  await button(page, 'Next').click()
  await heading(page, `Configure ${models[0]}`).waitFor()
  return page
}

describe('step 1', () => {
  test('[CFG-01 CFG-02 CFG-03 WIZ-03 WIZ-04] asks for one of the zones, models in 6 columns, and a time; Next waits for zone and time', async () => {
    const page = await wizard()
    const api = await stack.api()
    const zones = await api('listZones', { params: { organizationId: northfield } })
    const time = page.getByRole('textbox', { name: 'Update time' })
    expect(await time.inputValue()).toBe('02:00')
    expect(await isDisabled(page, 'Next')).toBe(true)
    expect(await page.getByRole('checkbox').count()).toBe(updateModels.length)
    for (const model of ['CR1100', 'CR2700', 'A271/2', 'CR1500', 'CR5200', 'V1300', 'V4500'])
      await page.getByRole('checkbox', { name: model }).waitFor()
    const columns = await page.getByRole('group', { name: 'Devices' }).evaluate((grid) => getComputedStyle(grid).gridTemplateColumns)
    expect(columns.split(' ').length).toBe(6)

    await page.getByRole('checkbox', { name: 'CR2700' }).check()
    await page.getByText('Choose a zone first.').waitFor()
    expect(await isDisabled(page, 'Next')).toBe(true)
    await page.getByRole('combobox', { name: 'Zone' }).click()
    expect(await page.getByRole('option').allInnerTexts()).toEqual(zones.map(({ name }) => name))
    await page.getByRole('option', { name: zone.name }).click()
    expect(await isDisabled(page, 'Next')).toBe(false)

    await time.fill('25:00')
    await time.blur()
    await page.getByText('The update time must be a time of day, such as 02:00.').waitFor()
    expect(await isDisabled(page, 'Next')).toBe(true)
    await button(page, 'Next').click({ force: true })
    await heading(page, 'Select Zone and Devices').waitFor()
    await time.fill('0330')
    expect(await isDisabled(page, 'Next')).toBe(false)
    await page.getByRole('checkbox', { name: 'CR2700' }).uncheck()
    await page.getByText('Tick at least one model first.').waitFor()
  })

  test("counts the zone's readers and host PCs", async () => {
    const page = await wizard()
    const params = { organizationId: northfield }
    const api = await stack.api()
    const radiology = (await api('listZones', { params })).find(({ name }) => name === 'Radiology')!
    const overview = (await api('listZoneOverviews', { params })).find(({ zoneId }) => zoneId === radiology.id)!
    await select(page, 'Radiology', ['CR2700', 'A271/2'])
    const of = (model: string) => overview.readers.find(({ deviceType }) => deviceType === model)?.count ?? 0
    for (const model of updateModels) await page.getByRole('checkbox', { name: `${model} ${of(model) || 'None'} in zone` }).waitFor()
    const run = /in Radiology, (today|tomorrow) 02:00( local)?, (in \d+ (h|min)|at once)/
    await page.getByText(run).waitFor()
    const both = of('CR2700') + of('A271/2')
    await page.getByText(`${both} readers`, { exact: true }).first().waitFor()
  })

  test('[PUB-14] shows the instant that results from the update time and each host PC’s time zone', async () => {
    const two = await newZone(stack, 'Two clocks')
    const page = await stack.page(manager, wizardPath, { timezoneId: 'Europe/Berlin' })
    await select(page, two.name, ['CR2700'])
    await page.getByText('This zone has no host PC yet. Nothing updates until one is installed.').waitFor()

    for (const timeZone of ['Europe/Berlin', 'America/Chicago']) await newHost(stack, two.id, timeZone)
    // 07:30 in Berlin, 00:30 in Chicago.
    await page.clock.setFixedTime('2026-01-15T06:30:00Z')
    await page.reload()
    await page.getByText('2 host PCs in 2 time zones, next runs:').waitFor()
    expect((await page.locator('.next-run').getByText('02:00').allTextContents()).toSorted()).toEqual([
      'today 02:00, in 1 h 30 min (Thu 15 Jan 2026, America/Chicago; 09:00 on your clock)',
      'tomorrow 02:00, in 18 h 30 min (Fri 16 Jan 2026, Europe/Berlin)',
    ])
    await page.context().close()
  })

  test('[PER-03] is not shown without manage:cfg', async () => {
    const page = await stack.page(member, wizardPath)
    await page.getByText('This page needs the permission “Publish configurations”.').waitFor()
    expect(await page.getByRole('combobox').count()).toBe(0)
    await page.close()
  })
})

describe('step 2', () => {
  test('[CFG-04 CFG-17 WIZ-01 WIZ-07 WIZ-09] has one page for each ticked model, with the way home, progress, Back and Next, which saves', async () => {
    const page = await devicePage('CR2700', 'A271/2')
    expect(await page.getByRole('link', { name: 'Device Management Home' }).getAttribute('href')).toBe('/codedm')
    expect((await steps(page)).map((text) => text.replaceAll('\n', ' ').trim())).toEqual([
      expect.stringMatching(/done$/),
      '2 Configure devices',
      expect.stringMatching(/^3 .*upcoming$/),
    ])
    expect(await isDisabled(page, 'Next')).toBe(true)
    await saveCfg(page, 'CR2700', makeCfg('first'))
    await heading(page, 'Configure A271/2').waitFor()
    const tabs = page.getByRole('list', { name: 'Devices in this update' }).getByRole('listitem')
    expect(await tabs.allInnerTexts()).toEqual([expect.stringContaining('Saved'), expect.not.stringContaining('Saved')])
    await button(page, 'Back').click()
    await heading(page, 'Configure CR2700').waitFor()
    expect(await page.getByRole('textbox').inputValue()).toBe(makeCfg('first'))
    await button(page, 'Back').click()
    await heading(page, 'Select Zone and Devices').waitFor()
  })

  test('[WIZ-08] answers questions from a module of its own, loaded when the page is shown', async () => {
    const page = await wizard()
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
    await select(page, zone.name, ['CR2700'])
    expect(scripts.some((path) => path.includes('_codedm_apply-config'))).toBe(false)
    await button(page, 'Next').click()
    const question = button(page, 'The text stopped before the closing tag')
    await question.click()
    await page.getByText('so half a configuration is never sent').waitFor()
    expect(scripts.filter((path) => path.includes('/_codedm_apply-config')).length).toBe(1)
    expect(await question.getAttribute('aria-expanded')).toBe('true')
  })

  test('[CFG-19] shows the phone line of the application engineers', async () => {
    const page = await devicePage('CR2700')
    const { supportPhone } = await (await stack.api())('getPublicSettings', {})
    await page.getByRole('link', { name: supportPhone }).waitFor()
    await page.getByText('Talk to an application engineer').waitFor()
  })

  test('[CFG-06 CFG-07] offers CFG and CodeRules as radio buttons; switching empties the choice', async () => {
    const page = await devicePage('CR2700')
    const box = page.getByRole('textbox')
    expect(await page.getByRole('radio').count()).toBe(3)
    await page.getByRole('radio', { name: 'From the library' }).waitFor()
    expect(await page.getByRole('radio', { name: 'Golden Standard Configuration (CFG)' }).isChecked()).toBe(true)
    await box.fill(makeCfg('lost'))
    await page.getByRole('radio', { name: /CodeRules/ }).check()
    await chooseFile(page, 'rules.js', goodScript)
    await page.getByText('rules.js').waitFor()
    await page.getByRole('radio', { name: /CFG/ }).check()
    expect(await box.inputValue()).toBe('')
    await page.getByRole('radio', { name: /CodeRules/ }).check()
    expect(await page.getByText('rules.js').count()).toBe(0)
  })

  test('[CFG-14 CFG-15 CFG-16 UIP-07 UIP-09] takes one .js file by drop or dialog, lists and removes it; refuses others in words', async () => {
    const page = await devicePage('CR2700')
    await page.getByRole('radio', { name: /CodeRules/ }).check()
    const refused = async (files: [string, string][], words: string) => {
      await drop(page, files)
      await page.getByText(words, { exact: true }).waitFor()
      expect(await isDisabled(page, 'Next')).toBe(true)
    }
    await refused([['notes.txt', 'text']], 'File type must be .js')
    await refused([['module.mjs', 'text']], 'File type must be .js')
    await refused([['empty.js', '']], 'The file empty.js is empty.')
    const two: [string, string][] = [
      ['one.js', '1'],
      ['two.js', '2'],
    ]
    await refused(two, 'Too many files')

    await drop(page, [['dropped.js', goodScript]])
    await page.getByText('dropped.js').waitFor()
    await page.getByText('Ready', { exact: true }).waitFor()
    expect(await isDisabled(page, 'Next')).toBe(false)
    await button(page, 'Remove dropped.js').click()
    expect(await page.getByText('dropped.js').count()).toBe(0)
    expect(await isDisabled(page, 'Next')).toBe(true)

    const [dialog] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Import a File').click()])
    expect(dialog.isMultiple()).toBe(false)
    await dialog.setFiles({ name: 'imported.js', mimeType: 'text/javascript', buffer: Buffer.from(goodScript) })
    await page.getByText('imported.js').waitFor()
  })

  test('offers the default rules as a file to start from', async () => {
    const page = await devicePage('CR2700')
    await page.getByRole('radio', { name: /CodeRules/ }).check()
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download the default rules').click()])
    expect(download.suggestedFilename()).toBe('default-code-rules.js')
  })
})

describe('step 3', () => {
  test('[CFG-20 CFG-21 WIZ-11] shows what each ticked model will run, read-only, and Publish', async () => {
    const page = await wizard()
    await select(page, zone.name, ['CR2700', 'CR1500', 'V1300'])
    await page.getByRole('checkbox', { name: 'V1300' }).uncheck()
    await button(page, 'Next').click()
    await saveFile(page, 'wristband.js', goodScript)
    await saveCfg(page, 'CR1500', makeCfg('review'))
    await heading(page, 'Review Your Device Configuration Selections').waitFor()
    expect(await row(page, 'CR2700').textContent()).toMatch(/wristband\.js\s*22 bytes/)
    expect(await row(page, 'CR1500').getByRole('region', { name: 'CR1500 configuration text, read-only' }).textContent()).toBe(
      makeCfg('review'),
    )
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await row(page, 'V1300').count()).toBe(0)
    expect(await isDisabled(page, 'Publish')).toBe(false)
    await button(page, 'Edit CR1500').click()
    await heading(page, 'Configure CR1500').waitFor()
  })
})

describe('an address that leads nowhere', () => {
  test.each([
    ['[WIZ-05] an unknown model', 'CR9999', 'Invalid device: CR9999'],
    ['[CFG-18] a model that is not ticked', 'CR2700', "config can't be null for current page"],
    ['[WIZ-06] the review without a zone', 'review', 'no location'],
  ])('%s is said, with a way back to the first step', async (_, step, words) => {
    const page = await open(`${wizardPath}?step=${step}`)
    await page.getByRole('alert').getByText(words, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Select Zone and Devices' }).click()
    await heading(page, 'Select Zone and Devices').waitFor()
  })
})

test('[WIZ-01] the browser’s own Back and Forward lead through the steps', async () => {
  const page = await fillIn(await wizard(), zone.name, ['CR2700'])
  await page.goBack()
  await heading(page, 'Configure CR2700').waitFor()
  await page.goForward()
  await row(page, 'CR2700').waitFor()
})

/** Drops files onto the page's drop zone. */
async function drop(page: Page, files: [name: string, content: string][]): Promise<void> {
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer()
    for (const [name, content] of list)
      data.items.add(new File([content], name, { type: name.endsWith('js') ? 'text/javascript' : 'text/plain' }))
    return data
  }, files)
  await page.getByText('Drag one .js file here').dispatchEvent('drop', { dataTransfer: transfer })
}
