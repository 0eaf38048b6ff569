import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { Permission } from '@lectern/contract/http/permissions.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { insertEntries, type NewEntry } from '../testing/scenarios/audit-entries.ts'
import { serverForFile } from '../testing/server.ts'
import { sweepAuditCounts, vendorsLog } from './audit.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations', 'access:audit_log'] })

/** An organization with these entries, oldest first, and a person who may read its log. */
async function newLog(entries: readonly NewEntry[] = []) {
  const organization = await server.organization()
  const reader = await server.person({ organization, permissions: ['access:audit_log'] })
  const params = { organizationId: organization.id }
  const ids = await insertEntries(db, organization.key, entries)
  const page = async (query: Record<string, unknown> = {}) => (await reader.call('listAuditEntries', { params, query })).body
  const paged = (query: Record<string, unknown> = {}) => page({ PageNumber: 0, PageSize: 100, ...query })
  const whole = async (query: Record<string, unknown> = {}) => (await page(query)) as unknown as AuditEntry[]
  return { organization, reader, params, ids, paged, whole }
}
const numbered = (count: number, parts: NewEntry = {}) =>
  Array.from({ length: count }, (_, number) => ({
    at: `2026-01-01T00:00:${String(number).padStart(2, '0')}Z`,
    zone: `Z${number}`,
    ...parts,
  }))
const listZoneNames = (entries: readonly AuditEntry[]) => entries.map(({ zoneName }) => zoneName)

test('[API-AUD-01 ENT-22] returns the whole log, newest first, with what each change type has', async () => {
  const { organization, reader, params, whole } = await newLog()
  const manager = await server.person({ organization, permissions: ['manage:firmware', 'manage:cfg'] })
  await manager.call('updateCurrentUser', { body: { firstName: 'Ada', lastName: 'Okoro' } })
  const zone = (await manager.call('createZone', { params: { ...params, location: 'ICU' } })).body
  const path = { ...params, location: zone.id, device: 'A271/2' }
  const publish = await manager.call('publishCfg', { params: path, body: { cfg: '<cfg>1</cfg>' } })
  const common = { id: expect.any(String), organizationId: organization.id, initiatorEmail: manager.email, address: '127.0.0.1' }
  const user = { name: 'Ada Okoro', email: manager.email }
  const inEffectSince = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const entries = await whole()
  expect(entries).toEqual([
    {
      ...common,
      user,
      inEffectSince,
      changeType: 'ZoneConfigChange',
      requestId: publish.headers.get('x-request-id'),
      target: 'A271/2',
      zoneName: 'ICU',
      version: '1',
      configName: expect.stringMatching(/^CFG /),
      newValue: expect.stringMatching(/^[0-9a-f]{64}$/),
      rollout: expect.any(String),
    },
    { ...common, user, inEffectSince, changeType: 'ZoneCreate', target: zone.id, zoneName: 'ICU', requestId: expect.any(String) },
    expect.objectContaining({ changeType: 'updateCurrentUser', user, newValue: 'first name, last name' }),
  ])
  expect((await staff.call('listAuditEntries', { params })).body).toEqual(entries)
  expect((await reader.call('listDeviceAuditEntries', { params: { ...params, serialNumber: 'S1' } })).body).toEqual([])
})

test('[API-AUD-01] a log of more entries than are read at once is whole too, and an empty one is an empty list', async () => {
  const { whole } = await newLog()
  expect(await whole()).toEqual([])
  const { whole: large } = await newLog(Array.from({ length: 1_201 }, (_, number) => ({ zone: `Z${number}` })))
  expect(new Set(listZoneNames(await large())).size).toBe(1_201)
})

