import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeFindings, axeInLooks, looks, turn } from './support/axe.ts'
import { downloadedText } from './support/downloaded.ts'
import { manager, member } from './support/processes/stack.ts'
import { create, params, untilListed, zoneScreen } from './support/screens/zone-screen.ts'

const { api, sql, open, openPrepared } = await zoneScreen()

async function tabToButton(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await page.locator(':focus').and(page.getByRole('button', { name })).count()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach ${name}`)
}

describe('the location file', () => {
  /** A page whose browser responds to the save dialog as `picker`, the text of a function. */
  async function pageWithPicker(picker: string): Promise<{ page: Page; errors: string[] }> {
    const page = await open()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.evaluate(`window.showSaveFilePicker = ${picker}`)
    return { page, errors }
  }
  const press = (page: Page) => page.getByRole('button', { name: 'Location file for ED Triage' }).click()

  test('[ZON-10 ZON-11] is a download named Location.ctxdm that holds just the zone id', async () => {
    // A browser without a save dialog of its own for pages, such as Firefox or Safari.
    const page = await openPrepared((fresh) => fresh.addInitScript('delete window.showOpenFilePicker; delete window.showSaveFilePicker'))
    await untilListed(page)
    const downloading = page.waitForEvent('download')
    await press(page)
    const download = await downloading
    expect(download.suggestedFilename()).toBe('Location.ctxdm')
    const zone = (await api('listZones', { params })).find(({ name }) => name === 'ED Triage')
    expect(await downloadedText(download)).toBe(zone?.id)
  })

  test('[ZON-10 ZON-11] a save dialog is offered the name, the extension and "CodeDM Location File"', async () => {
    const { page, errors } = await pageWithPicker(`async (options) => {
      window.asked = options
      const handle = await (await navigator.storage.getDirectory()).getFileHandle('saved', { create: true })
      window.saved = handle
      return handle
    }`)
    await press(page)
    await expect.poll(() => page.evaluate('window.saved?.getFile().then((file) => file.size > 0)')).toBe(true)
    const asked = await page.evaluate('window.asked')
    expect(asked).toMatchObject({ suggestedName: 'Location.ctxdm', types: [{ description: 'CodeDM Location File' }] })
    expect(Object.values((asked as { types: { accept: object }[] }).types[0]!.accept)).toEqual([['.ctxdm']])
    const zone = (await api('listZones', { params })).find(({ name }) => name === 'ED Triage')
    expect(await page.evaluate('window.saved.getFile().then((file) => file.text())')).toBe(zone?.id)
    expect(errors).toEqual([])
  })

  test.each([
    ['an error', `async () => { throw new Error('The disk is full') }`, 'The disk is full'],
    ['what is no Error', `async () => { throw 'full' }`, 'Expected an error'],
  ])('[ZON-12] a save that fails with %s is thrown again and said', async (_, picker, message) => {
    const { page, errors } = await pageWithPicker(picker)
    await press(page)
    await page.getByText('Location file not saved').first().waitFor()
    await page.getByText(message).first().waitFor()
    expect(errors).toEqual([message])
  })

  test('a cancelled save dialog is no failure', async () => {
    const { page, errors } = await pageWithPicker(`async () => {
      window.asked = true
      throw new DOMException('The user aborted a request.', 'AbortError')
    }`)
    await press(page)
    await expect.poll(() => page.evaluate('window.asked !== undefined')).toBe(true)
    await create(page, 'After A Cancelled Dialog')
    await page.getByText('Zone created').first().waitFor()
    expect(await page.getByText('Location file not saved').count()).toBe(0)
    expect(errors).toEqual([])
  })
})

describe('deleting a zone', () => {
  const findDialog = (page: Page) => page.getByRole('dialog')
  const exists = async (name: string) => (await api('listZones', { params })).some((zone) => zone.name === name)

  async function openDeletion(name: string): Promise<Page> {
    const page = await open()
    await page.getByRole('searchbox', { name: 'Search zones' }).fill(name)
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await findDialog(page).getByText('Are you sure you would like to delete this zone?').waitFor()
    return page
  }

  test('[ZON-14] asks first: Back leaves the zone, Yes deletes it', async () => {
    await api('createZone', { params: { ...params, location: 'Short Lived' } })
    const page = await openDeletion('Short Lived')
    await findDialog(page).getByRole('button', { name: 'Back' }).click()
    await findDialog(page).waitFor({ state: 'detached' })
    expect(await exists('Short Lived')).toBe(true)
    await page.getByRole('button', { name: 'Delete Short Lived' }).click()
    await findDialog(page).getByRole('button', { name: 'Yes' }).click()
    await page.getByText('Zone deleted').first().waitFor()
    await page.getByText('No zone matches “Short Lived”.').waitFor()
    expect(await exists('Short Lived')).toBe(false)
  })

  test('says how many readers it concerns', async () => {
    const page = await openDeletion('Lab Accessioning')
    await findDialog(page)
      .getByText(/Its 33\d readers stop receiving updates\./)
      .waitFor()
  })

  test('[ZON-15] a zone that still has hosts stays, and they are named', async () => {
    const page = await openDeletion('Radiology')
    await findDialog(page).getByRole('button', { name: 'Yes' }).click()
    await findDialog(page)
      .getByRole('alert')
      .getByText('The zone "Radiology" still has the host PC NRH-RADIO-01. Remove it first.')
      .waitFor()
    expect(await exists('Radiology')).toBe(true)
  })

  test('a zone that another user has just deleted is reported as gone', async () => {
    const zone = await api('createZone', { params: { ...params, location: 'Gone Meanwhile' } })
    const page = await openDeletion('Gone Meanwhile')
    await api('deleteZone', { params: { ...params, location: zone.id } })
    await findDialog(page).getByRole('button', { name: 'Yes' }).click()
    await findDialog(page).getByRole('alert').getByText(/zone/i).waitFor()
    await findDialog(page).getByRole('button', { name: 'Back' }).click()
    await page.getByText('No zone matches “Gone Meanwhile”.').waitFor()
  })

  test('[INP-05] a host PC whose clock is wrong is marked in the row of its zone, and its dialog says by how much', async () => {
    const setClock = (seconds: number) => sql(`update host set clock_ahead = ${seconds} where name = 'NRH-ORSUI-01'`)
    await setClock(-22_021)
    const page = await open()
    await page.getByRole('searchbox', { name: 'Search zones' }).fill('OR Suite B')
    await page.getByRole('row').filter({ hasText: 'OR Suite B' }).getByText('Clock wrong').waitFor()
    await page.getByRole('button', { name: /host PC online in OR Suite B/ }).click()
    await page.getByRole('dialog').getByText('6 hours and 7 minutes behind. Readers update by it: set the time of this PC.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await setClock(0)
  })

  test('the host PCs and the note of a zone stay open where the window becomes narrow and rows become cards', async () => {
    const page = await open()
    await page.getByRole('searchbox', { name: 'Search zones' }).fill('OR Suite B')
    const table = page.getByRole('columnheader', { name: 'Host PCs online' })
    for (const [button, title] of [
      [/host PC online in OR Suite B/, 'Host PCs of OR Suite B'],
      [/^Edit note and tags of OR Suite B/, /OR Suite B/],
    ] as const) {
      await page.setViewportSize({ width: 1280, height: 900 })
      await table.waitFor()
      await page.getByRole('button', { name: button }).click()
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.waitFor()
      await page.setViewportSize({ width: 390, height: 844 })
      await page.locator('.record').first().waitFor({ state: 'attached' })
      expect(await dialog.isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    }
  })

  test('[AGT-08] a host PC that runs on two PCs is marked in the row of its zone, and its dialog says what to do', async () => {
    const mark = (since: string) => sql(`update host set on_two_pcs_at = ${since} where name = 'NRH-ORSUI-01'`)
    await mark('now()')
    const page = await open()
    await page.getByRole('searchbox', { name: 'Search zones' }).fill('OR Suite B')
    await page.getByRole('row').filter({ hasText: 'OR Suite B' }).getByText('On two PCs').waitFor()
    await page.getByRole('button', { name: /host PC online in OR Suite B/ }).click()
    const words = 'This host PC runs on two PCs, as its disk or state folder was copied. Nothing is handed out to it.'
    await page.getByRole('dialog').getByText(words).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await mark('null')
  })

  test('[ZON-14] with the keyboard alone: its host PC is removed, then the zone deleted', async () => {
    const page = await open()
    const focusIsOn = (name: string) => page.locator(':focus').and(page.getByRole('button', { name })).waitFor()
    const tabTo = (name: string | RegExp) => tabToButton(page, name)
    await page.getByRole('searchbox', { name: 'Search zones' }).focus()
    await page.keyboard.type('OR Suite B')
    await tabTo(/host PC online in OR Suite B/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Host PCs of OR Suite B' }).waitFor()
    await page.getByRole('dialog').getByText('America/Chicago').waitFor()
    await focusIsOn('Close')
    await tabTo('Remove NRH-ORSUI-01')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Remove NRH-ORSUI-01' }).waitFor()
    await focusIsOn('Back')
    await tabTo('Yes')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('No host PC is left').waitFor()
    await focusIsOn('Close')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await tabTo('Delete OR Suite B')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Delete OR Suite B' }).waitFor()
    await focusIsOn('Back')
    await tabTo('Yes')
    await page.keyboard.press('Enter')
    await page.getByText('No zone matches “OR Suite B”.').waitFor()
    expect(await exists('OR Suite B')).toBe(false)
  })
})

describe('the note of a zone', () => {
  const hostile = `<img src=x onerror="document.title='broken'">${'W'.repeat(155)}`
  const findShown = (page: Page, note: string) => page.getByText(note, { exact: true })
  const editButton = (page: Page, name: string) => page.getByRole('button', { name: `Edit note and tags of ${name}` })
  const noteField = (page: Page) => page.getByRole('dialog').getByRole('textbox', { name: 'Note' })

  /** A page that shows a new zone alone. */
  async function openZone(name: string, note: string, account = manager): Promise<Page> {
    const zone = await api('createZone', { params: { ...params, location: name } })
    await api('setZoneNote', { params: { ...params, location: zone.id }, body: { note } })
    const page = await open(account)
    await page.getByRole('searchbox', { name: 'Search zones' }).fill(name)
    await page.getByText(/showing 1$/).waitFor()
    return page
  }

  test('is written and emptied with the keyboard alone, and shown in the list', async () => {
    const page = await openZone('Noted', '')
    const pressEdit = async () => {
      await tabToButton(page, 'Edit note and tags of Noted')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Note and tags of Noted' }).waitFor()
      await noteField(page).and(page.locator(':focus')).waitFor()
    }
    const save = async () => {
      await tabToButton(page, 'Save')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await editButton(page, 'Noted').and(page.locator(':focus')).waitFor()
    }
    const cell = page.locator('tbody tr td:first-child')
    expect(await cell.innerText()).toBe('Noted')
    await pressEdit()
    await page.keyboard.type('Key at the desk.')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Ask Ada.')
    await save()
    await expect.poll(() => cell.innerText()).toBe('Noted\nKey at the desk.\nAsk Ada.')
    await pressEdit()
    expect(await noteField(page).inputValue()).toBe('Key at the desk.\nAsk Ada.')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await save()
    await expect.poll(() => cell.innerText()).toBe('Noted')
    expect(await cell.locator('span').count()).toBe(2)
  })

  test('of over 500 characters is refused at the field and stays there', async () => {
    const page = await openZone('Noted At Length', 'Short')
    await editButton(page, 'Noted At Length').click()
    await noteField(page).fill('x'.repeat(501))
    await page.getByText('501 of 500 characters, 1 too many').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Note must have at most 500 characters.').waitFor()
    expect(await noteField(page).inputValue()).toBe('x'.repeat(501))
    await page.keyboard.press('Escape')
    await findShown(page, 'Short').waitFor()
  })

  test('is read and not edited without manage:firmware', async () => {
    const page = await openZone('Noted For All', 'Key at the desk.', member)
    await findShown(page, 'Key at the desk.').waitFor()
    expect(await editButton(page, 'Noted For All').count()).toBe(0)
  })

  test('stays text and inside the page, and axe finds nothing, in either look', async () => {
    const name = 'Noted in looks'
    const page = await openZone(name, hostile)
    await findShown(page, hostile).waitFor()
    expect(await axeInLooks(page)).toEqual([])
    // Its button disappears with the row, which is another element on a narrow screen.
    for (const look of looks) {
      await turn(page, look)
      await editButton(page, name).click()
      expect(await noteField(page).inputValue()).toBe(hostile)
      expect(await axeFindings(page), look[0]).toEqual([])
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(await page.title()).not.toBe('broken')
    await page.goto(new URL('/codedm/audit-log', page.url()).href)
    const entries = page.locator('.disclosure-summary').filter({ hasText: `changed the note of the zone ${name} to ${hostile}` })
    await entries.waitFor()
    expect(await entries.count()).toBe(1)
    expect(await page.title()).not.toBe('broken')
  })
})
