import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'
import { dateIn, waitingRollout } from '../testing/waiting-rollout.ts'

const server = await serverForFile()

test('[NOW-05] coming runs are shown by day and rollout, filtered by zone; a moved zone is on its new day', async () => {
  const { manager, organizationId, publish, zones } = await waitingRollout(server, ['East', 'North', 'South', 'West'])
  const { params } = await publish({ updateTime: '00:00' })
  const read = async (query: object = {}) =>
    (await manager.call('getCalendar', { params: { organizationId }, query: { from: dateIn(0), ...query } })).body
  const tomorrow = dateIn(1)
  const run = { rollout: params.id, kinds: ['configuration'], runs: [{ at: `${tomorrow}T00:00:00.000Z`, timeZones: ['UTC'] }] }
  expect(await read()).toMatchObject({
    days: [{ date: tomorrow, runCount: 1, runs: [{ ...run, zones: ['East', 'North', 'South'], zoneCount: 4, readers: 4, otherDays: 0 }] }],
    ...{ before: 0, after: 0, halted: 0, withoutHost: 0 },
  })
  await manager.call('moveRollout', { params, body: { zones: [zones[3]!], date: dateIn(20), updateTime: '05:00' } })
  const days = ({ days }: Awaited<ReturnType<typeof read>>) => days.map(({ date, runs }) => [date, runs.map(({ zones }) => zones)])
  expect(days(await read())).toEqual([
    [tomorrow, [['East', 'North', 'South']]],
    [dateIn(20), [['West']]],
  ])
  expect((await read()).days.flatMap(({ runs }) => runs.map(({ otherDays }) => otherDays))).toEqual([1, 1])
  expect((await read({ zone: zones[3] })).days[0]!.runs[0]!.otherDays).toBe(0)
  expect(days(await read({ zone: zones[3] }))).toEqual([[dateIn(20), [['West']]]])
  expect(await read({ days: 7 })).toMatchObject({ after: 1 })
  expect(await read({ from: dateIn(15) })).toMatchObject({ before: 1 })
  await manager.call('haltRollout', { params })
  expect(await read()).toMatchObject({ days: [], halted: 1 })
})

test("[NOW-05] a calendar of a zone that is not the organization's is not found", async () => {
  const { manager, organization } = await server.zone()
  const other = await server.zone()
  const query = { from: dateIn(0), zone: other.id }
  expect((await manager.call('getCalendar', { params: { organizationId: organization.id }, query })).status).toBe(404)
})
