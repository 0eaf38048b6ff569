import type { AdInput } from '@lectern/contract/ads.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings, axeInLooks } from './support/axe.ts'
import { manager, member } from './support/processes/stack.ts'
import { staffScreens } from './support/screens/directory-screen.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'

const path = '/admin/marketing'
const { sql, open, api } = await staffScreens()
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const field = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}( required)?$`))
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const findRow = (page: Page, title: string) => page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) })

const content = { description: 'All about it.', adsImage: null, adsUrl: 'https://quietzone.example/offer', createdByName: 'Vendor Staff' }
const ad = (title: string, changes: Partial<AdInput> = {}) =>
  api('createAd', { body: { title, ...content, adsStartDate: day(-1), adsEndDate: day(1), status: 1, ...changes } })

async function fill(page: Page, title: string, url = 'https://quietzone.example/new', first = '2027-01-31', last = '2027-02-28') {
  await field(page, 'Title').fill(title)
  await field(page, 'Address').fill(url)
  await field(page, 'First day').fill(first)
  await field(page, 'Last day').fill(last)
}

test('the list shows of each ad its days, its status, who made it, and whether customers see it now', async () => {
  await ad('Running')
  await ad('Ahead', { adsStartDate: '2097-01-31', adsEndDate: '2097-02-28' })
  await ad('Behind', { adsStartDate: '2020-01-31', adsEndDate: '2020-02-28' })
  await ad('Sketch', { status: 0 })
  await ad('Put away', { status: 2 })
  const page = await open(path)
  await findRow(page, 'Running').getByText('Shown now').waitFor()
  const facts = async (title: string) => (await findRow(page, title).getByRole('cell').allInnerTexts()).slice(1)
  expect((await facts('Running'))[4]).toMatch(/^Vendor Staff\s+\d+ \w+ \d+$/)
  expect((await facts('Ahead')).slice(0, 4)).toEqual(['From 31 Jan 2097', 'Published', '31 Jan 2097', '28 Feb 2097'])
  expect((await facts('Behind')).slice(0, 4)).toEqual(['No, it has ended', 'Published', '31 Jan 2020', '28 Feb 2020'])
  expect((await facts('Sketch')).slice(0, 2)).toEqual(['No', 'Draft'])
  expect((await facts('Put away')).slice(0, 2)).toEqual(['No', 'Archived'])
})

test('[ADS-02 ENT-10] staff create the first ad beside a preview of what customers will see', async () => {
  await sql('delete from ad')
  const page = await open(path)
  await page.getByText('No ads yet.').waitFor()
  await follow(page, 'Create the first one')
  await fill(page, 'Dock at <b>half</b>')
  await field(page, 'Description').fill('Until the end of the month.')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Dock at <b>half</b>').waitFor()
  await preview.getByText('Until the end of the month.').waitFor()
  await field(page, 'Published').check()
  await press(page, 'Create ad')
  await findRow(page, 'Dock at <b>half</b>').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect((await api('listAds', {}))[0]).toMatchObject({
    title: 'Dock at <b>half</b>',
    description: 'Until the end of the month.',
    adsImage: null,
    status: 1,
    adsUrl: 'https://quietzone.example/new',
    adsStartDate: '2027-01-31',
    adsEndDate: '2027-02-28',
    createdBy: 'staff@quietzone.example',
    createdByName: 'Vendor Staff',
  })
})

test('[ADS-02] staff edit an ad; the form shows what is stored', async () => {
  const { adsid } = await ad('To be edited', { adsImage: 'https://quietzone.example/a.png' })
  const page = await open(path)
  await follow(page, 'Edit To be edited')
  expect(await field(page, 'Title').inputValue()).toBe('To be edited')
  expect(await field(page, 'Image address').inputValue()).toBe('https://quietzone.example/a.png')
  await field(page, 'Title').fill('Edited')
  await field(page, 'Image address').fill('')
  await field(page, 'Archived').check()
  await press(page, 'Save')
  await findRow(page, 'Edited').getByText('Archived').waitFor()
  expect(await api('getAd', { params: { id: adsid } })).toMatchObject({ title: 'Edited', adsImage: null, status: 2 })
  await follow(page, 'Edit Edited')
  expect(await field(page, 'Title').inputValue()).toBe('Edited')
})

test('[ADS-02] staff delete an ad, after a question that says what customers lose', async () => {
  const { adsid } = await ad('Short-lived')
  const page = await open(path)
  await press(page, 'Delete Short-lived')
  await page.getByRole('dialog').getByText('Customers see it now.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Back')
  await press(page, 'Delete')
  await page.getByText('Ad deleted').first().waitFor()
  await findRow(page, 'Short-lived').waitFor({ state: 'detached' })
  expect((await api('listAds', {})).map((each) => each.adsid)).not.toContain(adsid)
})

test.each([
  ['Title', 20, 'a'],
  ['Description', 100, 'a'],
  ['Address', 250, 'https://quietzone.example/'],
  ['Creator’s name', 100, 'a'],
])('[ADS-03] %s takes %i characters and not one more, and counts them as they are typed', async (label, limit, beginning) => {
  const page = await open(`${path}?edit=new`)
  await fill(page, `Limit ${label}`)
  await field(page, label).fill(beginning.padEnd(limit + 1, 'a'))
  await page.getByText(`${limit + 1} of ${limit} characters, 1 too many`).waitFor()
  await press(page, 'Create ad')
  await page.getByText(`${label} must have at most ${limit} characters.`).waitFor()
  expect(await field(page, label).getAttribute('aria-invalid')).toBe('true')
  await field(page, label).fill(beginning.padEnd(limit, 'a'))
  await page.getByText(`${limit} of ${limit} characters`, { exact: false }).waitFor()
  await press(page, 'Create ad')
  await page.getByText('Ad created').first().waitFor()
})

test('each field says what is wrong with it, and nothing is sent', async () => {
  const page = await open(`${path}?edit=new`)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && request.url().includes('/api/') && sent.push(request.url()))
  await press(page, 'Create ad')
  await page.getByText('Title must not be empty.').waitFor()
  await expect.poll(() => field(page, 'Title').evaluate((input) => input === document.activeElement)).toBe(true)
  await fill(page, 'Backwards', 'javascript:alert(1)', '2027-03-01', '2027-02-28')
  await field(page, 'Image address').fill('//evil.example/a.png')
  await press(page, 'Create ad')
  await page.getByText('Address must be an https:// address.', { exact: true }).waitFor()
  await page.getByText('Image address must be an https:// address.').waitFor()
  expect(await page.locator('a[href^="javascript"], img[src*="evil"]').count()).toBe(0)
  await field(page, 'Address').fill('https://quietzone.example')
  await field(page, 'Image address').fill('')
  await press(page, 'Create ad')
  await page.getByText('Last day must not be before the first day.').waitFor()
  expect(sent).toEqual([])
})

test('a refusal of the server is at its field, another failure below the form, and what is typed stays', async () => {
  const page = await open(`${path}?edit=new`)
  const refuse = (status: number, json: object) => page.route('**/api/lectern/marketing', (route) => route.fulfill({ status, json }))
  const problem = { type: 'about:blank', title: 'Refused', status: 400, detail: 'Down.' }
  await fill(page, 'Refused')
  await refuse(400, { ...problem, errors: [{ field: 'title', message: 'is not ours' }] })
  await press(page, 'Create ad')
  await page.getByText('Title is not ours.').waitFor()
  expect(await field(page, 'Title').getAttribute('aria-invalid')).toBe('true')
  await refuse(500, problem)
  await field(page, 'Title').fill('Refused again')
  await press(page, 'Create ad')
  await page.getByRole('alert').getByText('Down.').waitFor()
  expect(await field(page, 'Title').inputValue()).toBe('Refused again')
})

test('leaving with unsaved changes asks first; what is typed about a deleted ad stays', async () => {
  const { adsid } = await ad('Being changed')
  const page = await open(`${path}?edit=${adsid}`)
  await field(page, 'Title').fill('Changed')
  await follow(page, 'Cancel')
  await page.getByRole('dialog').getByText('Leave without saving?').waitFor()
  await press(page, 'Stay')
  expect(await field(page, 'Title').inputValue()).toBe('Changed')
  await api('deleteAd', { params: { id: adsid } })
  await press(page, 'Save')
  await page.getByRole('alert').getByText('There is no such ad').waitFor()
  expect(await field(page, 'Title').inputValue()).toBe('Changed')
  await follow(page, 'All ads')
  await press(page, 'Leave')
  await page.waitForURL(`**${path}`)
  await page.goto(`${page.url()}?edit=${adsid}`)
  await page.getByText('There is no such ad. It may have been deleted.').waitFor()
})

test('an ad that another user has changed is not overwritten unasked: one loads theirs, or saves anyway', async () => {
  const { adsid, createdOn, createdBy, ...first } = await ad('Of two')
  const stored = async () => (await api('getAd', { params: { id: adsid } })).description
  const page = await open(path)
  const description = field(page, 'Description')
  async function collide(mine: string, theirs: string) {
    await follow(page, 'Edit Of two')
    await description.fill(mine)
    await api('updateAd', { params: { id: adsid }, body: { ...first, description: theirs } })
    await press(page, 'Save')
    await page.getByText('Another user has changed this ad').waitFor()
    expect([await description.inputValue(), await stored()]).toEqual([mine, theirs])
  }
  await collide('Mine.', 'Theirs.')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Load the newer one' }).press('Enter')
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'title')
  expect(await description.inputValue()).toBe('Theirs.')
  await description.fill('Theirs, and mine.')
  await press(page, 'Save')
  await findRow(page, 'Of two').getByText('Theirs, and mine.').waitFor()

  await collide('Mine again.', 'Theirs again.')
  await page.getByRole('button', { name: 'Save anyway' }).press('Enter')
  await findRow(page, 'Of two').getByText('Mine again.').waitFor()
})

test.each([manager, member])('[PER-06] %s is not allowed to manage ads and products', async (account) => {
  const page = await open('/product', account)
  for (const each of [path, '/admin/products']) {
    await showInApp(page, each)
    await page.getByRole('heading', { level: 1, name: 'Not allowed' }).waitFor()
  }
})

test('axe finds nothing in any state, in either look', async () => {
  await sql('delete from ad')
  const page = await open(path, undefined, (fresh) =>
    fresh.route('**/api/lectern/marketing', (route) => route.fulfill({ status: 500, json: {} })),
  )
  async function shows(text: string) {
    await page.getByText(text).waitFor()
    expect(await axeInLooks(page), text).toEqual([])
  }
  await shows('Error loading ads')
  await page.unrouteAll()
  await press(page, 'Try Again')
  await shows('No ads yet.')
  await ad('Now')
  await ad('Later', { adsStartDate: '2097-01-31', adsEndDate: '2097-02-28' })
  await showInApp(page, path)
  await shows('Shown now')
  await follow(page, 'New ad')
  await press(page, 'Create ad')
  await shows('Title must not be empty.')
})
