import type { Reader } from '@lectern/contract/readers.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reader, type TestOrganization } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const hour = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()

/** A member of an organization (default: a new one), and what they do with its readers. */
async function keeper(of?: TestOrganization) {
  const organization = of ?? (await server.organization())
  const person = await server.person({ organization, permissions: ['manage:firmware'] })
  const params = { customerid: organization.id }
  const at = (id: number) => ({ params: { id } })
  return {
    organization,
    person,
    create: (body: object) => person.call('createReader', { params, body }),
    get: (id: number) => person.call('getReader', at(id)),
    update: (id: number, body: object) => person.call('updateReader', { ...at(id), body }),
    remove: (id: number) => person.call('deleteReader', at(id)),
    list: async (connectstatus = 'all', query: Record<string, unknown> = {}) =>
      person.call('listReaders', { params: { ...params, connectstatus }, query }),
    whole: async (connectstatus = 'all', query: Record<string, unknown> = {}) =>
      (await person.call('listReaders', { params: { ...params, connectstatus }, query })).body as unknown as Reader[],
  }
}

describe('a reader', () => {
  test('[API-RDR-01 API-RDR-02 API-RDR-05 ENT-02 RDR-01] is registered, listed and read', async () => {
    const { create, get, whole } = await keeper()
    const lastActivityDate = '2026-01-31T08:30:00.000Z'
    const { status, body } = await create({ sn: ' 27P0418853 ', isLost: true, lastActivityDate, codeMasterId: 'CM-7' })
    expect(status).toBe(200)
    expect(body).toEqual({ readerId: expect.any(Number), sn: '27P0418853', isLost: true, lastActivityDate, codeMasterId: 'CM-7' })
    expect((await get(body.readerId)).body).toEqual(body)
    expect(await whole()).toEqual([body])
  })

  test('[ENT-02] of which only the serial number is known is not lost, has no activity and no CodeMaster', async () => {
    const { create } = await keeper()
    const nothing = { isLost: false, lastActivityDate: null, codeMasterId: null }
    expect((await create({ sn: 'A' })).body).toEqual({ readerId: expect.any(Number), sn: 'A', ...nothing })
    expect((await create({ sn: 'B', lastActivityDate: null, codeMasterId: '' })).body).toMatchObject(nothing)
    expect((await create({ sn: 'C', lastActivityDate: '2026-01-31' })).body.lastActivityDate).toBe('2026-01-31T00:00:00.000Z')
  })

  test('[API-RDR-03] is changed; what is absent stays, what is null goes', async () => {
    const { create, update, get } = await keeper()
    const { body } = await create({ sn: 'A', codeMasterId: 'CM-7', lastActivityDate: '2026-01-31T08:30:00Z' })
    const lost = (await update(body.readerId, { sn: 'A', isLost: true })).body
    expect(lost).toEqual({ ...body, isLost: true })
    const renamed = (await update(body.readerId, { ...lost, sn: 'B', lastActivityDate: null, codeMasterId: null })).body
    expect(renamed).toEqual({ readerId: body.readerId, sn: 'B', isLost: true, lastActivityDate: null, codeMasterId: null })
    expect((await get(body.readerId)).body).toEqual(renamed)
  })

  test('[API-RDR-04] is deleted, once', async () => {
    const { create, remove, get, whole } = await keeper()
    const { readerId } = (await create({ sn: 'A' })).body
    expect((await remove(readerId)).status).toBe(204)
    expect((await remove(readerId)).problem).toMatchObject({ status: 404, detail: 'There is no such reader.' })
    expect((await get(readerId)).status).toBe(404)
    expect(await whole()).toEqual([])
  })

  test('marked as lost or found says so in the audit log', async () => {
    const { create, update, organization } = await keeper()
    const { readerId } = (await create({ sn: 'A' })).body
    for (const isLost of [true, false, false]) await update(readerId, { sn: 'A', isLost })
    const entries = db.selectFrom('audit_entry').select(['new_value', 'device_serial']).where('organization_id', '=', organization.key)
    expect(await entries.where('change_type', '=', 'updateReader').orderBy('id').execute()).toEqual(
      ['lost', 'found', null].map((new_value) => ({ new_value, device_serial: 'A' })),
    )
  })

  test.for<[string, object, string]>([
    ['no serial number', {}, 'sn'],
    ['an empty serial number', { sn: '' }, 'sn'],
    ['a blank serial number', { sn: '  ' }, 'sn'],
    ['a serial number that is none', { sn: 7 }, 'sn'],
    ['a serial number of two lines', { sn: 'A\nB' }, 'sn'],
    ['a serial number with a NUL', { sn: 'A\0' }, 'sn'],
    ['a serial number with half of a character', { sn: 'A\ud800' }, 'sn'],
    ['a serial number that is too long', { sn: 'x'.repeat(65) }, 'sn'],
    ['a serial number that cannot be looked at', { sn: '..' }, 'sn'],
    ['a mark that is none', { sn: 'A', isLost: 'yes' }, 'isLost'],
    ['an activity that is no date', { sn: 'A', lastActivityDate: 'yesterday' }, 'lastActivityDate'],
    ['an activity on a day that is none', { sn: 'A', lastActivityDate: '2026-02-30' }, 'lastActivityDate'],
    ['a CodeMaster that is too long', { sn: 'A', codeMasterId: 'x'.repeat(101) }, 'codeMasterId'],
  ])('[RDR-02] with %s is refused at its field', async ([, body, field]) => {
    const { create, update, whole } = await keeper()
    const { readerId } = (await create({ sn: 'kept' })).body
    for (const { status, problem } of [await create(body), await update(readerId, body)])
      expect([status, problem.errors?.[0]?.field]).toEqual([400, field])
    expect((await whole()).map(({ sn }) => sn)).toEqual(['kept'])
  })

  test('of another address than that of the body is not changed', async () => {
    const { create, update } = await keeper()
    const { readerId } = (await create({ sn: 'A' })).body
    expect((await update(readerId, { readerId: readerId + 1, sn: 'B' })).problem.errors?.[0]?.field).toBe('readerId')
    expect((await update(readerId, { readerId: null, sn: 'B' })).status).toBe(200)
  })

  test('is registered once in an organization, and in another one too', async () => {
    const [one, other] = [await keeper(), await keeper()]
    await one.create({ sn: 'A' })
    const { readerId } = (await one.create({ sn: 'B' })).body
    const message = 'The serial number A is registered already.'
    for (const { status, problem } of [await one.create({ sn: 'A' }), await one.update(readerId, { sn: 'A' })])
      expect([status, problem.errors]).toEqual([409, [{ field: 'sn', message }]])
    expect((await other.create({ sn: 'A' })).status).toBe(200)
    expect((await one.whole()).map(({ sn }) => sn)).toEqual(['A', 'B'])
  })
})

