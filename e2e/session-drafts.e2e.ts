import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { foreigner, manager, northfield, signIn, startStack } from './support/processes/stack.ts'
import { refuseFirstToken } from './support/refused-token.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

/** What is entered in forms, and what becomes of it when the session ends or the browser has no room for it. */

const { stack, pages } = await stackForFile(startStack())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}( required)?$`) })
const heading = (page: Page, name: string) => page.getByRole('heading', { name })
const isBack = (page: Page) => page.getByText('What you entered here before is back, and not saved yet.')
const kept = (page: Page) => page.evaluate(() => Object.entries(sessionStorage).filter(([key]) => key.startsWith('draft/')))

/** Makes the next call of the page, here by `act`, end the session. */
async function endSession(page: Page, act: () => Promise<unknown>): Promise<void> {
  const forget = () => stack.sql(`delete from idp_record where model in ('RefreshToken', 'Session')`)
  await refuseFirstToken(page.context(), forget, '**/api/**')
  await act()
  await heading(page, 'Your session has ended').waitFor()
  await page.context().unrouteAll({ behavior: 'wait' })
}

async function signInAgain(page: Page, account: string): Promise<void> {
  await button(page, 'Sign in').click()
  await signIn(page, account)
}

/** Fills a storage of the page up to the last byte. */
const fill = (page: Page, storage: 'localStorage' | 'sessionStorage') =>
  page.evaluate((name) => {
    for (let size = 1 << 22, count = 0; size >= 1; count++)
      try {
        window[name].setItem(`full ${count}`, 'x'.repeat(size))
      } catch {
        size = Math.floor(size / 2)
      }
  }, storage)

test('[STA-05] what was entered in two forms is back after the session ended; a cancelled one and a saved one are gone', async () => {
  const page = await pages.open('/codedm/zones')
  const note = page.getByRole('button', { name: /^Edit note and tags of/ }).first()
  const noteField = page.getByRole('dialog').getByRole('textbox', { name: 'Note' })
  await field(page, 'Create a zone').fill('Kept zone')
  await note.click()
  await noteField.fill('Ring at gate 3')
  await endSession(page, () => button(page, 'Save').click())
  await page.getByText('What you entered in a form is kept in this tab: open the form again, and it is there.').waitFor()

  await signInAgain(page, manager)
  await isBack(page).waitFor()
  expect(await field(page, 'Create a zone').inputValue()).toBe('Kept zone')
  await note.click()
  await expect.poll(() => noteField.inputValue()).toBe('Ring at gate 3')
  expect(await page.getByRole('dialog').getByText('What you entered here before is back').count()).toBe(1)
  await button(page, 'Cancel').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await note.click()
  await noteField.waitFor()
  expect(await noteField.inputValue()).toBe('')
  await button(page, 'Cancel').click()

  await button(page, 'Create zone').click()
  await page.getByText('Zone created', { exact: true }).waitFor()
  expect(await field(page, 'Create a zone').inputValue()).toBe('')
  expect(await isBack(page).count()).toBe(0)
  await expect.poll(() => kept(page)).toEqual([])
})

test('[STA-05] a licence number is not kept, and nothing is shown to another account', async () => {
  const page = await pages.open('/licences?edit=new')
  await field(page, 'Serial numbers').fill('SN-KEPT')
  await field(page, 'Licence number').fill('SECRET-NUMBER-1')
  await endSession(page, () => button(page, 'Generate licence file').click())
  expect(JSON.stringify(await kept(page))).toContain('SN-KEPT')
  expect(JSON.stringify(await page.evaluate(() => [{ ...sessionStorage }, { ...localStorage }]))).not.toContain('SECRET-NUMBER-1')

  await signInAgain(page, manager)
  await isBack(page).waitFor()
  await page.getByText('Files and secrets are not kept: enter them again.').waitFor()
  expect(await field(page, 'Serial numbers').inputValue()).toBe('SN-KEPT')
  expect(await field(page, 'Licence number').inputValue()).toBe('')

  await endSession(page, () => button(page, 'Generate licence file').click())
  await signInAgain(page, foreigner)
  await field(page, 'Serial numbers').waitFor()
  expect(await field(page, 'Serial numbers').inputValue()).toBe('')
  expect(await isBack(page).count()).toBe(0)
  expect(await kept(page)).toEqual([])
})

test('[STA-05] what is back in a form does not overwrite what another user has saved since', async () => {
  const api = await stack.api()
  const body = { sn: 'DRAFT-1', codeMasterId: null, isLost: false }
  const { readerId: id } = await api('createReader', { params: { customerid: northfield }, body })
  const page = await pages.open('/readers?search=DRAFT-1')
  const edit = button(page, 'Edit DRAFT-1')
  await edit.click()
  await field(page, 'CodeMaster ID').fill('CM-MINE')
  await endSession(page, () => button(page, 'Save').click())
  await api('updateReader', { params: { id }, body: { ...body, isLost: true }, basedOn: await api('getReader', { params: { id } }) })
  await signInAgain(page, manager)
  await edit.click()
  await isBack(page).waitFor()
  expect(await field(page, 'CodeMaster ID').inputValue()).toBe('CM-MINE')
  expect(await page.getByRole('checkbox', { name: 'lost' }).isChecked()).toBe(true)
  await button(page, 'Save').click()
  await page.getByText('Another user has changed this registered reader').waitFor()
  await button(page, 'Load the newer one').click()
  await expect.poll(() => field(page, 'CodeMaster ID').inputValue()).toBe('')
  expect(await isBack(page).count()).toBe(0)
  expect(await kept(page)).toEqual([])
})

test('[STA-05] a form that is left takes what was entered with it; a case half written stays', async () => {
  const page = await pages.open('/profile')
  await field(page, 'First name').fill('Half')
  await page.getByRole('link', { name: 'Members and invitation link' }).click()
  await button(page, 'Leave').click()
  await heading(page, 'Members').waitFor()
  await expect.poll(() => kept(page)).toEqual([])

  await showInApp(page, '/support/new')
  await field(page, 'Subject').fill('It beeps')
  await showInApp(page, '/profile')
  await field(page, 'First name').waitFor()
  expect(await field(page, 'First name').inputValue()).not.toBe('Half')
  await showInApp(page, '/support/new')
  await expect.poll(() => field(page, 'Subject').inputValue()).toBe('It beeps')
  await button(page, 'Discard').click()
  expect(await isBack(page).count()).toBe(0)
  expect(await kept(page)).toEqual([])
})

test('a browser without room for what is entered is named once; one without room for a sign-in says so and makes room', async () => {
  const page = await pages.open('/codedm/zones')
  await field(page, 'Create a zone').waitFor()
  await fill(page, 'sessionStorage')
  await field(page, 'Create a zone').fill('No room')
  const notice = page.getByText('This browser does not store what you enter here')
  await notice.waitFor()
  await field(page, 'Create a zone').fill('No room at all')
  expect(await notice.count()).toBe(1)
  await button(page, 'Create zone').click()
  await page.getByText('Zone created', { exact: true }).waitFor()
  expect(await notice.count()).toBe(0)

  await endSession(page, () => page.getByRole('link', { name: 'Devices', exact: true }).click())
  await fill(page, 'localStorage')
  await button(page, 'Sign in').click()
  await page.getByText('This browser’s storage for this site is full').waitFor()
  await button(page, 'Clear it and sign in').click()
  await signIn(page, manager)
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Profile/ })
    .waitFor()
})
