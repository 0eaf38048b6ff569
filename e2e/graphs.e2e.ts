import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings, axeInLooks } from './support/axe.ts'
import { foreigner, manager, northfield, staff, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startStack())

const titles = [
  'Unique devices by time',
  'Unique devices by location',
  'Licence counts',
  'Most frequent device models',
  'Total devices by OS',
] as const
const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const asTable = (page: Page, title: string) => page.getByRole('button', { name: `View as table: ${title}` })
const drawn = async (page: Page) => {
  for (const title of titles) await card(page, title).getByRole('img').first().waitFor()
}
const map = (page: Page) => card(page, 'Unique devices by location').getByRole('img', { name: 'Map with a bubble for each city' })
const cities = (page: Page) => card(page, 'Unique devices by location').getByRole('img', { name: 'Bars of the largest cities' })
/** Where the list of cities begins, from where the map ends: to its right, and below it. */
async function listFromMap(page: Page) {
  const [drawing, list] = [await map(page).boundingBox(), await cities(page).boundingBox()]
  return { right: list!.x - (drawing!.x + drawing!.width), below: list!.y - (drawing!.y + drawing!.height) }
}

/** The rows of a graph's table: the label and what is beside it. */
const readRows = (page: Page, title: string) =>
  page
    .getByRole('region', { name: `${title} as a table` })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replaceAll(',', ''))))

/** Whether a chart of a card (default: the first) has more than a few pixels of a colour, or of one that rounding makes of it. */
const shows = (page: Page, title: string, colour: readonly number[], chart = card(page, title).locator('canvas').first()) =>
  chart.evaluate((canvas: HTMLCanvasElement, wanted) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    let found = 0
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] === 255 && wanted.every((value, channel) => Math.abs(data[at + channel]! - value) < 3)) found++
    return found > 50
  }, colour)
const tokens = { light: { accent: [28, 73, 186], surface: [255, 255, 255] }, dark: { accent: [138, 174, 249], surface: [21, 24, 28] } }
/** What a chart draws in: the accent, which is thin on the map. */
function countInk(title: string, theme: 'light' | 'dark'): number[] {
  const { accent, surface } = tokens[theme]
  return title === 'Unique devices by location' ? accent.map((value, channel) => 0.3 * value + 0.7 * surface[channel]!) : accent
}

/** What each table should hold, from the API's answers. */
async function answered(scope: 'organization' | 'global', account: string) {
  const call = await stack.api(account)
  const params = { organizationId: northfield }
  const [byTime, byLocation, licences, models, byOs] =
    scope === 'global'
      ? await Promise.all([
          call('getGlobalDevicesByTime', {}),
          call('getGlobalDevicesByLocation', {}),
          call('getGlobalLicenceCounts', {}),
          call('getGlobalDeviceModels', {}),
          call('getGlobalDevicesByOs', {}),
        ])
      : await Promise.all([
          call('getDevicesByTime', { params }),
          call('getDevicesByLocation', { params }),
          call('getLicenceCounts', { params }),
          call('getDeviceModels', { params }),
          call('getDevicesByOs', { params }),
        ])
  const labelled = ({ labels, datasets }: typeof models) => labels.map((label, index) => [label, String(datasets[0]!.data[index])])
  return {
    'Unique devices by time': byTime.datasets[0]!.data.map(({ x, y }) => [x, String(y)]).reverse(),
    'Unique devices by location': byLocation.map(({ city, value, latitude, longitude }) => [
      city,
      String(value),
      latitude.toFixed(2),
      longitude.toFixed(2),
    ]),
    'Licence counts': [
      ['Total', String(licences.total)],
      ['Using Decode', String(licences.usingDecode)],
    ],
    'Most frequent device models': labelled(models),
    'Total devices by OS': labelled(byOs),
  }
}

/** Opens a graph's table with the keyboard, and returns its rows. */
async function openTable(page: Page, title: string) {
  await asTable(page, title).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `View as chart: ${title}` }).waitFor()
  return readRows(page, title)
}

