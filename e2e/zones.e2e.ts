import type { Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeFindings, axeInLooks, looks, turn } from './support/axe.ts'
import { manager, member } from './support/processes/stack.ts'
import { create, nameField, params, untilListed, zoneScreen } from './support/screens/zone-screen.ts'

const { api, sql, open, openPrepared } = await zoneScreen()
const findRow = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })

function watchCreations(page: Page): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/location/')) requests.push(request)
  })
  return requests
}

describe('the list', () => {
  test('[ZON-01] "Manage Your Zones" has one row for each zone of the organization, with its readers and host PCs', async () => {
    const page = await open()
    const zones = await api('listZones', { params })
    await page.getByRole('heading', { level: 1, name: 'Manage Your Zones' }).waitFor()
    await page.getByRole('button', { name: `Show all ${zones.length} zones` }).click()
    const rows = page.locator('tbody tr')
    await rows.nth(zones.length - 1).waitFor()
    expect(await rows.locator('td:first-child').allInnerTexts()).toEqual(zones.map(({ name }) => name))
    expect(await rows.locator('td:nth-child(2)').allInnerTexts()).toEqual(zones.map(({ id }) => id))
    const overview = (await api('listZoneOverviews', { params })).find(({ zoneId }) => zones[0]?.id === zoneId)
    const readers = overview?.readers.reduce((sum, { count }) => sum + count, 0) ?? 0
    await rows.nth(0).getByText(String(readers), { exact: true }).waitFor()
    await rows
      .nth(0)
      .getByRole('button', { name: `1 of 1 host PC online in ${zones[0]?.name}` })
      .waitFor()
  })

  test('a search leaves the zones that match, says how many, is in the address, and can be taken back', async () => {
    const page = await open()
    const search = page.getByRole('searchbox', { name: 'Search zones' })
    await search.fill('icu')
    await page.getByText(/zones, showing 3$/).waitFor()
    await page.waitForURL('**/codedm/zones?search=icu')
    await page.reload()
    await page.getByText(/zones, showing 3$/).waitFor()
    expect(await search.inputValue()).toBe('icu')
    await search.fill('no such zone')
    await page.getByText('No zone matches “no such zone”.').waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByText(/zones, showing 8$/).waitFor()
    await page.waitForURL('**/codedm/zones')
    await expect.poll(() => search.evaluate((box) => box === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: /^Show all \d+ zones$/ }).click()
    await page.waitForURL('**/codedm/zones?show=all')
    await page.goBack()
    await page.getByText(/zones, showing 8$/).waitFor()
  })

  test('[ZON-08] says "Loading..." until the zones are there', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const page = await openPrepared((fresh) =>
      fresh.route('**/locations/list', async (route) => {
        await released
        await route.continue()
      }),
    )
    await page.getByText('Loading...', { exact: true }).waitFor()
    release()
    await untilListed(page)
    expect(await page.getByText('Loading...').count()).toBe(0)
  })

  test.each([
    [
      { type: 'about:blank', title: 'Internal Server Error', status: 500, detail: 'The zones are being moved.' },
      'The zones are being moved.',
    ],
    [{ type: 'about:blank', title: '', status: 500 }, 'unknown error'],
  ])('[ZON-09] a failure says %j in red, and can be tried again', async (problem, text) => {
    const page = await openPrepared((fresh) => fresh.route('**/locations/list', (route) => route.fulfill({ status: 500, json: problem })))
    const message = page.getByRole('alert').getByText(text, { exact: true })
    await message.waitFor()
    const color = await message.evaluate((element) => getComputedStyle(element).color)
    const red = await page.evaluate(`
      document.body.append(Object.assign(document.createElement('i'), { id: 'red', style: 'color: var(--bad)' }))
      getComputedStyle(document.getElementById('red')).color`)
    expect(color).toBe(red)
    await page.unroute('**/locations/list')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await untilListed(page)
  })

  test('an organization without zones reads how to begin', async () => {
    const page = await openPrepared((fresh) => fresh.route('**/locations/list*', (route) => route.fulfill({ json: [] })))
    await page.getByText('No zones yet.').waitFor()
    await page.getByText('Create the first one below.').waitFor()
  })
})

