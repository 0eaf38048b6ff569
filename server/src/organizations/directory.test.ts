import type { Organization, OrganizationPage } from '@lectern/contract/organizations.ts'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })

/** 260 organizations of a group each, beside these. */
const special = {
  wildcards: '100 %_\\ Care',
  sharp: 'GRÖSSE Straße ΟΔΟΣ',
  large: 'Large',
  nameless: null,
  blank: '',
} as const
const ids: Record<string, { id: string; key: number }> = {}
for (const [kind, name] of Object.entries(special)) {
  const { id, key } = await server.organization()
  await db.updateTable('organization').set({ name }).where('id', '=', key).execute()
  ids[kind] = { id, key }
}
for (let number = 0; number < 260; number++) await server.organization(`Clinic ${String(number).padStart(3, '0')}`)
const { id: groupId } = await db.selectFrom('group').select('id').where('organization_id', '=', ids.large!.key).executeTakeFirstOrThrow()
const large = { ...ids.large!, name: 'Large', groupId }
const people = await Promise.all(Array.from({ length: 3 }, () => server.person({ organization: large, permissions: ['manage:people'] })))
for (let number = 0; number < 11; number++) await people[0]!.call('createGroup', { body: { name: `Ward ${number}` } })
const total = 265

const page = async (query: Record<string, unknown>) =>
  (await staff.call('listAllOrganizations', { query })).body as unknown as OrganizationPage
const whole = async (query: Record<string, unknown> = {}) =>
  (await staff.call('listAllOrganizations', { query })).body as unknown as Organization[]
const listNames = ({ organizationList }: OrganizationPage) => organizationList.map(({ name }) => name)
/** The directory's order: by the shown name in lower case. */
const shown = ({ id, name }: { id: string; name: string | null }) => (name || id).toLowerCase()

test('[API-ORG-01 ENT-03 ENT-04] without paging, all organizations with their groups and members, each once, by name', async () => {
  const answer = await staff.call('listAllOrganizations')
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const list = answer.body as unknown as Organization[]
  expect(list).toHaveLength(total)
  expect(new Set(list.map(({ id }) => id)).size).toBe(total)
  expect(list.map(shown)).toEqual(list.map(shown).toSorted())
  for (const one of [list[0]!, list.find(({ id }) => id === ids.large!.id)!, list.at(-1)!])
    expect((await staff.call('getOrganization', { params: { organizationId: one.id } })).body).toEqual(one)
  const { groups } = list.find(({ id }) => id === ids.large!.id)!
  expect(groups).toHaveLength(12)
  expect(groups[0]!.users.map(({ email }) => email).sort()).toEqual(people.map(({ email }) => email).sort())
  expect(list.find(({ id }) => id === ids.nameless!.id)?.name).toBeNull()
  expect((await staff.call('listAllOrganizations')).text).toBe(answer.text)
})

test('[API-ORG-01] the whole list can be searched, and one that finds nothing is empty', async () => {
  expect((await whole({ textFilter: 'clinic 10' })).map(({ name }) => name)).toEqual(
    Array.from({ length: 10 }, (_, number) => `Clinic 10${number}`),
  )
  expect((await staff.call('listAllOrganizations', { query: { textFilter: 'nowhere' } })).text).toBe('[]')
})

test('pages follow each other in one order, and leave out and repeat nothing', async () => {
  const all = await whole()
  for (const PageSize of [1, 7, 100]) {
    const found = []
    for (let PageNumber = 0; PageNumber * PageSize < (PageSize === 1 ? 12 : total); PageNumber++) {
      const { organizationList, ...facts } = await page({ PageNumber, PageSize })
      expect(facts).toEqual({ pageNumber: PageNumber, pageSize: PageSize, totalCount: total })
      found.push(...organizationList)
    }
    expect(found.map(({ id }) => id)).toEqual(all.slice(0, found.length).map(({ id }) => id))
    if (PageSize > 1) expect(found).toHaveLength(total)
  }
  expect(await page({ PageNumber: 27, PageSize: 10 })).toEqual({ organizationList: [], pageNumber: 27, pageSize: 10, totalCount: total })
})

test('either parameter asks for a page; the other is 0 or 10', async () => {
  expect(await page({ PageSize: 25 })).toMatchObject({ pageNumber: 0, pageSize: 25, organizationList: Array(25).fill(expect.anything()) })
  const second = await page({ PageNumber: 1 })
  expect(second).toMatchObject({ pageNumber: 1, pageSize: 10 })
  expect(second.organizationList).toHaveLength(10)
})

