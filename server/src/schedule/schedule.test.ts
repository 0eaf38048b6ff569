import { weekdays } from '@lectern/contract/schedule/open-times.ts'
import { expect, test } from 'vitest'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'
import { dateIn, laterWindow, timeOutside, waitingRollout } from '../testing/waiting-rollout.ts'

const server = await serverForFile()
const night = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '22:00', to: '04:00' }
const holiday = { from: '2026-12-24', to: '2026-12-26', name: 'Holidays' }

test('[NOW-05] a run that waits moves to the next window, its hosts are sent the windows, and the audit log has a sentence', async () => {
  const { manager, organizationId, hosts, publish, listEntries } = await waitingRollout(server, ['North'])
  const { params } = await publish({ updateTime: timeOutside() })
  const body = { windows: [laterWindow()], blockedDays: [holiday] }
  for (const _ of [1, 2]) expect((await manager.call('setSchedule', { params: { organizationId }, body })).status).toBe(200)
  expect(await listEntries('setSchedule')).toEqual([
    [null, expect.stringMatching(/^\w{3} 10:00 to 11:00, not on 24 Dec 2026 to 26 Dec 2026$/)],
  ])
  expect((await hosts[0]!.desired()).openTimes).toEqual({ windows: [laterWindow()], blockedDays: [{ from: holiday.from, to: holiday.to }] })
  const detail = await readRollout(manager, params)
  expect(detail.state).toBe('scheduled')
  expect(detail.parts[0]?.runs[0]?.at).toBe(`${dateIn(2)}T10:00:00.000Z`)
  const reader = { organizationId, serialNumber: 'R-0' }
  expect((await manager.call('getDeviceConfiguration', { params: reader })).body.desired?.dueAt).toBe(`${dateIn(2)}T10:00:00.000Z`)
})

test('[RIT-04] a time within a later window is kept there, past windows without it; a host agent of before is sent the day', async () => {
  const { manager, organizationId, hosts, publish } = await waitingRollout(server, ['North'])
  const { params } = await publish({ updateTime: '10:30' })
  const later = laterWindow()
  const next = { days: weekdays.filter((day) => !later.days.includes(day)), from: '08:00', to: '10:00' }
  const body = { windows: [later, next], blockedDays: [] }
  expect((await manager.call('setSchedule', { params: { organizationId }, body })).status).toBe(200)
  const at = `${dateIn(2)}T10:30:00.000Z`
  expect((await readRollout(manager, params)).parts[0]?.runs[0]?.at).toBe(at)
  const reader = { organizationId, serialNumber: 'R-0' }
  expect((await manager.call('getDeviceConfiguration', { params: reader })).body.desired?.dueAt).toBe(at)
  const startDate = async (query: Record<string, unknown>) =>
    (await hosts[0]!.call('getDesired', { query })).body.configurations.map((one) => one.startDate)
  expect(await startDate({ keepsTimes: true })).toEqual([null])
  expect(await startDate({})).toEqual([dateIn(2)])
  // A day to which it was moved is that of whoever moved it, until the window there does not have the time.
  await manager.call('moveRollout', { params, body: { date: dateIn(3), updateTime: '10:30' } })
  expect(await startDate({ keepsTimes: true })).toEqual([dateIn(3)])
  expect(await startDate({})).toEqual([dateIn(9)])
  await manager.call('moveRollout', { params, body: { date: dateIn(3), updateTime: '12:00' } })
  expect(await startDate({})).toEqual([dateIn(3)])
  await manager.call('startRollout', { params, body: { outsideWindow: 'allowed' } })
  expect(await startDate({})).toEqual([dateIn(3)])
})