describe('creating a zone', () => {
  test('[ZON-02 ZON-05] the form below the list creates it; the input clears, and the new row stands out', async () => {
    const page = await open()
    await create(page, '  Sterile Storage 2 ')
    await page.getByText('Zone created').first().waitFor()
    await findRow(page, 'Sterile Storage 2').getByText('New', { exact: true }).waitFor()
    expect(await nameField(page).inputValue()).toBe('')
    const [form, list] = [await nameField(page).boundingBox(), await page.getByRole('table').boundingBox()]
    expect(form!.y).toBeGreaterThan(list!.y + list!.height)
    expect((await api('listZones', { params })).map(({ name }) => name)).toContain('Sterile Storage 2')
  })

  test('[ZON-03 ZON-04] a blank name, a duplicate one in any case and one of two dots are refused at the field, without a call', async () => {
    const page = await open()
    const calls = watchCreations(page)
    for (const [name, sentence] of [
      ['   ', 'Enter a name for the zone.'],
      ['radiology', 'There is already a zone named "Radiology".'],
      ['..', '".." cannot be used as a name.'],
    ] as const) {
      await create(page, name)
      await page.getByText(sentence).waitFor()
      expect(await nameField(page).getAttribute('aria-invalid')).toBe('true')
      expect(await nameField(page).inputValue()).toBe(name)
      expect(calls).toEqual([])
      await nameField(page).fill('x')
      expect(await page.getByText(sentence).count()).toBe(0)
    }
  })

  test('[ZON-04] a name that another user has just taken is refused at the field by the server', async () => {
    const page = await open()
    await api('createZone', { params: { ...params, location: 'Taken Meanwhile' } })
    await create(page, 'taken meanwhile')
    await page.getByText('There is already a zone named "taken meanwhile".').waitFor()
    expect(await nameField(page).inputValue()).toBe('taken meanwhile')
  })

  test('[ZON-06 ZON-07] a name that is too long is cut to its bytes, between two characters', async () => {
    const page = await open()
    // 25 bytes. A name has 1024 - 36 (organization) - 2 - 50 (spec §5).
    const family = '👩‍👩‍👧‍👦'
    await create(page, `ab${family.repeat(60)}`)
    await page.getByText('Its name was shortened to 936 bytes.').first().waitFor()
    const kept = (await api('listZones', { params })).find(({ name }) => name.startsWith('ab'))?.name ?? ''
    expect(kept).toBe(`ab${family.repeat(37)}`)
  })

  test('[PER-05 ZON-13] without manage:firmware there is neither the form nor a way to delete, but the location file', async () => {
    const page = await open(member)
    await page
      .getByRole('button', { name: 'Location file for Radiology' })
      .or(page.getByRole('button', { name: /Location file/ }).first())
      .waitFor()
    expect(await nameField(page).count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Delete / }).count()).toBe(0)
    const allowed = await open(manager)
    expect(await allowed.getByRole('button', { name: /^Delete / }).count()).toBe(8)
  })
})

test('the rail warns of a zone whose readers no host PC reaches', async () => {
  await sql(`update host set last_seen_at = now() - interval '1 hour' where name = 'NRH-STERI-01'`)
  const page = await open()
  await page
    .getByRole('complementary')
    .getByText(/Sterile Processing has no host PC online\. Its 63\d readers cannot update/)
    .waitFor()
})

test('axe finds nothing in any state, in either look', async () => {
  const page = await openPrepared((fresh) => fresh.route('**/locations/list', (route) => route.fulfill({ status: 500, json: {} })))
  const again = page.getByRole('button', { name: 'Try Again' })
  await again.waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.unroute('**/locations/list')
  await again.click()
  await untilListed(page)
  for (const look of looks) {
    await turn(page, look)
    await page.getByRole('button', { name: /host PC online in ED Triage/ }).click()
    await page.getByRole('dialog').waitFor()
    expect(await axeFindings(page), look[0]).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()
  }
  await page.getByRole('button', { name: 'Delete ED Triage' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByText('still has the host PC').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.getByRole('button', { name: 'Back' }).click()
  await create(page, ' ')
  await page.getByText('Enter a name for the zone.').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await create(page, 'Axe in looks')
  await page.getByText('New', { exact: true }).waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.getByRole('searchbox').fill('no such zone')
  await page.getByText('No zone matches').waitFor()
  expect(await axeInLooks(page)).toEqual([])
})
