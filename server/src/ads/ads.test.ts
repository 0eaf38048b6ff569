import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const staff = await server.person({ permissions: ['global:access:organizations'] })
const customer = await server.person({ organization: await server.organization() })

/** A day of UTC, so many days from today. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const ad = {
  title: 'New reader',
  description: 'A palm reader that lasts all day.',
  adsImage: 'https://example.com/picture.png',
  adsUrl: 'https://example.com/',
  adsStartDate: day(-1),
  adsEndDate: day(1),
  createdByName: 'Marketing',
  status: 1,
}
const create = (parts: Record<string, unknown> = {}) => staff.call('createAd', { body: { ...ad, ...parts } })
const update = (id: number, parts: Record<string, unknown> = {}) => staff.call('updateAd', { params: { id }, body: { ...ad, ...parts } })
const get = (id: number, { call } = staff) => call('getAd', { params: { id } })
const listIds = async ({ call }: typeof staff) => (await call('listAds')).body.map(({ adsid }) => adsid)
const remove = (id: number) => staff.call('deleteAd', { params: { id } })
const noSuchAd = { status: 404, detail: 'There is no such ad.' }

test('[API-ADS-02 API-ADS-03 ENT-10] creates an ad, and returns it', async () => {
  const { status, body } = await create()
  expect([status, body]).toEqual([
    200,
    { ...ad, adsid: expect.any(Number), createdBy: staff.email, createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
  ])
  for (const reader of [staff, customer]) expect((await get(body.adsid, reader)).body).toEqual(body)
})

test('[API-ADS-04] changes an ad; who made it and when stays', async () => {
  const { body } = await create()
  const changes = { title: 'Changed', adsImage: null, status: 0, adsUrl: '/product', adsStartDate: '2026-01-01', adsEndDate: '2026-01-01' }
  const changed = await update(body.adsid, changes)
  expect([changed.status, changed.body]).toEqual([200, { ...body, ...changes }])
  expect((await get(body.adsid)).body).toEqual(changed.body)
  expect((await update(2_147_483_647)).problem).toMatchObject(noSuchAd)
})

test('[API-ADS-05] deletes an ad, once', async () => {
  const { body } = await create()
  const { status, text } = await remove(body.adsid)
  expect([status, text]).toEqual([204, ''])
  expect((await remove(body.adsid)).problem).toMatchObject(noSuchAd)
  for (const reader of [staff, customer]) expect((await get(body.adsid, reader)).problem).toMatchObject(noSuchAd)
  expect(await listIds(staff)).not.toContain(body.adsid)
})

test('[API-ADS-01] customers see what is published and within its days, the newest first; staff see every ad', async () => {
  const shown = {
    'from yesterday to tomorrow': {},
    'today only': { adsStartDate: day(0), adsEndDate: day(0) },
    'for all time': { adsStartDate: '0001-01-01', adsEndDate: '9999-12-31' },
  }
  const hidden = {
    draft: { status: 0 },
    archived: { status: 2 },
    'over since yesterday': { adsStartDate: day(-2), adsEndDate: day(-1) },
    'from tomorrow': { adsStartDate: day(1), adsEndDate: day(2) },
  }
  const made = async (kinds: Record<string, Record<string, unknown>>) => {
    const ids: number[] = []
    for (const parts of Object.values(kinds)) ids.push((await create(parts)).body.adsid)
    return ids
  }
  const [visible, secret] = [await made(shown), await made(hidden)]
  const [seen, all] = [await listIds(customer), await listIds(staff)]
  expect(seen.filter((id) => id >= visible[0]!)).toEqual(visible.toReversed())
  expect(all.filter((id) => id >= visible[0]!)).toEqual([...visible, ...secret].toReversed())
  for (const id of visible) expect((await get(id, customer)).status).toBe(200)
  for (const id of secret) {
    expect((await get(id, customer)).problem).toMatchObject(noSuchAd)
    expect((await get(id)).status).toBe(200)
  }
})

test.for([
  ['title', 20, ''],
  ['description', 100, ''],
  ['createdByName', 100, ''],
  ['adsUrl', 250, 'https://example.com/'],
  ['adsImage', 250, 'https://example.com/'],
] as const)('[ADS-03] %s has at most %i characters', async ([field, max, start]) => {
  const { body } = await create({ [field]: start.padEnd(max, 'x') })
  expect(body).toMatchObject({ [field]: start.padEnd(max, 'x') })
  const tooLong = { [field]: start.padEnd(max + 1, 'x') }
  const refusal = { status: 400, detail: `${field} must have at most ${max} characters` }
  expect([(await create(tooLong)).problem, (await update(body.adsid, tooLong)).problem]).toMatchObject([refusal, refusal])
  expect((await get(body.adsid)).body).toEqual(body)
})

test.for([
  ...['javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'data:text/html,x', '//evil.example', '/\\evil.example', 'http://example.com'],
  ...['example.com', '', ' ', 'https://', 'https://example.com/\0', 'https://example.com/\ud800', 'blob:https://example.com/x'],
  ...['http://localhost:3000/', 'http://127.0.0.1'],
])('[MAY-06] refuses the address %j', async (address) => {
  for (const field of ['adsUrl', 'adsImage'])
    expect((await create({ [field]: address })).problem).toMatchObject({ status: 400, detail: `${field} must be an https:// address` })
})

test.for(['https://example.com/x?y=z#w', '/product/id/2/details'])('takes the address %j', async (address) => {
  expect((await create({ adsUrl: address, adsImage: address })).body).toMatchObject({ adsUrl: address, adsImage: address })
})

test.for([
  [{ title: '' }, 'title must not be empty'],
  [{ title: ' ' }, 'title must not be empty'],
  [{ title: 'a\nb' }, 'title must not have control characters'],
  [{ createdByName: '' }, 'createdByName must not be empty'],
  [{ description: 'a\0b' }, 'description must be text'],
  [{ adsUrl: null }, 'adsUrl invalid input: expected string, received null'],
  [{ status: 3 }, 'status must be 0 (draft), 1 (published) or 2 (archived)'],
  [{ status: '1' }, 'status must be 0 (draft), 1 (published) or 2 (archived)'],
  [{ adsStartDate: '2027-02-30' }, 'adsStartDate must be a date, such as 2027-01-31'],
  [{ adsStartDate: '2027-01-31T00:00:00Z' }, 'adsStartDate must be a date, such as 2027-01-31'],
  [{ adsStartDate: '0000-01-01' }, 'adsStartDate must not be in the year 0'],
  [{ adsStartDate: '2027-02-02', adsEndDate: '2027-02-01' }, 'adsEndDate must not be before the first day'],
] as const)('refuses %j in words', async ([parts, detail]) => {
  const before = await listIds(staff)
  expect((await create(parts)).problem).toMatchObject({ status: 400, detail })
  expect(await listIds(staff)).toEqual(before)
})

test('[PER-15] no customer writes ads', async () => {
  const { body } = await create()
  const params = { id: body.adsid }
  const answers = [
    await customer.call('createAd', { body: ad }),
    await customer.call('updateAd', { params, body: { ...ad, title: 'Mine' } }),
    await customer.call('deleteAd', { params }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
  expect((await get(body.adsid)).body).toEqual(body)
})
