import { request } from 'node:http'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'
import { streamOrganizations } from './routes.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })
const makeName = (number: number) => `Clinic ${String(number).padStart(3, '0')}`
const amount = 450
for (let number = 0; number < amount; number++) await server.organization(makeName(number))

/** Reading the products of the organization of that name fails until `name` is empty. */
const breakAt = (name: string) => sql`update weak_spot set name = ${name}`.execute(db)

beforeAll(async () => {
  const statements = [
    `create table weak_spot as select '' as name`,
    `create function refuse(id integer) returns integer language plpgsql stable as $$ begin raise exception 'broken on purpose'; end $$`,
    `alter table group_product rename to kept_product`,
    `create view group_product as select * from kept_product union all
      select g.organization_id, g.id, refuse(g.id) from "group" g join organization o on o.id = g.organization_id join weak_spot w on w.name = o.name`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
})

interface Received {
  status: number | undefined
  type: string | undefined
  bytes: number
  /** Whether the answer has the end that HTTP asks for. */
  complete: boolean
}

/** Asks for the whole list as it is sent, compressed or not. */
const ask = (acceptEncoding: string) =>
  new Promise<Received>((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    const headers = { authorization: `Bearer ${staff.token}`, 'accept-encoding': acceptEncoding }
    request({ hostname, port, path: '/api/lectern/admin/organizations', headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('error', () => {})
      response.on('close', () =>
        resolve({ status: response.statusCode, type: response.headers['content-type'], bytes, complete: response.complete }),
      )
    })
      .on('error', reject)
      .end()
  })

test('the list is whole, in more batches than one, compressed or not', async () => {
  await breakAt('')
  for (const encoding of ['identity', 'gzip', 'br']) expect(await ask(encoding)).toMatchObject({ status: 200, complete: true })
  const { body } = await staff.call('listAllOrganizations')
  expect((body as unknown as { name: string }[]).map(({ name }) => name)).toEqual(
    Array.from({ length: amount }, (_, number) => makeName(number)),
  )
})

test('[FAI-06] it ends where its statements have taken too much of the database together', async () => {
  await breakAt('')
  const read = async (mostMs: number) => {
    let count = 0
    for await (const _ of streamOrganizations(db, '', mostMs)) count++
    return count
  }
  await expect(read(0.001)).rejects.toThrow('A whole list was ended, as it took 0 s of the database. Its client may ask for pages instead.')
  expect(await read(120_000)).toBe(amount)
})

test.for(['identity', 'gzip'])(
  'an error in the middle breaks the response off, so that a part is not taken for the whole (%s)',
  async (encoding) => {
    await breakAt(makeName(amount - 1))
    const { status, bytes, complete } = await ask(encoding)
    expect([status, complete]).toEqual([200, false])
    expect(bytes).toBeGreaterThan(0)
    expect(server.lines.join('')).toContain('broken on purpose')
  },
)

test.for(['identity', 'gzip'])('what fails at the start is an error like any other (%s)', async (encoding) => {
  await breakAt(makeName(0))
  expect(await ask(encoding)).toMatchObject({ status: 500, type: 'application/problem+json; charset=utf-8', complete: true })
})