test('[API-AUD-02] returns the entries of a reader: whole, paged and filtered', async () => {
  const installed = (serial: string, version: string): NewEntry => ({ type: 'FirmwareInstalled', serial, version })
  const { reader, params } = await newLog([installed('S/1 %', '1.0'), installed('S2', '1.0'), installed('S/1 %', '1.1'), { zone: 'S/1 %' }])
  const of = async (query: Record<string, unknown>) =>
    (await reader.call('listDeviceAuditEntries', { params: { ...params, serialNumber: 'S/1 %' }, query })).body
  expect(await of({})).toMatchObject([
    { deviceSerial: 'S/1 %', version: '1.1', changeType: 'FirmwareInstalled' },
    { deviceSerial: 'S/1 %', version: '1.0' },
  ])
  expect(await of({ PageNumber: 1, PageSize: 1 })).toMatchObject({ entryList: [{ version: '1.0' }], totalCount: 2, hasMore: false })
  expect(await of({ textFilter: '1.1' })).toMatchObject([{ version: '1.1' }])
  // The path names the reader; a filter does not lead to another one.
  expect(await of({ device: 'S2' })).toHaveLength(2)
})

test('[ENT-22] an entry whose person is gone has no user, and still says who it was', async () => {
  const gone = { userId: uuidv7(), email: 'gone@people.example' }
  const { paged } = await newLog([{ by: gone, name: 'Somebody Gone', zone: 'A' }, { zone: 'B' }])
  const [host, person] = (await paged()).entryList
  expect(host).toMatchObject({ zoneName: 'B', initiatorEmail: null })
  expect(person).toMatchObject({ zoneName: 'A', initiatorEmail: 'gone@people.example' })
  for (const entry of [host, person]) expect(entry).not.toHaveProperty('user')
})

test('a person who is removed leaves their entries as they are', async () => {
  const { organization, params, whole } = await newLog()
  const manager = await server.person({ organization, permissions: ['manage:firmware'] })
  await manager.call('createZone', { params: { ...params, location: 'ICU' } })
  const [{ user, ...rest }] = (await whole()) as [AuditEntry]
  expect(user).toBeDefined()
  await db.deleteFrom('member').where('user_id', '=', manager.userId).execute()
  await db.deleteFrom('user').where('id', '=', manager.userId).execute()
  expect(await whole()).toEqual([rest])
})

test('a person without a name is their address', async () => {
  const { organization, params, paged } = await newLog()
  const manager = await server.person({ organization, permissions: ['manage:firmware'] })
  await manager.call('createZone', { params: { ...params, location: 'ICU' } })
  expect((await paged()).entryList[0]?.user).toEqual({ name: manager.email, email: manager.email })
})

test('pages from either end and through the middle, each entry once, with the exact total', async () => {
  const { paged } = await newLog(numbered(25))
  const expected = Array.from({ length: 25 }, (_, number) => `Z${24 - number}`)
  for (const size of [1, 7, 10, 25, 100]) {
    const seen: (string | undefined)[] = []
    for (let number = 0; number * size < 25; number++) {
      const page = await paged({ PageNumber: number, PageSize: size })
      expect(page).toMatchObject({ pageNumber: number, pageSize: size, totalCount: 25, hasMore: false })
      seen.push(...listZoneNames(page.entryList))
    }
    expect(seen).toEqual(expected)
  }
  expect((await paged({ PageNumber: 25, PageSize: 1 })).entryList).toEqual([])
})

test('a page behind an entry stays where it is while new ones are written, also among entries of one instant', async () => {
  const { organization, paged } = await newLog(numbered(7, { at: '2026-01-01T00:00:00Z' }))
  const seen: (string | undefined)[] = []
  for (let before: string | undefined; ; ) {
    const { entryList } = await paged({ PageSize: 3, ...(before && { before }) })
    seen.push(...listZoneNames(entryList))
    before = entryList.at(-1)?.id
    await insertEntries(db, organization.key, [{ zone: 'new' }])
    if (entryList.length < 3) break
  }
  expect(seen).toEqual(['Z6', 'Z5', 'Z4', 'Z3', 'Z2', 'Z1', 'Z0'])
  // An entry of another log is no place in this one.
  const [foreign] = (await newLog([{ zone: 'other' }])).ids
  expect((await paged({ before: foreign })).entryList).toEqual([])
})

