import { randomUUID } from 'node:crypto'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { manager, member } from './support/processes/stack.ts'
import { staffScreens } from './support/screens/directory-screen.ts'
import { dropFirmware } from './support/screens/firmware-wizard.ts'

const path = '/admin/firmware'
const { sql, open, api } = await staffScreens()
const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}( required)?$`) })
const findRow = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
const available = async (device: UpdateModel) => (await api('listAvailableFirmware', { params: { device } })).map(({ version }) => version)
const shownVersions = (page: Page) => page.getByRole('row').locator('td:first-child b').allInnerTexts()

async function release(device: UpdateModel, version: string, { notes = '', name = 'reader.crvfw' } = {}) {
  // A test that is run once more finds what it made before.
  await sql('delete from firmware_release where device_type = $1 and version = $2', [device, version])
  return api('uploadFirmwareRelease', { fields: { device, version, notes }, file: new File([randomUUID()], name) })
}

async function choose(page: Page, model: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: model, exact: true }).click()
}
const drop = (page: Page, name: string, size = 2_000) =>
  page
    .getByLabel('Drag one firmware file here')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(size, 1) })

/** The filled-in form; uploads are so slow that the test meets them under way. */
async function slowUpload(version: string): Promise<Page> {
  await sql('delete from firmware_release where version = $1', [version])
  const page = await open(`${path}?edit=new`)
  await choose(page, 'V4500')
  await field(page, 'Version').fill(version)
  await field(page, 'Notes').fill('Reads faster.')
  // Made in the page, as sending so much to it takes seconds.
  await dropFirmware(page, [{ name: 'slow.ufw', size: 6_000_000 }])
  const network = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 30_000 }
  await network.send('Network.emulateNetworkConditions', slow)
  await page.getByRole('button', { name: 'Upload release' }).click()
  await page.getByText(/ of 5\.7 MB, \d+ %/).waitFor()
  return page
}

test('without releases the page leads to the first one', async () => {
  await sql('delete from firmware_release')
  const page = await open(path)
  await page.getByText('No releases yet.').waitFor()
  await page.getByRole('link', { name: 'Upload the first one' }).click()
  await page.getByRole('heading', { name: 'New release' }).waitFor()
})

test('staff upload a release: model, version, notes and file; customers can choose it', async () => {
  await sql('delete from firmware_release')
  const page = await open(`${path}?edit=new`)
  await choose(page, 'A271/2')
  await field(page, 'Version').fill(' 4.12.0 ')
  await field(page, 'Notes').fill('Reads <b>twice</b> as fast.\nNothing else.')
  await drop(page, 'a271-4.12.0.crbfw')
  await page.getByText('a271-4.12.0.crbfw').waitFor()
  // What was entered is back after a reload, but for the file.
  await page.reload()
  await page.getByText('Files and secrets are not kept: enter them again.').waitFor()
  expect(await page.getByText('a271-4.12.0.crbfw').count()).toBe(0)
  await drop(page, 'a271-4.12.0.crbfw')
  await page.getByRole('button', { name: 'Upload release' }).click()
  await page.getByText('Release uploaded').first().waitFor()
  await page.waitForURL(`**${path}`)
  const row = findRow(page, '4.12.0')
  await row.getByText('Reads <b>twice</b> as fast.').waitFor()
  expect((await row.getByRole('cell').allInnerTexts()).slice(1, 4)).toEqual(['Latest', '0', 'a271-4.12.0.crbfw\n2.0 KB'])
  expect(await available('A271/2')).toEqual(['4.12.0'])
})

test('releases stand by model, the newest first; the newest offered one is the latest; one model can be looked at alone', async () => {
  await sql('delete from firmware_release')
  for (const version of ['4.9.2', '4.10.0', '4.9.10']) await release('CR2700', version)
  await release('CR1100', '1.0')
  const newest = await release('CR2700', '5.0')
  await api('offerFirmwareRelease', { params: { id: newest.id }, body: { isOffered: false } })
  const page = await open(path)
  await findRow(page, '4.10.0').getByText('Latest').waitFor()
  expect(await shownVersions(page)).toEqual(['CR1100 1.0', 'CR2700 5.0', 'CR2700 4.10.0', 'CR2700 4.9.10', 'CR2700 4.9.2'])
  await findRow(page, '5.0').getByText('Withdrawn').waitFor()
  await findRow(page, '4.9.10').getByText('Offered').waitFor()
  await choose(page, 'CR1100')
  await findRow(page, '4.10.0').waitFor({ state: 'detached' })
  expect(await shownVersions(page)).toEqual(['CR1100 1.0'])
  await choose(page, 'V1300')
  await page.getByText('No releases for V1300 yet.').waitFor()
  await page.reload()
  await page.getByText('No releases for V1300 yet.').waitFor()
})

test('[FRM-12 FRM-13] what is wrong stands at its field, and nothing is sent', async () => {
  const page = await open(`${path}?edit=new`)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && request.url().includes('/api/') && sent.push(request.url()))
  await page.getByRole('button', { name: 'Upload release' }).click()
  await page.getByText('Choose a model.').waitFor()
  await expect.poll(() => page.getByRole('combobox', { name: 'Model' }).evaluate((select) => select === document.activeElement)).toBe(true)
  await page.getByText('Version must not be empty.').waitFor()
  await page.getByText('Choose the firmware file.').waitFor()
  await drop(page, 'reader.ufw')
  await page.getByText('reader.ufw').waitFor()
  await choose(page, 'CR2700')
  await page.getByText('File type must be .crvfw').waitFor()
  await choose(page, 'V4500')
  await page.getByText('File type must be .crvfw').waitFor({ state: 'detached' })
  await drop(page, 'notes.txt')
  await page.getByText('File type must be .ufw, .crvfw').waitFor()
  await drop(page, 'empty.crvfw', 0)
  await page.getByText('The file empty.crvfw is empty.').waitFor()
  await field(page, 'Version').fill('latest')
  await field(page, 'Notes').fill('x'.repeat(1_001))
  await page.getByRole('button', { name: 'Upload release' }).click()
  await page.getByText('Version must be a number: "latest" always means the newest release.').waitFor()
  await page.getByText('Notes must have at most 1000 characters.').waitFor()
  expect(sent).toEqual([])
})

test('what the server refuses stands at its field; nothing entered is lost', async () => {
  await release('CR1500', '2.0')
  const page = await open(`${path}?edit=new`)
  await choose(page, 'CR1500')
  await field(page, 'Version').fill('2.00')
  await drop(page, 'cr1500.crvfw')
  await page.getByRole('button', { name: 'Upload release' }).click()
  await page.getByText('There is already a release 2.00 for CR1500.').waitFor()
  expect(await field(page, 'Version').getAttribute('aria-invalid')).toBe('true')
  const problem = { type: 'about:blank', title: 'No space left', status: 507, detail: 'The server has no space left for this file.' }
  await page.route(`**/api${path.replace('/admin', '/lectern/admin')}`, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 507, json: problem }) : route.continue(),
  )
  await field(page, 'Version').fill('2.1')
  await page.getByRole('button', { name: 'Upload release' }).click()
  await page.getByRole('alert').getByText('The server has no space left for this file.').waitFor()
  expect(await field(page, 'Version').inputValue()).toBe('2.1')
  await page.getByText('cr1500.crvfw').waitFor()
  expect(await available('CR1500')).not.toContain('2.1')
})

test('an upload shows how far it is and can be cancelled; nothing of it is kept, and all that was entered is', async () => {
  const page = await slowUpload('7.1')
  await page.getByRole('progressbar', { name: 'Uploading slow.ufw' }).waitFor()
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await page.getByRole('status').getByText('The upload was cancelled. The file was not saved.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Upload release')
  expect(await field(page, 'Version').inputValue()).toBe('7.1')
  expect(await field(page, 'Notes').inputValue()).toBe('Reads faster.')
  expect(await available('V4500')).not.toContain('7.1')
  await drop(page, 'small.ufw')
  await page.getByRole('button', { name: 'Upload release' }).click()
  await findRow(page, '7.1').waitFor()
})

test('leaving asks first, and ends an upload that is under way', async () => {
  const page = await slowUpload('7.2')
  await page.getByRole('link', { name: 'All releases' }).click()
  await page.getByRole('dialog').getByText('The file is not saved when you leave now.').waitFor()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('progressbar').waitFor()
  await page.getByRole('link', { name: 'All releases' }).click()
  const ended = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Leave' }).click()
  await ended
  await page.waitForURL(`**${path}`)
  expect(await available('V4500')).not.toContain('7.2')
})

test('a release is withdrawn after a question that says what becomes of zones, offered again, and deleted', async () => {
  await sql('delete from firmware_release')
  await release('CR5200', '3.0')
  const page = await open(path)
  await page.getByRole('button', { name: 'Withdraw: 3.0 for CR5200' }).click()
  await page.getByRole('dialog').getByText('Customers can no longer choose it. No zone has it now.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Back')
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await findRow(page, '3.0').getByText('Withdrawn').waitFor()
  expect(await available('CR5200')).toEqual([])
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Offer again')
  await page.getByRole('button', { name: 'Offer again: 3.0 for CR5200' }).click()
  await findRow(page, '3.0').getByText('Latest').waitFor()
  expect(await available('CR5200')).toEqual(['3.0'])
  await page.getByRole('button', { name: 'Withdraw: 3.0 for CR5200' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('button', { name: 'Delete 3.0 for CR5200' }).click()
  await page.getByRole('dialog').getByText('This cannot be undone.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No releases yet.').waitFor()
})

test.each([manager, member])('%s is not allowed to see firmware releases', async (account) => {
  const page = await open(path, account)
  await page.getByRole('heading', { level: 1, name: 'Not allowed' }).waitFor()
})

test('axe finds nothing in any state, in either look', async () => {
  await sql('delete from firmware_release')
  const page = await slowUpload('8.1')
  expect(await axeInLooks(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await page.getByText('The upload was cancelled.', { exact: false }).waitFor()
  await choose(page, 'A271/2')
  await field(page, 'Version').fill('')
  await page.getByRole('button', { name: 'Upload release' }).click()
  await page.getByText('File type must be .crbfw').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.getByRole('link', { name: 'All releases' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByText('No releases yet.').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  const notes = 'Reads damaged Data Matrix symbols faster.\nFixes the beeper after a firmware update.'
  await release('CR2700', '4.12.0', { notes, name: 'a-long-name-of-a-file-that-has-to-be-broken-somewhere-4.12.0.crvfw' })
  const { id } = await release('CR2700', '4.11.3')
  await api('offerFirmwareRelease', { params: { id }, body: { isOffered: false } })
  await page.reload()
  await page.getByText('Withdrawn').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.route('**/api/lectern/admin/firmware', (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await page.getByText('Error loading firmware releases').waitFor()
  expect(await axeInLooks(page)).toEqual([])
})