describe('another organization', () => {
  test('[API-RDR-01] neither lists, sees, changes nor deletes it, and learns nothing', async () => {
    const [one, other] = [await keeper(), await keeper()]
    const { readerId } = (await one.create({ sn: 'A' })).body
    for (const id of [readerId, 2_147_483_647]) {
      const answers = [await other.get(id), await other.update(id, { sn: 'B' }), await other.remove(id)]
      expect(answers.map(({ status, problem }) => [status, problem.detail])).toEqual(Array(3).fill([404, 'There is no such reader.']))
    }
    for (const customerid of [one.organization.id, 'nobody', 'a\0']) {
      const listed = await other.person.call('listReaders', { params: { customerid, connectstatus: 'all' } })
      const created = await other.person.call('createReader', { params: { customerid }, body: { sn: 'A' } })
      for (const { problem } of [listed, created]) expect(problem).toMatchObject({ status: 404, detail: 'There is no such organization.' })
    }
    expect(await other.whole()).toEqual([])
    expect((await one.get(readerId)).body.sn).toBe('A')
  })

  test("is the vendor's staff's to keep", async () => {
    const { organization, whole } = await keeper()
    const staff = await server.person({ permissions: ['global:access:organizations', 'manage:firmware'] })
    const { body } = await staff.call('createReader', { params: { customerid: organization.id }, body: { sn: 'A' } })
    expect(await whole()).toEqual([body])
    expect((await staff.call('getReader', { params: { id: body.readerId } })).body).toEqual(body)
    expect((await staff.call('deleteReader', { params: { id: body.readerId } })).status).toBe(204)
    const unknown = await staff.call('listReaders', { params: { customerid: 'nobody', connectstatus: 'all' } })
    expect(unknown.status).toBe(404)
  })
})