const [first, second] = [
  { userId: uuidv7(), email: 'ada@people.example' },
  { userId: uuidv7(), email: 'ben@people.example' },
]
const mixed: NewEntry[] = [
  { at: '2026-01-01T10:00:00Z', type: 'ZoneCreate', by: first, name: 'Ada Okoro', zone: 'ICU 3 North' },
  {
    at: '2026-01-02T10:00:00Z',
    type: 'ZoneConfigChange',
    by: second,
    name: 'Ben Å',
    zone: 'ICU 3 North',
    target: 'A271/2',
    config: '100%_sure.js',
  },
  { at: '2026-01-03T10:00:00Z', type: 'FirmwareInstalled', serial: '27P041', version: '4.12.0', zone: 'Lab' },
  { at: '2026-01-04T10:00:00Z', type: 'renameGroup', by: first, name: 'Ada Okoro', target: 'Old', newValue: 'Night shift' },
]
/** Each filter with the days of January whose entry it shows. */
const filters: [Record<string, string>, number[]][] = [
  [{}, [4, 3, 2, 1]],
  [{ changeType: 'ZoneCreate' }, [1]],
  [{ changeType: 'none such' }, []],
  [{ person: 'ada@people.example' }, [4, 1]],
  [{ person: 'ada' }, []],
  [{ zone: 'ICU 3 North' }, [2, 1]],
  [{ zone: 'icu 3 north' }, []],
  [{ device: '27P041' }, [3]],
  [{ from: '2026-01-02T10:00:00Z' }, [4, 3, 2]],
  [{ to: '2026-01-02T10:00:00Z' }, [1]],
  [{ from: '2026-01-02T00:00:00Z', to: '2026-01-04T00:00:00Z' }, [3, 2]],
  [{ textFilter: 'ada' }, [4, 1]],
  [{ textFilter: 'OKORO' }, [4, 1]],
  [{ textFilter: 'ben å' }, [2]],
  [{ textFilter: 'north icu' }, [2, 1]],
  [{ textFilter: '27p' }, [3]],
  [{ textFilter: 'a271/2' }, [2]],
  [{ textFilter: '4.12' }, [3]],
  [{ textFilter: 'night' }, [4]],
  [{ textFilter: '100%_' }, [2]],
  [{ textFilter: '%' }, [2]],
  [{ textFilter: '\\' }, []],
  [{ textFilter: ' ' }, [4, 3, 2, 1]],
  [{ textFilter: 'ada', zone: 'ICU 3 North', changeType: 'ZoneCreate', person: first!.email, to: '2026-01-02T00:00:00Z' }, [1]],
  [{ textFilter: 'ada', zone: 'Lab' }, []],
]
const log = await newLog(mixed)
await newLog(mixed)

test.each(filters)('[API-AUD-01] %o shows the entries to which all of it applies, whole, in pages and counted', async (query, days) => {
  const { paged, whole } = log
  const listDays = (entries: readonly AuditEntry[]) => entries.map(({ inEffectSince }) => new Date(inEffectSince).getUTCDate())
  expect(listDays(await whole(query))).toEqual(days)
  const page = await paged(query)
  expect([listDays(page.entryList), page.totalCount, page.hasMore]).toEqual([days, days.length, false])
})

test.each([
  'listAuditEntries',
  'listDeviceAuditEntries',
  'getAuditChoices',
  'downloadAuditLog',
  'listVendorAuditEntries',
  'getVendorAuditChoices',
  'downloadVendorAuditLog',
] as const)('[PER-13] %s needs access:audit_log, whatever else a person holds', async (name) => {
  const others = Permission.options.filter((permission) => permission !== 'access:audit_log')
  const args = { params: { ...log.params, serialNumber: 'S1' } }
  const person = await server.person({ organization: log.organization, permissions: others })
  const refused = await person.call(name, args)
  expect([refused.status, refused.problem.detail]).toEqual([403, 'This needs the permission “Read the audit log”.'])
  const holder = await server.person({ organization: log.organization, permissions: Permission.options })
  expect((await holder.call(name, args)).status).toBe(200)
})

