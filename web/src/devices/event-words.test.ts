import type { DeviceEvent } from '@lectern/contract/devices/history.ts'
import { expect, test } from 'vitest'
import { describeEvent, nameEvent } from './event-words.ts'

const say = (parts: Partial<DeviceEvent>) => {
  const event: DeviceEvent = { id: 'e', at: '2026-01-01T00:00:00Z', kind: 'applied', ...parts }
  const { text, detail } = describeEvent(event)
  return [nameEvent(event)[1], text, detail]
}
const published = { contentKind: 'configuration', content: 'wristband.js', revision: 3, zone: 'ICU', publishedBy: 'Ada Okoro' } as const

test('[RCD-01] an event says what happened in a line, and below it why and by whom', () => {
  expect(say(published)).toEqual(['Applied', 'wristband.js', 'Revision 3, for ICU, published by Ada Okoro.'])
  expect(say({ ...published, kind: 'failed', reason: 'Battery at 14%.' })).toEqual([
    ...['Failed', 'wristband.js', 'Battery at 14%. Revision 3, for ICU, published by Ada Okoro.'],
  ])
  expect(say({ kind: 'failed', contentKind: 'firmware', content: '4.12.0' })).toEqual(['Failed', 'Firmware 4.12.0', undefined])
  expect(say({ ...published, reapplied: true, requestedBy: 'Ben' })).toEqual(['Applied again', 'wristband.js', 'Requested again by Ben.'])
  expect(say({ kind: 'drifted', contentKind: 'configuration', content: 'wristband.js', running: 'CFG 0a1b2c3d' })).toEqual([
    ...['Drifted', 'Runs CFG 0a1b2c3d in place of wristband.js', undefined],
  ])
  expect(say({ kind: 'drifted', contentKind: 'firmware' })).toEqual([
    'Drifted',
    'Runs no firmware in place of what its zone desires',
    undefined,
  ])
  expect(say({ kind: 'returned', contentKind: 'firmware', running: '4.12.0' })).toEqual([
    ...['Drift ended', 'Runs 4.12.0 again, as its zone desires', undefined],
  ])
  expect(say({ kind: 'moved', from: 'HOST-A in ICU', to: 'HOST-B in Lab' })).toEqual(['Moved', 'To HOST-B in Lab', 'From HOST-A in ICU'])
  expect(say({ kind: 'moved', to: 'HOST-B in Lab' })).toEqual(['Moved', 'To HOST-B in Lab', undefined])
})
