import { formatSentence } from '@lectern/contract/audit/audit-sentence.ts'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { deskRecord, reader, type TestOrganization } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

/** Somebody who sets readers up, by default in an organization of their own. */
async function technician(of?: TestOrganization) {
  const organization = of ?? (await server.organization())
  const person = await server.person({ organization, permissions: ['manage:cfg', 'manage:firmware', 'access:audit_log'] })
  const params = { organizationId: organization.id }
  return {
    organization,
    person,
    params,
    create: (body: object) => person.call('createDeskRecord', { params, body }),
    get: (id: string) => person.call('getDeskRecord', { params: { ...params, id } }),
    withdraw: (id: string, reason: unknown) => person.call('withdrawDeskRecord', { params: { ...params, id }, body: { reason } }),
    list: async (query: Record<string, unknown> = {}) => (await person.call('listDeskRecords', { params, query })).body.recordList,
    registered: async () =>
      (await person.call('listReaders', { params: { customerid: organization.id, connectstatus: 'all' } })).body as unknown as {
        sn: string
      }[],
    log: async () => (await person.call('listAuditEntries', { params })).body as unknown as Parameters<typeof formatSentence>[0][],
  }
}

describe('a record', () => {
  test('[DSK-02] has the reader, the configuration and its version, who, when, from which browser, and the text', async () => {
    const { create, get, list, person, params } = await technician()
    const content = { kind: 'commands', commands: ['SYAZTCSEN1', 'SYQRCOSEN0'] }
    const entry = (await person.call('createLibraryEntry', { params, body: { name: 'Ward', device: 'CR2700', content } })).body
    const identity = { model: 'CR2700', firmware: 'v 4.9' }
    const configuration = { id: entry.id, version: 1, name: 'Ward', device: 'CR2700' as const }
    const body = deskRecord({ identity, configuration, commands: content.commands, typed: '\u0001Y\nBEEP é', typedSlowly: true })
    const { status, body: kept } = await create(body)
    expect(status).toBe(200)
    expect(kept).toEqual({
      id: body.id,
      serialNumber: '1234567890',
      identity,
      configuration,
      typedSlowly: true,
      typedAt: '2026-11-20T08:30:00.000Z',
      browser: 'Firefox 140',
      keptBy: person.email,
      size: 10,
      keptAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect((await get(body.id)).body).toEqual({ ...kept, commands: content.commands, typed: '\u0001Y\nBEEP é' })
    expect(await list({ serialNumber: '1234567890', configuration: entry.id })).toEqual([kept])
    expect(await list({ serialNumber: '123456789' })).toEqual([])
    expect(await list({ configuration: uuidv7() })).toEqual([])
  })

  test('[DSK-02] that is sent again is one; another one under its id is refused', async () => {
    const { create, list, log } = await technician()
    const body = deskRecord()
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await list()).toHaveLength(1)
    expect(await log()).toHaveLength(1)
    for (const other of [
      { ...body, typed: 'other' },
      { ...body, serialNumber: 'other' },
    ])
      expect((await create(other)).problem).toMatchObject({
        status: 409,
        detail: 'There is another record with this id. Set the reader up again.',
      })
  })

  test('[DSK-02] registers a reader that is new, and leaves one that is there as it is', async () => {
    const { create, registered, person, organization, log } = await technician()
    const there = { sn: 'B', isLost: true, codeMasterId: 'CM-7' }
    await person.call('createReader', { params: { customerid: organization.id }, body: there })
    for (const serialNumber of ['A', 'B']) await create(deskRecord({ serialNumber }))
    expect(await registered()).toMatchObject([{ sn: 'A', isLost: false }, there])
    expect((await log()).map((entry) => formatSentence(entry)).slice(0, 2)).toEqual([
      `${person.email} kept what the reader B typed at their desk, set up with Commands of the builder`,
      `${person.email} registered the reader A and kept what it typed at their desk, set up with Commands of the builder`,
    ])
  })

  test('[DSK-02] changes no count of the fleet', async () => {
    const { create, person, params } = await technician()
    await create(deskRecord())
    expect((await person.call('getDeviceTotals', { params })).body).toMatchObject({ allDevices: 0 })
    expect((await person.call('getOrganizationSummary', { params })).body).toMatchObject({ readers: 0 })
    expect((await person.call('getDevice', { params: { ...params, serialNumber: '1234567890' } })).status).toBe(404)
  })

  test('[DSK-02] with other commands than the version has is refused; of a version that is gone it is kept', async () => {
    const { create, person, params } = await technician()
    const content = { kind: 'commands', commands: ['SYAZTCSEN1'] }
    const entry = (await person.call('createLibraryEntry', { params, body: { name: 'Ward', device: 'CR2700', content } })).body
    const configuration = { id: entry.id, version: 1, name: 'Ward', device: 'CR2700' as const }
    const refused = await create(deskRecord({ configuration, commands: ['SYAZTCSEN0'] }))
    const message = 'Version 1 of Ward has other commands in the library.'
    expect(refused.problem).toMatchObject({ status: 400, errors: [{ field: 'commands', message }] })
    await person.call('deleteLibraryEntry', { params: { ...params, id: entry.id } })
    expect((await create(deskRecord({ configuration }))).status).toBe(200)
  })

  test('[DSK-02] is not of the time to come, whatever the clock of the PC says', async () => {
    const { create } = await technician()
    const { body } = await create(deskRecord({ typedAt: '2999-01-01T00:00:00.000Z' }))
    expect(Date.parse(body.typedAt)).toBeLessThanOrEqual(Date.parse(body.keptAt) + 1)
  })

  test.for<[string, object, string]>([
    ['no text', { typed: ' \n' }, 'typed'],
    ['more than 64 kB of text', { typed: 'x'.repeat(64 * 1024 + 1) }, 'typed'],
    ['more than 64 kB of text in UTF-8', { typed: 'é'.repeat(32 * 1024 + 1) }, 'typed'],
    ['a NUL', { typed: 'a\0' }, 'typed'],
    ['no serial number', { serialNumber: '' }, 'serialNumber'],
    ['a serial number of two lines', { serialNumber: 'a\nb' }, 'serialNumber'],
    ['no command', { commands: [] }, 'commands'],
    ['a command that is none', { commands: ['BEEP'] }, 'commands'],
    ['an identity without an end', { identity: { model: 'x'.repeat(1_001), firmware: '' } }, 'identity.model'],
    ['a reader that has no builder', { configuration: { name: 'a', device: 'CR1' } }, 'configuration.device'],
    ['an entry without its version', { configuration: { id: uuidv7(), name: 'a', device: 'CR2700' } }, 'configuration'],
    ['a time that is none', { typedAt: 'yesterday' }, 'typedAt'],
    ['no browser', { browser: '' }, 'browser'],
    ['an id that is none', { id: '7' }, 'id'],
  ])('[DSK-02] with %s is refused at its field', async ([, part, field]) => {
    const { create, list, registered } = await technician()
    const { status, problem } = await create({ ...deskRecord(), ...part })
    expect([status, problem.errors?.[0]?.field]).toEqual([400, field])
    expect([await list(), await registered()]).toEqual([[], []])
  })

  test('[DSK-02] takes 64 kB of text, whatever it takes to send it', async () => {
    const { create } = await technician()
    expect((await create(deskRecord({ typed: '\u0001'.repeat(64 * 1024) }))).body.size).toBe(64 * 1024)
  })

  test('[DSK-02] is withdrawn once, with a reason, and stays', async () => {
    const { create, withdraw, get, list, log, person } = await technician()
    const { id } = deskRecord()
    await create(deskRecord({ id }))
    for (const reason of ['', '  ', 'x'.repeat(501), undefined])
      expect((await withdraw(id, reason)).problem.errors?.[0]?.field).toBe('reason')
    const { body } = await withdraw(id, ' Another reader ')
    expect(body.withdrawn).toEqual({ at: expect.any(String), by: person.email, reason: 'Another reader' })
    expect((await withdraw(id, 'Again')).problem).toMatchObject({ status: 409, detail: 'The record is withdrawn already.' })
    expect((await get(id)).body).toMatchObject({ typed: 'SYAZTCSEN1', withdrawn: body.withdrawn })
    expect(await list()).toEqual([body])
    expect(formatSentence((await log())[0]!)).toBe(`${person.email} withdrew the record of what 1234567890 typed at a desk: Another reader`)
  })

  test('[DSK-02] is changed by nobody, not even by a statement of our own', async () => {
    const { create, withdraw } = await technician()
    const { id } = deskRecord()
    await create(deskRecord({ id }))
    const change = (values: object) => db.updateTable('desk_record').set(values).where('id', '=', id).execute()
    const sentence = 'A desk record is never changed, only withdrawn.'
    await expect(change({ typed: 'other' })).rejects.toThrow(sentence)
    await withdraw(id, 'Another reader')
    await expect(change({ reason: 'other' })).rejects.toThrow(sentence)
    await expect(change({ withdrawn_at: null, withdrawn_by: null, reason: null })).rejects.toThrow(sentence)
  })

  test('[DSK-02] is exported as typed at somebody’s desk, never as verified', async () => {
    const { create, withdraw, person, params, list } = await technician()
    for (const serialNumber of ['A', 'B']) await create(deskRecord({ serialNumber, typed: '=1+1' }))
    await withdraw((await list())[0]!.id, '=Another reader')
    const [head, ...rows] = (await person.call('downloadDeskRecords', { params })).text.trim().split('\r\n')
    expect(head).toBe(
      'Serial Number,Evidence,Typed at,Configuration,Version,Configuration for,Typed as model,Typed as firmware,Typed slowly,Browser,Kept at,Withdrawn at,Reason',
    )
    expect(rows[0]).toMatch(
      new RegExp(
        `^B,typed by the reader at ${person.email}’s desk,2026-11-20T08:30:00.000Z,Commands of the builder,,CR2700,CR2700,4.9.2,,Firefox 140,.*Z,.*Z,'=Another reader$`,
      ),
    )
    expect(rows).toHaveLength(2)
    expect(`${head}${rows.join()}`).not.toMatch(/verified/i)
  })

  test('lists come in pages, the last first', async () => {
    const { create, person, params } = await technician()
    for (const serialNumber of ['A', 'B', 'C']) await create(deskRecord({ serialNumber }))
    const { body } = await person.call('listDeskRecords', { params, query: { PageNumber: 1, PageSize: 2 } })
    expect(body).toMatchObject({ recordList: [{ serialNumber: 'A' }], pageNumber: 1, pageSize: 2, totalCount: 3 })
  })
})

describe('others', () => {
  test('[DSK-02] of another organization see, keep and withdraw nothing', async () => {
    const [one, other] = [await technician(), await technician()]
    const body = deskRecord()
    await one.create(body)
    const id = body.id
    expect((await other.get(id)).problem.detail).toBe('There is no such record.')
    expect((await other.withdraw(id, 'Mine')).problem.detail).toBe('There is no such record.')
    expect(await other.list()).toEqual([])
    // The same id there is another record.
    expect((await other.create(body)).status).toBe(200)
    expect((await one.get(id)).body.withdrawn).toBeUndefined()
  })

  test('[DSK-02] whose role is limited to zones make records, see those and what is of their zones, and change nothing else of the registry', async () => {
    const organization = await server.organization()
    const { create, get, registered } = await technician(organization)
    const zone = await server.zone('ICU', organization)
    const host = await server.host(zone)
    await host.checkIn([reader('IN-ZONE')])
    const limited = await server.limitedPerson(organization, [zone], ['manage:cfg', 'manage:firmware'])
    const params = { organizationId: organization.id }
    const ids = { inZone: uuidv7(), elsewhere: uuidv7(), own: uuidv7() }
    await create(deskRecord({ id: ids.inZone, serialNumber: 'IN-ZONE' }))
    await create(deskRecord({ id: ids.elsewhere, serialNumber: 'ELSEWHERE' }))
    const made = await limited.call('createDeskRecord', { params, body: deskRecord({ id: ids.own, serialNumber: 'NEW' }) })
    expect(made.status).toBe(200)
    expect((await registered()).map(({ sn }) => sn)).toEqual(['ELSEWHERE', 'IN-ZONE', 'NEW'])
    const { recordList, totalCount } = (await limited.call('listDeskRecords', { params })).body
    expect([recordList.map(({ serialNumber }) => serialNumber), totalCount]).toEqual([['NEW', 'IN-ZONE'], 2])
    expect((await limited.call('getDeskRecord', { params: { ...params, id: ids.elsewhere } })).status).toBe(404)
    expect((await limited.call('downloadDeskRecords', { params })).text).not.toContain('ELSEWHERE')
    const withdrawn = await limited.call('withdrawDeskRecord', { params: { ...params, id: ids.own }, body: { reason: 'Mine' } })
    expect(withdrawn.status).toBe(403)
    expect((await get(ids.own)).body.withdrawn).toBeUndefined()
  })
})

test('[DSK-03] the key of a browser is the same for an account in an organization, and another for everybody else', async () => {
  const organization = await server.organization()
  const [one, other, elsewhere] = [await technician(organization), await technician(organization), await technician()]
  const key = async ({ person, params }: typeof one) => (await person.call('getDeskKey', { params })).body.key
  const keys = [await key(one), await key(other), await key(elsewhere)]
  expect(Buffer.from(keys[0]!, 'base64')).toHaveLength(32)
  expect(new Set(keys).size).toBe(3)
  expect(await key(one)).toBe(keys[0])
  expect((await other.person.call('getDeskKey', { params: elsewhere.params })).status).toBe(404)
})