test('says what is wrong with a filter', async () => {
  const { reader, params } = log
  const refusal = async (query: Record<string, unknown>) => (await reader.call('listAuditEntries', { params, query })).problem
  expect(await refusal({ from: 'yesterday' })).toMatchObject({ status: 400, detail: expect.stringContaining('from') })
  expect(await refusal({ textFilter: 'x'.repeat(201) })).toMatchObject({ status: 400 })
  expect(await refusal({ textFilter: '\0' })).toMatchObject({ status: 400 })
  expect(await refusal({ PageSize: 101 })).toMatchObject({ status: 400 })
  expect(await refusal({ before: 'x' })).toMatchObject({ status: 400 })
})

test('where a filter has no stored total, entries are counted to 10,000', async () => {
  const { organization, paged } = await newLog()
  await sql`insert into audit_entry (id, organization_id, change_type, zone_name)
    select gen_random_uuid(), ${organization.key}, 'ZoneCreate', 'ICU' from generate_series(1, 10001)`.execute(db)
  expect(await paged({ zone: 'ICU' })).toMatchObject({ totalCount: 10_000, hasMore: true })
  expect(await paged({ changeType: 'ZoneCreate' })).toMatchObject({ totalCount: 10_001, hasMore: false })
  expect((await paged({ zone: 'ICU', PageNumber: 100 })).entryList).toHaveLength(1)
})

test('names the types, people and zones of a log', async () => {
  const { reader, params } = log
  expect((await reader.call('getAuditChoices', { params })).body).toEqual({
    changeTypes: [
      { changeType: 'FirmwareInstalled', count: 1 },
      { changeType: 'ZoneConfigChange', count: 1 },
      { changeType: 'ZoneCreate', count: 1 },
      { changeType: 'renameGroup', count: 1 },
    ],
    people: ['ada@people.example', 'ben@people.example'],
    zones: ['ICU 3 North', 'Lab'],
  })
  const empty = await newLog()
  expect((await empty.reader.call('getAuditChoices', { params: empty.params })).body).toEqual({ changeTypes: [], people: [], zones: [] })
})

test('staff read what concerns no organization, which no organization sees', async () => {
  const { paged } = await newLog()
  const [id] = await insertEntries(db, vendorsLog, [{ type: 'deleteAd', target: 'Old ad', by: staff }])
  const list = (query: Record<string, unknown>) => staff.call('listVendorAuditEntries', { query })
  expect((await list({ PageNumber: 0 })).body).toMatchObject({ entryList: [{ id, organizationId: null, target: 'Old ad' }], totalCount: 1 })
  expect((await list({ textFilter: 'old' })).body).toMatchObject([{ id }])
  expect((await list({ person: staff.email, changeType: 'deleteAd' })).body).toMatchObject([{ id }])
  expect((await staff.call('getVendorAuditChoices', {})).body).toMatchObject({ people: [staff.email], zones: [] })
  expect((await paged()).totalCount).toBe(0)
})

test.each([
  ['update', sql`update audit_entry set target = 'forged'`],
  ['delete', sql`delete from audit_entry`],
  ['delete of nothing', sql`delete from audit_entry where false`],
  ['truncate', sql`truncate audit_entry`],
])('the database refuses to %s entries', async (_, statement) => {
  const before = await log.whole()
  expect(before).toHaveLength(mixed.length)
  await expect(statement.execute(db)).rejects.toThrow('never changed or removed')
  expect(await log.whole()).toEqual(before)
})

test('the stored totals are those of the entries, before they are folded and after', async () => {
  const stored = async () => {
    const { rows } =
      await sql`select organization_id, change_type, sum(amount)::int as amount from audit_count group by 1, 2 order by 1, 2`.execute(db)
    return rows
  }
  const { rows: counted } = await sql`
    select organization_id, change_type, count(*)::int as amount from audit_entry group by 1, 2 order by 1, 2`.execute(db)
  expect(await stored()).toEqual(counted)
  await sweepAuditCounts(db)
  expect(await stored()).toEqual(counted)
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from audit_count`.execute(db)
  expect(rows).toEqual([{ rows: counted.length }])
})
