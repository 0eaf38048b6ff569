import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { endpoints } from '@lectern/contract/endpoints.ts'
import type { Permission } from '@lectern/contract/http/permissions.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { reader } from '../../testing/makers.ts'
import { serverForFile, startServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { createGate, createGates, findGate } from './gate.ts'

const server = await serverForFile()

/** A response of which a gate sees when it ends. */
const newResponse = () => new EventEmitter() as unknown as ServerResponse

test('[SCL-10] so many are inside, so many wait in line, and the next is told when to come again', async () => {
  const gate = createGate({ atOnce: 2, waiting: 2, retryAfter: 5, sentence: 'Too many host PCs report at once. Try again in a moment.' })
  const [one, two, three, four, five] = [newResponse(), newResponse(), newResponse(), newResponse(), newResponse()]
  const inside: number[] = []
  const enter = (number: number, response: ServerResponse) => gate.enter(response).then(() => inside.push(number))
  await Promise.all([enter(1, one), enter(2, two)])
  const left = enter(3, three).catch(({ detail }) => detail)
  gate.refuseIfFull()
  const waiting = enter(4, four)
  expect(gate.refuseIfFull).toThrow('Too many host PCs report at once.')
  const refused = await gate.enter(five).catch((error) => error)
  expect(refused).toMatchObject({ status: 429, detail: 'Too many host PCs report at once. Try again in a moment.' })
  expect(refused.retryAfter).toBeGreaterThanOrEqual(5)
  expect(refused.retryAfter).toBeLessThanOrEqual(10)
  expect(inside).toEqual([1, 2])
  // One that waits leaves, so the next but one has its place.
  three.emit('close')
  two.emit('close')
  expect(await left).toBe('The client left before its turn came.')
  await waiting
  expect(inside).toEqual([1, 2, 4])
  one.emit('close')
  four.emit('close')
  await Promise.all([enter(5, five), enter(6, newResponse())])
  expect(inside).toEqual([1, 2, 4, 5, 6])
})

test('[SCL-10] host PCs whose reports trickle in keep no other from reporting', async () => {
  const { hostname, port } = new URL(server.url)
  const slow = await server.host(await server.zone())
  const { method, path } = endpoints.checkIn
  const answered: number[] = []
  for (const length of [900, 900, 900, 900, 900_000, 900_000, 900_000, 900_000]) {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    const head = [`${method} ${path} HTTP/1.1`, 'host: portal', `authorization: Bearer ${slow.credential}`, 'expect: 100-continue']
    socket.write([...head, 'content-type: application/json', `content-length: ${length}`, '', ''].join('\r\n'))
    await once(socket, 'data')
    socket.on('data', () => answered.push(length)).write('{')
  }
  const other = await server.host(await server.zone())
  const fleet = Array.from({ length: 600 }, (_, index) => reader(`A${index}`))
  expect(JSON.stringify(fleet).length).toBeGreaterThan(70_000)
  expect((await other.checkIn(fleet)).status).toBe(200)
  // They still hold what they had.
  expect(answered).toEqual([])
})

test('[SCL-10] a large report whose host PC has left before it is admitted keeps no place', async () => {
  const gates = createGates(server.settings)
  const host = { organizationId: 1, hostId: 1 }
  const request = { caller: host, ip: '', headers: { 'content-length': '900000' }, raw: { headers: { 'content-length': '900000' } } }
  const admit = (response: ServerResponse) => gates.admit(endpoints.checkIn, request as unknown as FastifyRequest, response)
  const hasLeft = Object.assign(newResponse(), { closed: true })
  let admitted = 0
  for (const response of [hasLeft, hasLeft, hasLeft, newResponse()]) void admit(response).then(() => admitted++)
  await setImmediate()
  expect(admitted).toBe(4)
})

const lockDevices = async ({ app }: Pick<typeof server, 'app'>) => {
  const locked = await app.db.startTransaction().execute()
  onTestFinished(async () => void (locked.isRolledBack || (await locked.rollback().execute())))
  await sql`lock table device, support_case in access exclusive mode`.execute(locked)
  return locked
}
const countWaiting = async ({ app } = server) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(app.db)
  return rows[0]!.count
}