test('[CHT-01] the page stands while what draws is fetched, and says that charts are loading', async () => {
  const page = await pages.open('/product')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/graphs-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('banner').getByRole('link', { name: 'Data', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor()
  await page.getByText('Loading Charts...', { exact: true }).waitFor()
  expect(await page.locator('canvas').count()).toBe(0)
  release()
  await drawn(page)
  expect(await page.getByText('Loading Charts...').count()).toBe(0)
})

test('[CHT-02 CHT-03 CHT-04 CHT-05 CHT-06 CHT-07] each graph is drawn from our own server in either theme, and is a table by the keyboard', async () => {
  const said: string[] = []
  const elsewhere: string[] = []
  const page = await pages.open('/data', manager, (fresh) => {
    fresh.on('console', (message) => message.type() === 'error' && said.push(message.text()))
    fresh.on('request', (request) => new URL(request.url()).origin !== stack.url && elsewhere.push(request.url()))
  })
  await drawn(page)
  const charts = titles.filter((title) => title !== 'Licence counts')
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    for (const title of charts) await expect.poll(() => shows(page, title, countInk(title, theme))).toBe(true)
    await expect.poll(() => shows(page, '', tokens[theme].accent, cities(page))).toBe(true)
  }
  const expected = await answered('organization', manager)
  const places = expected['Unique devices by location'].length
  await card(page, 'Unique devices by location').getByText(`The 7 largest of ${places}. The table has all.`).waitFor()
  expect(await card(page, 'Licence counts').getByRole('img').getAttribute('aria-label')).toBe(
    `${expected['Licence counts'][1]![1]} of ${expected['Licence counts'][0]![1]}`,
  )
  for (const title of titles) {
    expect(expected[title].length).toBeGreaterThan(1)
    expect(await openTable(page, title)).toEqual(expected[title])
  }
  // A long table is scrolled by the keyboard, and the button that opened it leads back to the chart.
  const table = page.getByRole('region', { name: 'Unique devices by time as a table' })
  await page.getByRole('button', { name: 'View as chart: Unique devices by time' }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => table.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('End')
  await expect.poll(() => table.evaluate((one) => one.scrollTop)).toBeGreaterThan(0)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  await card(page, 'Unique devices by time').locator('canvas').waitFor()
  expect([said, elsewhere]).toEqual([[], []])
})

test('[CHT-07] axe finds nothing, in charts and tables, in either look, and nothing is wider than the screen', async () => {
  const page = await pages.open('/data')
  await drawn(page)
  expect((await listFromMap(page)).right).toBeGreaterThan(0)
  expect(await axeInLooks(page)).toEqual([])
  await expect.poll(async () => (await listFromMap(page)).below).toBeGreaterThan(0)
  for (const title of titles) await openTable(page, title)
  expect(await axeInLooks(page)).toEqual([])
})

test('[CHT-08] the graphs switch between Organization and Global only for whom may see both', async () => {
  const customer = await pages.open('/data?scope=global')
  await drawn(customer)
  expect(await customer.getByRole('radio').count()).toBe(0)
  expect(await openTable(customer, 'Licence counts')).toEqual((await answered('organization', manager))['Licence counts'])

  // Staff see only the global graphs, until they belong to an organization.
  await stack.sql('delete from member using "user" where "user".id = user_id and email = $1', [staff])
  const page = await pages.open('/data', staff)
  await drawn(page)
  expect(await page.getByRole('radio').count()).toBe(0)
  const ofAll = await answered('global', staff)
  expect(await openTable(page, 'Unique devices by location')).toEqual(ofAll['Unique devices by location'])
  await stack.sql(
    `insert into member (organization_id, user_id, group_id)
     select (select id from organization where public_id = $1), "user".id, (select min(id) from "group" where organization_id = (select id from organization where public_id = $1)) from "user" where email = $2`,
    [northfield, staff],
  )
  await page.reload()
  const choice = (name: string) => page.getByRole('radio', { name, exact: true })
  await choice('Organization').and(page.locator('[aria-checked=true]')).waitFor()
  await drawn(page)
  expect(await openTable(page, 'Unique devices by location')).toEqual(
    (await answered('organization', manager))['Unique devices by location'],
  )
  await choice('Organization').focus()
  // Held, as by a finger: a choice follows the focus while the key is down.
  await page.keyboard.down('ArrowRight')
  await choice('Global').and(page.locator('[aria-checked=true]')).waitFor()
  await page.keyboard.up('ArrowRight')
  await expect.poll(() => readRows(page, 'Unique devices by location')).toEqual(ofAll['Unique devices by location'])
  expect(new URL(page.url()).search).toBe('?scope=global')
  await page.goBack()
  await choice('Organization').and(page.locator('[aria-checked=true]')).waitFor()
})

test('a graph without numbers says what is missing, and one that cannot be loaded is tried again in its place', async () => {
  const [home] = await stack.sql<{ id: number }>(`select organization_id as id from licence where licence_number = 'LEC-DEMO-HARBORLINE'`)
  await stack.sql('delete from reported_device where organization_id = $1', [home!.id])
  await stack.sql('delete from licence where organization_id = $1 and cardinality(serial_numbers) > 0', [home!.id])
  const page = await pages.open('/data', foreigner, (fresh) =>
    fresh.route('**/license-counts', (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' })),
  )
  await card(page, 'Unique devices by location').getByText('No device has reported its location in the last 365 days.').waitFor()
  await card(page, 'Total devices by OS').getByText('No device has reported its OS in the last 365 days.').waitFor()
  for (const title of ['Unique devices by time', 'Most frequent device models'])
    await card(page, title).getByText('No device has reported in the last 365 days.').waitFor()
  const licences = card(page, 'Licence counts')
  await licences.getByText('Error loading this graph').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.unroute('**/license-counts')
  await licences.getByRole('button', { name: 'Try Again' }).click()
  await licences.getByText('No licence names a serial number.').waitFor()
  expect(await page.getByRole('button', { name: /^View as/ }).count()).toBe(0)
})
