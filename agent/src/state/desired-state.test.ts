import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DesiredConfiguration } from '@lectern/contract/hosts.ts'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/folder.ts'
import { makeDesired, makeFirmware } from '../testing/publications.ts'
import { DesiredState } from './desired-state.ts'

const configuration = (revision: number, publishedAt = `2026-11-20T12:00:0${revision}.000Z`): DesiredConfiguration => ({
  publication: `00000000-0000-4000-8000-00000000000${revision}`,
  deviceType: 'A271/2',
  revision,
  content: 'file',
  contentHash: String(revision).repeat(64),
  size: 5,
  fileName: 'a.js',
  updateTime: '02:00',
  stopTime: null,
  publishedAt,
  atOnce: false,
  halted: false,
  startDate: null,
  admitted: null,
  except: [],
})
const revisions = ({ assignments }: DesiredState) => assignments.map(({ revision }) => revision)
const answer = (...configurations: DesiredConfiguration[]) => makeDesired({ configurations })

test('the desired state is there after a restart without the server, for the same zone only', async () => {
  const file = join(newFolder(), 'desired.json')
  const before = await DesiredState.open(file, 'zone', 'ICU')
  expect(await before.take(answer(configuration(1)))).toBe(true)
  expect(await before.take(answer(configuration(1)))).toBe(false)
  expect(revisions(await DesiredState.open(file, 'zone', 'ICU'))).toEqual([1])
  expect(revisions(await DesiredState.open(file, 'another', 'ED'))).toEqual([])
  writeFileSync(file, '{"zoneId":')
  expect(revisions(await DesiredState.open(file, 'zone', 'ICU'))).toEqual([])
})

test('an answer that was overtaken does not bring an older publication back', async () => {
  const desired = await DesiredState.open(join(newFolder(), 'desired.json'), 'zone', 'ICU')
  await desired.take(answer(configuration(2)))
  await desired.take(answer(configuration(1)))
  expect(revisions(desired)).toEqual([2])
  expect(desired.isOpen(configuration(1), 'A271')).toBe(false)
})

test('a publish after the server was set back to a backup counts, though its revision is lower', async () => {
  const desired = await DesiredState.open(join(newFolder(), 'desired.json'), 'zone', 'ICU')
  await desired.take(answer(configuration(5)))
  const later = configuration(3, '2026-11-21T00:00:00.000Z')
  await desired.take(answer(later))
  expect(revisions(desired)).toEqual([3])
})

test('what was desired before is kept at hand, of a model and kind the last; firmware comes before configuration', async () => {
  const file = join(newFolder(), 'desired.json')
  const desired = await DesiredState.open(file, 'zone', 'ICU')
  const firmware = makeFirmware(1, 'firmware', {
    deviceType: 'A271/2',
    previous: [{ version: '2.6.1', contentHash: 'e'.repeat(64), size: 9 }],
  })
  for (const revision of [1, 2, 3]) await desired.take(makeDesired({ configurations: [configuration(revision)], firmware: [firmware] }))
  for (const state of [desired, await DesiredState.open(file, 'zone', 'ICU')]) {
    expect(state.assignments.map(({ kind }) => kind)).toEqual(['firmware', 'file'])
    expect(state.previous.map(({ revision }) => revision)).toEqual([2])
    expect(state.contents.map(({ contentHash, publications }) => [contentHash, publications.length])).toEqual([
      [firmware.contentHash, 1],
      [configuration(3).contentHash, 1],
      [configuration(2).contentHash, 0],
      ['e'.repeat(64), 0],
    ])
  }
})

test('what is halted is not open', async () => {
  const desired = await DesiredState.open(join(newFolder(), 'desired.json'), 'zone', 'ICU')
  await desired.take(answer({ ...configuration(1), halted: true }))
  expect(desired.isOpen(configuration(1), 'A271')).toBe(false)
  expect(await desired.take(answer(configuration(1)))).toBe(true)
  expect(desired.isOpen(configuration(1), 'A271')).toBe(true)
})
