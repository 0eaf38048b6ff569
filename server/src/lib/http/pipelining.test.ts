import { connect } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { serverForFile } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'

const server = await serverForFile()

/** The responses on one connection to requests that are sent together. */
function send(requests: readonly string[]) {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const received: Buffer[] = []
  socket.on('data', (chunk) => void received.push(Buffer.from(chunk as Buffer)))
  socket.write(requests.join(''))
  return {
    statuses: () =>
      [
        ...Buffer.concat(received)
          .toString('latin1')
          .matchAll(/HTTP\/1\.1 (\d{3}) /g),
      ].map(([, status]) => status),
  }
}

const begun = () => server.lines.filter((line) => line.includes('incoming request')).length

test('[FAI-02] of hundreds of requests that are sent together on one connection one is taken at a time, and each is answered in its turn', async () => {
  const { token, organization } = await server.zone().then(({ manager, organization }) => ({ token: manager.token, organization }))
  // Without readers, only a tile looks for any.
  const list = `/api/codedm/organization/${organization.id}/devices?onlyOffline=true`
  const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nhost: portal\r\nauthorization: Bearer ${token}\r\n`
  const name = JSON.stringify({ zoneName: 'Ward' })
  const withBody = `${head('POST', '/api/nothing')}content-type: application/json\r\ncontent-length: ${name.length}\r\n\r\n${name}`
  const locked = await server.app.db.startTransaction().execute()
  onTestFinished(async () => void (locked.isRolledBack || (await locked.rollback().execute())))
  await sql`lock table device in access exclusive mode`.execute(locked)
  const before = begun()
  const { statuses } = send([
    `${head('GET', list)}\r\n`,
    ...Array(200).fill(`${head('GET', '/livez')}\r\n`),
    withBody,
    `${head('GET', '/livez')}\r\n`,
  ])
  await until(() => begun() > before)
  expect((await server.call('getLiveness')).status).toBe(200)
  expect(begun() - before).toBe(2)
  expect(statuses()).toEqual([])
  await locked.rollback().execute()
  await until(() => statuses().length === 203)
  expect(statuses()).toEqual([...Array(201).fill('200'), '404', '200'])
})
