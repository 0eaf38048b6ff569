import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { endpoints } from '@lectern/contract/endpoints.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { reader } from '../../testing/makers.ts'
import { serverForFile } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { createGate } from './gate.ts'

const server = await serverForFile()

/** A response of which a gate sees when it ends. */
const newResponse = () => new EventEmitter() as unknown as ServerResponse

test('[SCL-10] so many are inside, so many wait in line, and the next is told when to come again', async () => {
  const gate = createGate({ atOnce: 2, waiting: 2, retryAfter: 5 })
  const [one, two, three, four, five] = [newResponse(), newResponse(), newResponse(), newResponse(), newResponse()]
  const inside: number[] = []
  const enter = (number: number, response: ServerResponse) => gate.enter(response).then(() => inside.push(number))
  await Promise.all([enter(1, one), enter(2, two)])
  const waiting = [enter(3, three)]
  gate.refuseIfFull()
  waiting.push(enter(4, four))
  expect(gate.refuseIfFull).toThrow('Too many host PCs report at once.')
  const refused = await gate.enter(five).catch((error) => error)
  expect(refused).toMatchObject({ status: 429, detail: 'Too many host PCs report at once. Try again in a moment.' })
  expect(refused.retryAfter).toBeGreaterThanOrEqual(5)
  expect(refused.retryAfter).toBeLessThanOrEqual(10)
  expect(inside).toEqual([1, 2])
  // One that waits leaves, so the next but one has its place.
  three.emit('close')
  two.emit('close')
  await waiting[1]
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
  expect((await other.checkIn([reader('A1')])).status).toBe(200)
  // They still hold what they had.
  expect(answered).toEqual([])
})

test.for(['devices/download', 'audit-log', 'audit-log/download'])(
  'an organization has five files or whole lists sent at once, whoever asks: %s',
  async (file) => {
    const organization = await server.organization()
    const people = [1, 2].map(() => server.person({ organization, permissions: ['access:audit_log'] }))
    const [one, two] = await Promise.all(people)
    // What has begun does not end.
    const locked = await server.app.db.startTransaction().execute()
    await sql`lock table device, audit_entry in access exclusive mode`.execute(locked)
    const statuses: number[] = []
    const ask = async ({ token }: { token: string }) => {
      const response = await server.fetch(`/api/codedm/organization/${organization.id}/${file}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      statuses.push(response.status)
      await response.text()
    }
    const asked = [one!, two!, one!, two!, one!, two!].map(ask)
    await until(() => statuses.includes(429))
    await locked.rollback().execute()
    await Promise.all(asked)
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 429])
    await ask(one!)
    expect(statuses.at(-1)).toBe(200)
  },
)
