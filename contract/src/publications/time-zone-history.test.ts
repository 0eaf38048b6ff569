import { describe, expect, test } from 'vitest'
import { currentTimeZone, findLastChange, plannedStart, TimeZoneHistory } from './time-zone-history.ts'

const berlinThenTokyo = (changed: string) => `Asia/Tokyo ${changed} Europe/Berlin`

interface Case {
  history: string
  published: string
  now: string
  updateTime?: string
  stopTime?: string
  startDate?: string
  windows?: [from: string, to: string]
}

const start = ({ history, published, now, updateTime = '02:00', stopTime, startDate, windows }: Case) => {
  const openTimes = windows && {
    windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const, from: windows[0], to: windows[1] }].map((one) => ({
      ...one,
      days: [...one.days],
    })),
    blockedDays: [],
  }
  const times = { updateTime, stopTime: stopTime ?? null, startDate: startDate ?? null, ...(openTimes && { openTimes }) }
  return plannedStart(new Date(published), times, history, new Date(now)).toISOString().replace(':00.000Z', 'Z')
}

describe('[INP-05] a run, where the time zone of the host PC changed', () => {
  test('before the publish: its clock is the new one', () =>
    expect(
      start({ history: berlinThenTokyo('2027-03-01T10:00:00Z'), published: '2027-03-01T12:00:00Z', now: '2027-03-01T12:00:00Z' }),
    ).toBe('2027-03-01T17:00Z'))

  test.each([
    // 02:00 in Tokyo is at 17:00 UTC and in Berlin at 01:00 UTC.
    ['waits on the new clock', '2027-03-01T12:00:00Z', '2027-03-01T14:00:00Z', '2027-03-01T17:00Z'],
    ['never begins in the past', '2027-03-01T12:00:00Z', '2027-03-01T20:00:00Z', '2027-03-02T17:00Z'],
    ['is not moved where it has begun', '2027-03-01T12:00:00Z', '2027-03-02T01:00:00Z', '2027-03-02T01:00Z'],
  ])('%s', (_, published, changed, expected) => {
    for (const now of [changed, '2027-03-02T01:10:00Z']) expect(start({ history: berlinThenTokyo(changed), published, now })).toBe(expected)
  })

  test('goes on to its stop time on the clock on which it began, and begins again on the new one', () => {
    // 02:00 to 05:00 in Berlin is 01:00 to 04:00 UTC.
    const run = { history: berlinThenTokyo('2027-03-02T02:00:00Z'), published: '2027-03-01T12:00:00Z', stopTime: '05:00' }
    expect(start({ ...run, now: '2027-03-02T03:59:00Z' })).toBe('2027-03-02T01:00Z')
    expect(start({ ...run, now: '2027-03-02T04:00:00Z' })).toBe('2027-03-02T17:00Z')
    // 02:00 to 05:00 in Tokyo is 17:00 to 20:00 UTC.
    expect(start({ ...run, now: '2027-03-02T20:00:00Z' })).toBe('2027-03-03T17:00Z')
  })

  test('goes on to the end of its window, and begins again in one of the new clock', () => {
    const run = {
      history: berlinThenTokyo('2027-03-02T02:00:00Z'),
      published: '2027-03-01T12:00:00Z',
      windows: ['01:00', '04:30'] as [string, string],
    }
    expect(start({ ...run, now: '2027-03-02T03:29:00Z' })).toBe('2027-03-02T01:00Z')
    expect(start({ ...run, now: '2027-03-02T03:30:00Z' })).toBe('2027-03-02T17:00Z')
  })

  test('between two nights of it, the next one is on the new clock', () =>
    expect(
      start({
        history: berlinThenTokyo('2027-03-02T12:00:00Z'),
        published: '2027-03-01T12:00:00Z',
        stopTime: '05:00',
        now: '2027-03-02T12:00:00Z',
      }),
    ).toBe('2027-03-02T17:00Z'))

  test('keeps the day that it was moved to, unless that has begun on the new clock', () => {
    const run = { published: '2027-03-01T12:00:00Z', startDate: '2027-03-05' }
    expect(start({ ...run, history: berlinThenTokyo('2027-03-03T12:00:00Z'), now: '2027-03-03T12:00:00Z' })).toBe('2027-03-04T17:00Z')
    expect(start({ ...run, history: berlinThenTokyo('2027-03-04T20:00:00Z'), now: '2027-03-04T20:00:00Z' })).toBe('2027-03-05T17:00Z')
  })

  test('each change counts, and the oldest clock has no beginning', () => {
    const history = 'UTC 2027-03-02T17:30:00Z Asia/Tokyo 2027-03-01T20:00:00Z Europe/Berlin'
    const run = { history, published: '2027-03-01T12:00:00Z' }
    expect(start({ ...run, now: '2027-03-02T17:30:00Z' })).toBe('2027-03-02T17:00Z')
    const stopped = { ...run, stopTime: '02:20' }
    expect(start({ ...stopped, now: '2027-03-02T17:30:00Z' })).toBe('2027-03-03T02:00Z')
  })
})

test('[INP-05] a history is time zones with instants between', () => {
  expect(currentTimeZone(berlinThenTokyo('2027-03-01T10:00:00Z'))).toBe('Asia/Tokyo')
  expect(findLastChange('UTC')).toBeNull()
  expect(findLastChange(berlinThenTokyo('2027-03-01T10:00:00Z'))).toEqual({
    at: new Date('2027-03-01T10:00:00Z'),
    timeZone: 'Asia/Tokyo',
    before: 'Europe/Berlin',
  })
  for (const text of ['UTC', berlinThenTokyo('2027-03-01T10:00:00.000Z')]) expect(TimeZoneHistory.safeParse(text).success).toBe(true)
  for (const text of ['', 'Mars/Olympus', 'UTC 2027-03-01T10:00:00Z', 'UTC UTC UTC', `UTC${' 2027-03-01T10:00:00Z UTC'.repeat(60)}`])
    expect(TimeZoneHistory.safeParse(text).success).toBe(false)
})