test.for([
  { PageSize: 0 },
  { PageSize: 101 },
  { PageSize: 'x' },
  { PageNumber: -1 },
  { PageNumber: 1.5 },
  { PageNumber: 1e99 },
  { textFilter: 'a\0' },
  { PageSize: 10, textFilter: 'x'.repeat(201) },
])('refuses %j', async (query) => {
  expect((await staff.call('listAllOrganizations', { query })).status).toBe(400)
})

test('an entry shows how many members each group has, at most twelve groups, and whether there are more', async () => {
  const entry = async () => (await page({ PageSize: 10, textFilter: 'large' })).organizationList
  const groups = [
    { gid: expect.any(Number), name: expect.stringContaining('Products'), memberCount: 3 },
    ...Array.from({ length: 11 }, (_, number) => ({ gid: expect.any(Number), name: `Ward ${number}`, memberCount: 0 })),
  ]
  expect(await entry()).toEqual([{ id: ids.large!.id, name: 'Large', hasEpicData: false, groups, hasMoreGroups: false }])
  const { body: more } = await people[0]!.call('createGroup', { body: { name: 'One more' } })
  expect(await entry()).toEqual([{ id: ids.large!.id, name: 'Large', hasEpicData: false, groups, hasMoreGroups: true }])
  const [first] = (await entry())[0]!.groups
  await staff.call('deleteGroup', { params: { id: more.gid }, body: { replacementGroupId: first!.gid } })
  expect(await entry()).toMatchObject([{ hasMoreGroups: false }])
})

test.for([
  ['clinic 25', 10],
  ['CLINIC 259', 1],
  ['linic', 260],
  ['  Clinic 007  ', 1],
  ['0', 'some'],
  ['%', 1],
  ['_', 1],
  ['\\', 1],
  ['%_\\', 1],
  ['1%', 0],
  ['größe', 0],
  ['grösse', 1],
  ['straße', 1],
  ['STRAßE', 1],
  ['ΟΔΟΣ', 1],
  ["'; drop table organization; --", 0],
  ['', total],
  ['   ', total],
] as const)('[ADM-03] a search for %j finds %s', async ([textFilter, amount]) => {
  const all = await whole()
  const { organizationList, totalCount } = await page({ PageSize: 100, textFilter })
  if (amount === 'some') {
    expect(totalCount).toBe(all.filter((one) => shown(one).includes(textFilter)).length)
  } else expect(totalCount).toBe(amount)
  expect(organizationList).toHaveLength(Math.min(totalCount, 100))
  expect(await whole({ textFilter })).toHaveLength(totalCount)
})

test('[ADM-03] the pages of a search follow each other too', async () => {
  const names = []
  for (let PageNumber = 0; PageNumber < 11; PageNumber++) {
    const found = await page({ PageNumber, PageSize: 10, textFilter: 'Clinic 1' })
    expect(found.totalCount).toBe(100)
    names.push(...listNames(found))
  }
  expect(names).toEqual(Array.from({ length: 100 }, (_, number) => `Clinic ${100 + number}`))
})

test('[ADM-04] an organization without a name is found and sorted by its id', async () => {
  for (const kind of ['nameless', 'blank'])
    expect((await page({ PageSize: 10, textFilter: ids[kind]!.id.toUpperCase() })).organizationList).toMatchObject([
      { id: ids[kind]!.id, name: kind === 'blank' ? '' : null },
    ])
  expect((await page({ PageSize: 10, textFilter: ids.large!.id })).totalCount).toBe(0)
})

test('the totals count everything', async () => {
  const { status, body } = await staff.call('getDirectoryTotals')
  const { groups } = await db
    .selectFrom('group')
    .select(({ fn }) => fn.countAll<number>().as('groups'))
    .executeTakeFirstOrThrow()
  expect([status, body]).toEqual([200, { organizations: total, groups, members: 3 }])
})

test('[PER-14] to customers there is no directory', async () => {
  for (const query of [{}, { PageSize: 10 }])
    expect((await people[0]!.call('listAllOrganizations', { query })).problem).toMatchObject({
      status: 403,
      detail: 'This needs the permission “See all organizations”.',
    })
})
