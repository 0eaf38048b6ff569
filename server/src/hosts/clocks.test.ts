import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const minute = 60_000

test('[AGT-09] a check-in is answered by how much the PC’s clock is ahead, with half of the round trip taken off', async () => {
  const host = await server.host(await server.zone())
  const ask = async (more: { sentAt?: string; roundTrip?: number }) => (await host.checkIn([reader('A')], more)).body.clockAhead
  const sentAt = () => new Date(Date.now() - 6 * 60 * minute).toISOString()
  const [whole, without] = [await ask({ sentAt: sentAt(), roundTrip: 60_000 }), await ask({ sentAt: sentAt() })]
  // In seconds: the test and the server take some milliseconds.
  expect([whole, without].map((ahead) => Math.round(ahead! / 10_000) * 10)).toEqual([-6 * 3_600 + 30, -6 * 3_600])
  expect(await ask({})).toBeUndefined()
  const answer = await host.checkIn([], { sentAt: sentAt(), since: 'ab'.repeat(32) })
  expect(answer.body).toMatchObject({ sendAll: true, clockAhead: expect.any(Number) })
})

test.each([
  [[7, 400, 4, 60], 3, [7, 400]],
  [[-7, -400, -4, -60], 3, [-400, -7]],
  [[7, -400, 0, 5], 2, [-400, 7]],
])('[AGT-09] of a zone’s clocks, %j minutes ahead, %i are counted as wrong, from %j', async (offsets, count, range) => {
  const zone = await server.zone()
  const hosts = await Promise.all(['A', 'B', 'C', 'D'].map((name) => server.host(zone, name)))
  for (const [number, host] of hosts.entries())
    await host.checkIn([], { sentAt: new Date(Date.now() + offsets[number]! * minute).toISOString() })
  const query = { hosts: 'counted' } as const
  const { body } = await zone.manager.call('listZoneOverviews', { params: { organizationId: zone.organization.id }, query })
  const { wrongClocks, clocksAhead } = body[0]!.hostCounts![0]!
  expect([wrongClocks, clocksAhead!.map((seconds) => Math.round(seconds / 60))]).toEqual([count, range])
})

test('[INP-05] a clock of a host PC that is more than 5 minutes ahead or behind is shown with its zone, until it is right again', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const read = async (minutes?: number) => {
    const sentAt = minutes === undefined ? {} : { sentAt: new Date(Date.now() + minutes * minute).toISOString() }
    expect((await host.checkIn([reader('A')], sentAt)).status).toBe(200)
    const { body } = await zone.manager.call('listZoneOverviews', { params: { organizationId: zone.organization.id } })
    const { clockAhead } = body[0]!.hosts[0]!
    return clockAhead === undefined ? undefined : Math.round(clockAhead / 60)
  }
  expect(await read(7)).toBe(7)
  expect(await read(-360)).toBe(-360)
  for (const minutes of [4, -4, 0, undefined]) expect(await read(minutes)).toBeUndefined()
})
