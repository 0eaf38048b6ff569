import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { organization, manager } = await server.zone('Ward')
const params = { organizationId: organization.id }

// More readers than a search looks through for any page. One has an X in its serial number.
await sql`
  insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at, battery_health)
  select ${organization.key}::int, 'S' || lpad(n::text, 7, '0'), 'CR2700'::device_model, (select id from zone where organization_id = ${organization.key}::int), now() - n * interval '1 second', n % 100
  from generate_series(1, 100100) n
  union all select ${organization.key}::int, 'X0', 'CR1100'::device_model, null, now() - interval '100 days', 3`.execute(server.app.db)
await sql`vacuum analyze device`.execute(server.app.db)

const search = async (textFilter: string, more: object = {}) => {
  const { status, body, problem } = await manager.call('listDevices', { params, query: { textFilter, ...more } })
  return {
    status,
    detail: problem.detail,
    serials: body.deviceList?.map(({ serialNumber }) => serialNumber),
    totalCount: body.totalCount,
    hasMore: body.hasMore,
  }
}

test('[FAI-06 SPD-03] the first page of any search has its rows; of many, the count is cut', async () => {
  expect(await search('9', { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending', PageSize: 3 })).toMatchObject({
    status: 200,
    serials: ['S0000009', 'S0000019', 'S0000029'],
    hasMore: true,
  })
  // It is at the very end of the order, so that no bounded walk finds it.
  expect(await search('x')).toMatchObject({ status: 200, serials: ['X0'], totalCount: 1, hasMore: undefined })
  expect(await search('cr11', { ColumnName: 'DeviceType', Direction: 'Descending' })).toMatchObject({ status: 200, serials: ['X0'] })
  expect(await search('_%_')).toMatchObject({ status: 200, serials: [], totalCount: 0 })
  expect(await search('1 0 s 00 c r 2 27')).toMatchObject({ status: 200, hasMore: true })
})

test('[FAI-06] a page far into a search is refused with how to narrow it; page by page it is reached', async () => {
  const sort = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending', PageSize: 10 }
  expect(await search('9', { ...sort, PageNumber: 9_000 })).toMatchObject({
    status: 422,
    detail:
      'This page is too far into what the search finds. Narrow the search: enter three or more characters of a serial number, or the whole name of a zone or host PC. Or go there page by page.',
  })
  for (const PageNumber of [0, 1, 2]) expect((await search('9', { ...sort, PageNumber })).status).toBe(200)
  expect((await search('99', { ...sort, PageNumber: 1, ColumnName: 'BatteryHealth' })).status).toBe(200)
})