test('[SCL-10 FAI-02] searches of an account, of its organization, and of one of the staff leave connections to the others, and run on where nobody waits', async () => {
  const [one, other] = [await server.zone(), await server.zone()]
  const colleague = await server.person({ organization: one.organization })
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  const otherStaff = await server.person({ permissions: ['global:access:organizations'] })
  const locked = await lockDevices(server)
  const leave = new AbortController()
  const search = async ({ token }: { token: string }, word: string, signal: AbortSignal | null = null) => {
    const path = `/api/codedm/organization/${one.organization.id}/devices?textFilter=${word}&count=exact`
    return (await server.fetch(path, { headers: { authorization: `Bearer ${token}` }, signal })).status
  }
  const { subject, email } = one.manager
  const again = await server.issuer.token(subject, { email, email_verified: true, jti: 'another' })
  const tokens = [one.manager, { token: again }]
  const left = Array.from({ length: 20 }, (_, index) => search(tokens[index % 2]!, `left${index}`, leave.signal).catch(() => 'left'))
  // A third of an organization's nine places, however many tokens there are.
  await until(async () => (await countWaiting()) === 3)
  const cases = Array.from({ length: 7 }, () => staff.call('listAllCases').then(({ status }) => status))
  await until(async () => (await countWaiting()) === 7)
  expect((await colleague.call('getOrganization', { params: { organizationId: one.organization.id } })).status).toBe(200)
  const colleagues = Array.from({ length: 7 }, (_, index) => search(colleague, `colleague${index}`))
  await until(async () => (await countWaiting()) === 10)
  leave.abort()
  expect(new Set(await Promise.all(left))).toEqual(new Set(['left']))
  const stayed = Array.from({ length: 5 }, (_, index) => search(one.manager, `stayed${index}`))
  expect((await other.manager.call('getOrganization', { params: { organizationId: other.organization.id } })).status).toBe(200)
  expect((await otherStaff.call('listAllOrganizations')).status).toBe(200)
  expect(await countWaiting()).toBe(10)
  await locked.rollback().execute()
  expect(await Promise.all([...stayed, ...cases, ...colleagues])).toEqual(Array(19).fill(200))
})

const searchAs = ({ token }: { token: string }, { id }: { id: string }, word: string) =>
  server.fetch(`/api/codedm/organization/${id}/devices?textFilter=${word}&count=exact`, { headers: { authorization: `Bearer ${token}` } })

test('[FAI-04] what took an account long lately has one place; the rest that it asks, and a colleague, have theirs', async () => {
  const { manager, organization } = await server.zone()
  const colleague = await server.person({ organization })
  const searchFiveTimes = () => Array.from({ length: 5 }, (_, index) => searchAs(manager, organization, `word${index}`))
  const locked = await lockDevices(server)
  const first = searchFiveTimes()
  await until(async () => (await countWaiting()) === 3)
  const began = performance.now()
  await until(() => performance.now() - began > 300)
  await locked.rollback().execute()
  await Promise.all(first)
  const lockedAgain = await lockDevices(server)
  const second = searchFiveTimes()
  await until(async () => (await countWaiting()) === 1)
  expect((await manager.call('getOrganization', { params: { organizationId: organization.id } })).status).toBe(200)
  const others = Array.from({ length: 4 }, (_, index) => searchAs(colleague, organization, `word${index}`))
  await until(async () => (await countWaiting()) === 4)
  await lockedAgain.rollback().execute()
  expect((await Promise.all([...first, ...second, ...others])).map(({ status }) => status)).toEqual(Array(14).fill(200))
})

test('[FAI-01] calls that take no connection for long pass a gate too: 48 guides of one account are drawn one after another', async () => {
  const [one, other] = [await server.person(), await server.person()]
  const codes = (await one.call('listBarcodeSettings', { params: { id: 2 } })).body.map(({ code }) => code)
  const ask = (index: number) => one.call('downloadSettingsReport', { params: { id: 2 }, query: { codes: codes[index]! } })
  const order: string[] = []
  const asked = Array.from({ length: 48 }, (_, index) => ask(index).then(({ status }) => void order.push(`one ${status}`)))
  await Promise.race(asked)
  const others = other.call('downloadSettingsReport', { params: { id: 2 }, query: { codes: codes[50]! } })
  await Promise.all([...asked, others.then(({ status }) => void order.push(`other ${status}`))])
  expect(order.filter((entry) => entry === 'one 200')).toHaveLength(48)
  expect(order.indexOf('other 200')).toBeLessThan(40)
})

