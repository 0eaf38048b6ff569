import type { AdInput } from '@lectern/contract/ads.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings, looks } from './support/axe.ts'
import { manager, member } from './support/processes/stack.ts'
import { staffScreens } from './support/screens/directory-screen.ts'

const path = '/admin/marketing'
const { sql, open, api } = staffScreens()
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}( required)?$`) })
const dateField = (page: Page, name: string) => page.getByLabel(name)
const findRow = (page: Page, title: string) => page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) })

async function ad(title: string, changes: Partial<AdInput> = {}) {
  // A test that is run once more finds what it made before.
  await sql('delete from ad where title = $1', [title])
  return api('createAd', {
    body: {
      title,
      description: `All about ${title}.`,
      adsImage: null,
      adsUrl: 'https://quietzone.example/offer',
      adsStartDate: day(-1),
      adsEndDate: day(1),
      createdByName: 'Vendor Staff',
      status: 1,
      ...changes,
    },
  })
}

async function fill(page: Page, values: { title: string; url?: string; first?: string; last?: string }): Promise<void> {
  await field(page, 'Title').fill(values.title)
  await field(page, 'Address').fill(values.url ?? 'https://quietzone.example/new')
  await dateField(page, 'First day').fill(values.first ?? '2027-01-31')
  await dateField(page, 'Last day').fill(values.last ?? '2027-02-28')
}

test('without ads the page leads to the first one', async () => {
  await sql('delete from ad')
  const page = await open(path)
  await page.getByText('No ads yet.').waitFor()
  await page.getByRole('link', { name: 'Create the first one' }).click()
  await page.getByRole('heading', { name: 'New ad' }).waitFor()
})

test('the list shows of each ad its days, its status, who made it, and whether customers see it now', async () => {
  await ad('Running')
  await ad('Ahead', { adsStartDate: '2097-01-31', adsEndDate: '2097-02-28' })
  await ad('Behind', { adsStartDate: '2020-01-31', adsEndDate: '2020-02-28' })
  await ad('Sketch', { status: 0 })
  await ad('Put away', { status: 2 })
  const page = await open(path)
  const cells = (title: string) => findRow(page, title).getByRole('cell').allInnerTexts()
  await findRow(page, 'Running').getByText('Shown now').waitFor()
  const facts = async (title: string) => (await cells(title)).slice(1, 5)
  expect(await facts('Ahead')).toEqual(['From 31 Jan 2097', 'Published', '31 Jan 2097', '28 Feb 2097'])
  expect(await facts('Behind')).toEqual(['No, its days are over', 'Published', '31 Jan 2020', '28 Feb 2020'])
  expect((await facts('Sketch')).slice(0, 2)).toEqual(['No', 'Draft'])
  expect((await facts('Put away')).slice(0, 2)).toEqual(['No', 'Archived'])
  expect((await cells('Running'))[5]).toMatch(/^Vendor Staff\s+\d+ \w+ \d+$/)
})

test('[ADS-02 ENT-10] staff create an ad, and see meanwhile what customers will see', async () => {
  await sql('delete from ad')
  const page = await open(`${path}?edit=new`)
  await fill(page, { title: 'Dock at <b>half</b>' })
  await field(page, 'Description').fill('Until the end of the month.')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Dock at <b>half</b>').waitFor()
  await preview.getByText('Until the end of the month.').waitFor()
  await page.getByRole('radio', { name: 'Published' }).check()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await findRow(page, 'Dock at <b>half</b>').waitFor()
  expect(new URL(page.url()).search).toBe('')
  const created = (await api('listAds', {})).find(({ title }) => title === 'Dock at <b>half</b>')
  expect(created).toMatchObject({
    description: 'Until the end of the month.',
    adsImage: null,
    adsUrl: 'https://quietzone.example/new',
    adsStartDate: '2027-01-31',
    adsEndDate: '2027-02-28',
    createdBy: 'staff@quietzone.example',
    createdByName: 'Vendor Staff',
    status: 1,
  })
})

test('[ADS-02] staff edit an ad; the form shows what is stored', async () => {
  const { adsid } = await ad('To be edited', { adsImage: 'https://quietzone.example/a.png' })
  const page = await open(path)
  await page.getByRole('link', { name: 'Edit To be edited' }).click()
  expect(await field(page, 'Title').inputValue()).toBe('To be edited')
  expect(await field(page, 'Image address').inputValue()).toBe('https://quietzone.example/a.png')
  await field(page, 'Title').fill('Edited')
  await field(page, 'Image address').fill('')
  await page.getByRole('radio', { name: 'Archived' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await findRow(page, 'Edited').getByText('Archived').waitFor()
  expect(await api('getAd', { params: { id: adsid } })).toMatchObject({ title: 'Edited', adsImage: null, status: 2 })
  await page.getByRole('link', { name: 'Edit Edited' }).click()
  expect(await field(page, 'Title').inputValue()).toBe('Edited')
})

test('[ADS-02] staff delete an ad, after a question that says what customers lose', async () => {
  const { adsid } = await ad('Short-lived')
  const page = await open(path)
  await page.getByRole('button', { name: 'Delete Short-lived' }).click()
  await page.getByRole('dialog').getByText('Customers see it now.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Back')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Ad deleted').first().waitFor()
  await findRow(page, 'Short-lived').waitFor({ state: 'detached' })
  expect((await api('listAds', {})).map((each) => each.adsid)).not.toContain(adsid)
})

test.each([
  ['Title', 20, 'a'],
  ['Description', 100, 'a'],
  ['Address', 250, 'https://quietzone.example/'],
  ['Creator’s name', 100, 'a'],
])('[ADS-03] %s takes %i characters and not one more, and counts them while one types', async (label, limit, beginning) => {
  const page = await open(`${path}?edit=new`)
  await fill(page, { title: `Limit ${label}` })
  const input = field(page, label)
  await input.fill(beginning.padEnd(limit + 1, 'a'))
  await page.getByText(`${limit + 1} of ${limit} characters, 1 too many`).waitFor()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await page.getByText(`${label} must have at most ${limit} characters.`).waitFor()
  expect(await input.getAttribute('aria-invalid')).toBe('true')
  await input.fill(beginning.padEnd(limit, 'a'))
  await page.getByText(`${limit} of ${limit} characters`, { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await page.getByText('Ad created').first().waitFor()
})

test('what cannot be is said at its field, and nothing is sent', async () => {
  const page = await open(`${path}?edit=new`)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && request.url().includes('/api/') && sent.push(request.url()))
  await page.getByRole('button', { name: 'Create ad' }).click()
  await page.getByText('Title must not be empty.').waitFor()
  expect(await field(page, 'Title').evaluate((input) => input === document.activeElement)).toBe(true)
  await fill(page, { title: 'Backwards', url: 'javascript:alert(1)', first: '2027-03-01', last: '2027-02-28' })
  await field(page, 'Image address').fill('//evil.example/a.png')
  await page.getByRole('button', { name: 'Create ad' }).click()
  await page.getByText('Address must be an https:// address.', { exact: true }).waitFor()
  await page.getByText('Image address must be an https:// address.').waitFor()
  expect(await page.locator('a[href^="javascript"], img[src*="evil"]').count()).toBe(0)
  await field(page, 'Address').fill('https://quietzone.example')
  await field(page, 'Image address').fill('')
  await page.getByRole('button', { name: 'Create ad' }).click()
  await page.getByText('Last day must not be before the first day.').waitFor()
  expect(sent).toEqual([])
})

test('what the server finds wrong stands at its field; another failure below the form, and nothing typed is lost', async () => {
  const page = await open(`${path}?edit=new`)
  await fill(page, { title: 'Refused' })
  const problem = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'title is not ours' }
  const errors = [{ field: 'title', message: 'is not ours' }]
  await page.route('**/api/lectern/marketing', (route) => route.fulfill({ status: 400, json: { ...problem, errors } }))
  await page.getByRole('button', { name: 'Create ad' }).click()
  await page.getByText('Title is not ours.').waitFor()
  expect(await field(page, 'Title').getAttribute('aria-invalid')).toBe('true')
  await page.unroute('**/api/lectern/marketing')
  await page.route('**/api/lectern/marketing', (route) =>
    route.fulfill({ status: 500, json: { ...problem, status: 500, detail: 'Down.' } }),
  )
  await field(page, 'Title').fill('Refused again')
  await page.getByRole('button', { name: 'Create ad' }).click()
  await page.getByRole('alert').getByText('Down.').waitFor()
  expect(await field(page, 'Title').inputValue()).toBe('Refused again')
})

test('leaving with unsaved changes asks first; an ad deleted meanwhile keeps what was typed', async () => {
  const { adsid } = await ad('Being changed')
  const page = await open(`${path}?edit=${adsid}`)
  await field(page, 'Title').fill('Changed')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByText('Leave without saving?').waitFor()
  await page.getByRole('button', { name: 'Stay' }).click()
  expect(await field(page, 'Title').inputValue()).toBe('Changed')
  await api('deleteAd', { params: { id: adsid } })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('There is no such ad').waitFor()
  expect(await field(page, 'Title').inputValue()).toBe('Changed')
  await page.getByRole('link', { name: 'All ads' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL(`**${path}`)
  await page.goto(`${page.url()}?edit=${adsid}`)
  await page.getByText('There is no such ad. It may have been deleted.').waitFor()
})

test('an ad that somebody else has changed meanwhile is not written over: what was typed stays, and one chooses', async () => {
  const { adsid, createdOn, createdBy, ...first } = await ad('Of two')
  const change = (description: string) => api('updateAd', { params: { id: adsid }, body: { ...first, description } })
  const kept = async () => (await api('getAd', { params: { id: adsid } })).description
  const page = await open(path)
  const edit = async () => {
    await page.getByRole('link', { name: 'Edit Of two' }).click()
    await field(page, 'Description').waitFor()
  }
  const refused = page.getByText('Somebody else has changed this ad meanwhile')
  await edit()
  await change('Theirs.')
  await field(page, 'Description').fill('Mine.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await refused.waitFor()
  expect([await field(page, 'Description').inputValue(), await kept()]).toEqual(['Mine.', 'Theirs.'])
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Load the newer one' }).press('Enter')
  await refused.waitFor({ state: 'detached' })
  expect(await field(page, 'Description').inputValue()).toBe('Theirs.')
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'title')
  await field(page, 'Description').fill('Theirs, and mine.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Ad saved', { exact: true }).waitFor()
  expect(await kept()).toBe('Theirs, and mine.')

  await edit()
  await change('Theirs again.')
  await field(page, 'Description').fill('Mine again.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Save anyway' }).press('Enter')
  await page.getByRole('link', { name: 'Edit Of two' }).waitFor()
  expect(await kept()).toBe('Mine again.')
})

test.each([manager, member])('[PER-06] %s is not allowed to manage ads and products', async (account) => {
  const page = await open('/product', account)
  for (const each of [path, '/admin/products']) {
    await page.goto(new URL(each, page.url()).href)
    await page.getByRole('heading', { level: 1, name: 'Not allowed' }).waitFor()
  }
})

test.each(looks)('axe finds nothing in any state, %s at %o', async (colorScheme, viewport) => {
  await sql('delete from ad')
  const page = await open(path)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize(viewport)
  await page.getByText('No ads yet.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await ad('Now')
  await ad('Later', { adsStartDate: '2097-01-31', adsEndDate: '2097-02-28' })
  await page.reload()
  await page.getByText('Shown now').waitFor()
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await page.getByRole('link', { name: 'New ad' }).click()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await page.getByText('Title must not be empty.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.route('**/api/lectern/marketing', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(new URL(path, page.url()).href)
  await page.getByText('Error loading ads').waitFor()
  expect(await axeFindings(page)).toEqual([])
})