describe('activity', () => {
  test('[API-RDR-01] a host PC that reports a serial number is its activity, unless the stored activity is later', async () => {
    const zone = await server.zone()
    const { create, whole } = await keeper(zone.organization)
    const future = new Date(Date.now() + 24 * hour).toISOString()
    await create({ sn: 'seen', lastActivityDate: ago(200) })
    await create({ sn: 'silent' })
    await create({ sn: 'told', lastActivityDate: future })
    const host = await server.host(zone)
    await host.checkIn([reader('seen'), reader('told')])
    const [seen, silent, told] = await whole()
    expect(Date.now() - Date.parse(seen!.lastActivityDate!)).toBeLessThan(hour)
    expect([silent!.lastActivityDate, told!.lastActivityDate]).toEqual([null, future])
    expect((await whole('online')).map(({ sn }) => sn)).toEqual(['seen', 'told'])
    expect((await whole('offline')).map(({ sn }) => sn)).toEqual(['silent'])
  })

  test("another organization's reader of the same serial number is another reader", async () => {
    const [zone, { create }] = [await server.zone(), await keeper()]
    await (await server.host(zone)).checkIn([reader('A')])
    expect((await create({ sn: 'A' })).body.lastActivityDate).toBeNull()
  })

  test('[API-RDR-01] over 72 hours without is offline', async () => {
    const { create, whole } = await keeper()
    await create({ sn: 'barely', lastActivityDate: ago(71.9) })
    await create({ sn: 'gone', lastActivityDate: ago(72.1) })
    expect((await whole('online')).map(({ sn }) => sn)).toEqual(['barely'])
    expect((await whole('offline')).map(({ sn }) => sn)).toEqual(['gone'])
  })
})

test('[API-RDR-01] under any status, text and paging the list is what one finds one by one', async () => {
  const { create, list, whole } = await keeper()
  const serials = Array.from({ length: 40 }, (_, number) => `${['27p', '27P', 'Ä_', '%x'][number % 4]}${(number * 7) % 40}`)
  for (const [number, sn] of serials.entries())
    await create({
      sn,
      codeMasterId: number % 5 === 0 ? `Master ${number}` : null,
      lastActivityDate: number % 3 === 0 ? null : ago(number % 2 === 0 ? 1 : 100),
    })
  const all = await whole()
  expect(all.map(({ sn }) => sn)).toEqual(serials.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  const query = fc.record({
    status: fc.constantFrom('all', 'online', 'offline'),
    text: fc.constantFrom('', '  ', '27p', 'ä', '_', '%', 'MASTER', 'p1 27', 'nowhere', '\\'),
    size: fc.constantFrom(1, 7, 100),
  })
  await fc.assert(
    fc.asyncProperty(query, async ({ status, text, size }) => {
      const expected = all.filter(({ sn, codeMasterId, lastActivityDate }) => {
        const isOnline = lastActivityDate !== null && Date.now() - Date.parse(lastActivityDate) <= 72 * hour
        const said = `${sn} ${codeMasterId ?? ''}`.toLowerCase()
        return (
          (status === 'all' || isOnline === (status === 'online')) &&
          text
            .toLowerCase()
            .split(/\s+/)
            .every((word) => said.includes(word))
        )
      })
      expect(await whole(status, { textFilter: text })).toEqual(expected)
      for (const PageNumber of [0, 1, 3])
        expect((await list(status, { textFilter: text, PageNumber, PageSize: size })).body).toEqual({
          readers: expected.slice(PageNumber * size).slice(0, size),
          pageNumber: PageNumber,
          pageSize: size,
          totalCount: expected.length,
        })
    }),
    { numRuns: 40 },
  )
})

test.for<[string, Record<string, unknown>]>([
  ['lost', {}],
  ['all', { PageSize: 101 }],
  ['all', { PageNumber: -1 }],
  ['all', { textFilter: 'a\0' }],
])('refuses the list %s %j', async ([status, query]) => {
  const { list } = await keeper()
  expect((await list(status, query)).status).toBe(400)
})

test.for(['0', '-1', 'x', '1.5', '2147483648', '1; drop table reader'])('refuses the id %j', async (id) => {
  const { person } = await keeper()
  expect((await person.call('getReader', { params: { id } })).status).toBe(400)
})