test('[FAI-01] what is counted otherwise than calls is written here by hand', () => {
  const counted = Object.entries(endpoints).map(([name, endpoint]) => [name, findGate(endpoint)] as const)
  const as = (gate: string) => counted.flatMap(([name, its]) => (its === gate ? [name] : [])).sort()
  expect(as('stream')).toEqual(['streamDesired', 'streamRollout', 'streamRollouts'])
  expect(as('file')).toEqual([
    'downloadAuditLog',
    'downloadDeskRecords',
    'downloadDevices',
    'downloadDevicesWorkbook',
    'downloadVendorAuditLog',
  ])
  expect(as('piece')).toEqual(['downloadAgentFile', 'downloadContent'])
  expect(as('report')).toEqual(['checkIn', 'getDesired', 'reportOutcomes', 'reportProgress'])
  expect(as('call')).toHaveLength(counted.length - 14)
})

test('a search that takes too long is ended, and says so', async () => {
  const impatient = await startServer({ environment: { READ_TIMEOUT: '1' } })
  onTestFinished(impatient.stop)
  const { organization, manager } = await impatient.zone()
  await lockDevices(impatient)
  const { status, problem, headers } = await manager.call('listDevices', {
    params: { organizationId: organization.id },
    query: { onlyOffline: true },
  })
  expect([status, problem.detail]).toEqual([503, 'This takes too long. Look for less at once, or try again later.'])
  expect(headers.get('retry-after')).toBe('10')
})

const ofOrganization = '/api/codedm/organization/{id}'
const registry = '/api/readers/{id}/all'

/** Makes calls whose response is sent until its client has read it. `statuses` grows as responses begin. */
function asking(path: string) {
  const statuses: number[] = []
  const details = new Set<string>()
  const ask = async ({ token }: { token: string }, organization: { id: string }) => {
    const response = await server.fetch(path.replace('{id}', organization.id), { headers: { authorization: `Bearer ${token}` } })
    statuses.push(response.status)
    const text = await response.text()
    if (response.status === 429) details.add(JSON.parse(text).detail)
  }
  return { ask, statuses, details }
}

const lockLists = async () => {
  const locked = await server.app.db.startTransaction().execute()
  onTestFinished(async () => void (locked.isRolledBack || (await locked.rollback().execute())))
  await sql`lock table device, audit_entry, reader, zone, saved_configuration in access exclusive mode`.execute(locked)
  return locked
}

test.for([`${ofOrganization}/devices/download`, `${ofOrganization}/devices/workbook`, `${ofOrganization}/audit-log/download`])(
  '[FAI-02 FAI-04 INP-07] an account has one file sent at once and four that wait, its organization five: %s',
  async (file) => {
    const organization = await server.organization()
    const people = Array.from({ length: 6 }, () => server.person({ organization, permissions: ['access:audit_log'] }))
    const [one, ...others] = await Promise.all(people)
    // What has begun does not end.
    const locked = await lockLists()
    const { ask, statuses, details } = asking(file)
    const asked = Array.from({ length: 6 }, () => ask(one!, organization))
    await until(() => statuses.includes(429))
    asked.push(...others.map((person) => ask(person, organization)))
    await until(() => statuses.filter((status) => status === 429).length === 2)
    // A sweep may wait too.
    await until(async () => (await countWaiting()) >= 5)
    await locked.rollback().execute()
    await Promise.all(asked)
    expect(statuses.sort()).toEqual([...Array(9).fill(200), 429, 429])
    expect(details).toEqual(
      new Set([
        'An account may have at most four exports that wait for another one.',
        'An organization may have at most 5 exports sent at once.',
      ]),
    )
    await ask(one!, organization)
    expect(statuses.at(-1)).toBe(200)
  },
)

test('[FAI-02] an export that waits too long for another one of its account says so, and leaves the place in line', async () => {
  const impatient = await startServer({ environment: { EXPORT_WAIT: '1' } })
  onTestFinished(impatient.stop)
  const organization = await impatient.organization()
  const person = await impatient.person({ organization, permissions: [] })
  const locked = await impatient.app.db.startTransaction().execute()
  onTestFinished(async () => void (locked.isRolledBack || (await locked.rollback().execute())))
  await sql`lock table device in access exclusive mode`.execute(locked)
  const path = `/api/codedm/organization/${organization.id}/devices/download`
  const ask = () => impatient.fetch(path, { headers: { authorization: `Bearer ${person.token}` } })
  const first = ask()
  await until(async () => (await countWaiting(impatient)) === 1)
  const late = await Promise.all(Array.from({ length: 4 }, ask))
  expect(late.map(({ status }) => status)).toEqual([429, 429, 429, 429])
  expect(Number(late[0]!.headers.get('retry-after'))).toBeGreaterThan(60)
  expect(await late[0]!.json()).toMatchObject({
    detail: 'Another export of your account is still being sent. Export again once it is complete.',
  })
  await locked.rollback().execute()
  expect((await first).status).toBe(200)
  await (await first).text()
  expect((await ask()).status).toBe(200)
})

