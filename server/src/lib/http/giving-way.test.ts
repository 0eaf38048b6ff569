import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { serverForFile } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { createGivingWay } from './giving-way.ts'

const server = await serverForFile()

afterEach(() => void vi.useRealTimers())

function open() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { begin, giveWay } = createGivingWay()
  const file = giveWay()
  const arrived: string[] = []
  file.on('data', (piece) => arrived.push(String(piece)))
  return { begin, file, arrived }
}

test('[FAI-04] the pieces of a file wait while calls are under way, and come as fast as they can otherwise', async () => {
  const { begin, file, arrived } = open()
  file.write('one')
  await turn()
  expect(arrived).toEqual(['one'])
  const [end, endOther] = [begin(), begin()]
  file.write('two')
  await turn()
  end()
  await turn()
  expect(arrived).toEqual(['one'])
  endOther()
  file.write('three')
  await turn()
  expect(arrived).toEqual(['one', 'two', 'three'])
})

test('[FAI-04] a file goes on where calls never cease', async () => {
  const { begin, file, arrived } = open()
  begin()
  file.write('one')
  file.write('two')
  for (let pieces = 1; pieces <= 2; pieces++) {
    await turn()
    vi.advanceTimersByTime(4)
    await turn()
    expect(arrived).toHaveLength(pieces)
  }
})

test('[FAI-04] an export gives way to a call of another organization', async () => {
  const [one, other] = [await server.zone(), await server.zone()]
  const locked = await server.app.db.startTransaction().execute()
  await sql`lock table support_case in access exclusive mode`.execute(locked)
  // A whole list ends as a call before it is sent.
  expect((await one.manager.call('listLocations', { params: { organizationId: one.organization.id } })).status).toBe(200)
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  const order: string[] = []
  const call = staff.call('listAllCases').then(({ status }) => void order.push(`call ${status}`))
  const isWaiting = async () => {
    const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
      server.app.db,
    )
    return rows.length === 1
  }
  await until(isWaiting)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const path = `/api/codedm/organization/${one.organization.id}/devices/download`
  const file = server
    .fetch(path, { headers: { authorization: `Bearer ${one.manager.token}` } })
    .then((response) => response.text())
    .then((text) => void order.push(`file ${text.split(',')[0]}`))
  // Enough time for the file, were it not to wait.
  for (let times = 0; times < 10; times++)
    await other.manager.call('getOrganization', { params: { organizationId: other.organization.id } })
  await locked.rollback().execute()
  await Promise.all([call, file])
  expect(order).toEqual(['call 200', 'file Device (Model)'])
})