test('[NOW-05] a zone has windows of its own, beside the blocked days of its organization, and gives them back', async () => {
  const { manager, organizationId, hosts, zones, listEntries } = await waitingRollout(server, ['North', 'South'])
  await manager.call('setSchedule', { params: { organizationId }, body: { windows: [night], blockedDays: [holiday] } })
  const params = { organizationId, location: zones[1]! }
  const own = { days: ['sun'], from: '02:00', to: '03:00' }
  const { body } = await manager.call('setZoneSchedule', { params, body: { windows: [own], blockedDays: [] } })
  expect(body.zones).toEqual([{ zoneId: zones[1], zone: 'South', windows: [own], blockedDays: [] }])
  const windows = async () => Promise.all(hosts.map(async ({ desired }) => (await desired()).openTimes))
  const blockedDays = [{ from: holiday.from, to: holiday.to }]
  expect(await windows()).toEqual([
    { windows: [night], blockedDays },
    { windows: [own], blockedDays },
  ])
  // An id in capitals is the same one.
  const same = { organizationId, location: zones[1]!.toUpperCase() }
  await manager.call('setZoneSchedule', { params: same, body: { windows: null, blockedDays: [] } })
  expect(await windows()).toEqual([
    { windows: [night], blockedDays },
    { windows: [night], blockedDays },
  ])
  expect(await listEntries('setZoneSchedule')).toEqual([
    ['South', 'Sun 02:00 to 03:00'],
    ['South', "the organization's windows"],
  ])
  expect((await manager.call('getSchedule', { params: { organizationId } })).body.zones).toEqual([])
})

test.for<[string, object, string, string]>([
  [
    'without a day',
    { windows: [{ ...night, days: [] }], blockedDays: [] },
    'windows.0.days',
    'A window without a day is never open. Choose a day.',
  ],
  [
    'with a time that is none',
    { windows: [{ ...night, to: '24:00' }], blockedDays: [] },
    'windows.0.to',
    'Enter a time of day, such as 22:00.',
  ],
  [
    'with a time that is a word',
    { windows: [{ ...night, from: 'noon' }], blockedDays: [] },
    'windows.0.from',
    'Enter a time of day, such as 22:00.',
  ],
  [
    'whose days are blocked for a year',
    {
      windows: [{ ...night, days: ['sun'], to: '23:00' }],
      blockedDays: [
        { from: dateIn(-7), to: dateIn(358), name: '' },
        { from: dateIn(359), to: dateIn(380), name: '' },
      ],
    },
    'windows',
    'These windows never open within a year: every one is on a blocked day.',
  ],
  [
    'with blocked days that end before they begin',
    { windows: [], blockedDays: [{ from: '2026-12-26', to: '2026-12-24', name: '' }] },
    'blockedDays.0.to',
    'The last day is before the first.',
  ],
])('[NOW-05] a window %s is refused with a sentence', async ([, body, field, message]) => {
  const { manager, organizationId } = await waitingRollout(server, ['North'])
  const refused = await manager.call('setSchedule', { params: { organizationId }, body })
  expect([refused.status, refused.problem?.errors]).toEqual([400, [{ field, message }]])
})

test('[NOW-05] blocked days that leave a zone of the organization no window are refused, and name it', async () => {
  const { manager, organizationId, zones } = await waitingRollout(server, ['North'])
  const id = zones[0]!
  const blocked = { from: dateIn(-7), to: dateIn(300), name: '' }
  const more = { from: dateIn(301), to: dateIn(600), name: '' }
  const set = (blockedDays: object[]) => manager.call('setSchedule', { params: { organizationId }, body: { windows: [], blockedDays } })
  await manager.call('setZoneSchedule', {
    params: { organizationId, location: id },
    body: { windows: [{ days: ['sun'], from: '02:00', to: '03:00' }], blockedDays: [] },
  })
  expect((await set([blocked])).status).toBe(200)
  expect((await set([blocked, more])).problem?.errors).toEqual([
    { field: 'windows', message: 'These windows never open within a year: every one is on a blocked day.' },
  ])
  const own = await manager.call('setZoneSchedule', {
    params: { organizationId, location: id },
    body: { windows: [{ days: ['sun'], from: '02:00', to: '03:00' }], blockedDays: [more] },
  })
  expect(own.problem?.detail).toBe('In the zone North no window would open within a year.')
})