test.for([`${ofOrganization}/audit-log`, `${ofOrganization}/locations`, `${ofOrganization}/configuration`, registry])(
  '[FAI-06] an account has one list without pages sent at once, and an organization two: %s',
  async (path) => {
    const organization = await server.organization()
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => server.person({ organization, permissions: ['access:audit_log'] })))
    const locked = await lockLists()
    const { ask, statuses, details } = asking(path)
    const first = ask(one!, organization)
    await until(async () => (await countWaiting()) === 1)
    await ask(one!, organization)
    const second = ask(two!, organization)
    await until(async () => (await countWaiting()) === 2)
    await ask(three!, organization)
    await locked.rollback().execute()
    await Promise.all([first, second])
    expect(statuses).toEqual([429, 429, 200, 200])
    expect([...details]).toEqual([
      'An account may have one list without pages sent at once. Ask for pages, or try again in a moment.',
      'An organization may have 2 lists without pages sent at once. Ask for pages, or try again in a moment.',
    ])
    await ask(three!, organization)
    expect(statuses.at(-1)).toBe(200)
  },
)

test('[FAI-06] the list of members is sent a little at a time, one of an account and two of an organization at once', async () => {
  const organization = await server.organization()
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => server.person({ organization })))
  // More than connections hold.
  const { group_id } = await server.app.db
    .selectFrom('member')
    .select('group_id')
    .where('user_id', '=', one!.userId)
    .executeTakeFirstOrThrow()
  await sql`
    with added as (
      insert into "user" (id, issuer, subject, email, email_verified, first_name, last_name)
      select gen_random_uuid(), 'many', n, n || '@many.example', true, rpad(n::text, 500, 'x'), rpad(n::text, 500, 'y') from generate_series(1, 30000) n returning id)
    insert into member (organization_id, user_id, group_id, built_in_role) select ${organization.key}, id, ${group_id}, 'viewer' from added`.execute(
    server.app.db,
  )
  const begin = ({ token }: { token: string }) =>
    server.fetch(`/api/lectern/organization/${organization.id}/users`, {
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
    })
  const first = await begin(one!)
  expect([first.status, (await begin(one!)).status]).toEqual([200, 429])
  const second = await begin(two!)
  expect([second.status, (await begin(three!)).status]).toEqual([200, 429])
  expect(((await first.json()) as unknown[]).length).toBe(30_003)
  await second.body?.cancel()
  const readWhole = async () => {
    const answer = await begin(three!)
    await answer.arrayBuffer()
    return answer.status
  }
  await expect.poll(readWhole).toBe(200)
})

test('a response waits with few listeners, however much waits for its end', async () => {
  const organization = await server.organization()
  const person = await server.person({ organization, permissions: ['access:audit_log'] })
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const { ask, statuses } = asking(`${ofOrganization}/audit-log`)
  await ask(person, organization)
  await setImmediate()
  expect([statuses, warnings]).toEqual([[200], []])
})

test.for<[string, Permission[], number]>([
  ['members', [], 10],
  ['the staff', ['global:access:organizations'], 4],
])('whole lists of all %s together leave connections to other calls', async ([, permissions, most]) => {
  const organizations = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => server.organization()))
  const isStaff = permissions.length > 0
  const placesOfPeople = organizations.flatMap((organization) => [organization, organization])
  const people = await Promise.all(placesOfPeople.map((organization) => server.person({ permissions, ...(!isStaff && { organization }) })))
  const locked = await lockLists()
  const { ask, statuses, details } = asking(registry)
  const asked = people.map((person, index) => ask(person, placesOfPeople[index]!))
  await until(() => statuses.length === people.length - most)
  for (const person of people) expect((await person.call('getCurrentUser')).status).toBe(200)
  expect((await people[0]!.call('getOrganization', { params: { organizationId: organizations[0]!.id } })).status).toBe(200)
  expect(await countWaiting()).toBe(most)
  await locked.rollback().execute()
  await Promise.all(asked)
  expect(statuses.sort()).toEqual([...Array(most).fill(200), ...Array(people.length - most).fill(429)])
  expect([...details]).toEqual(['Too much is asked at once. Try again in a moment.'])
})
