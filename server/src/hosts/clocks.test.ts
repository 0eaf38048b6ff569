import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const minute = 60_000

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
