import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DesiredConfiguration } from '@lectern/contract/hosts.ts'
import { expect, test } from 'vitest'
import { openDesired } from './desired.ts'
import { answerOf } from './testing/fleet.ts'
import { newFolder } from './testing/folder.ts'

const configuration = (revision: number, publishedAt = `2026-11-20T12:00:0${revision}.000Z`): DesiredConfiguration => ({
  publication: `00000000-0000-4000-8000-00000000000${revision}`,
  deviceType: 'A271/2',
  revision,
  content: 'file',
  contentHash: String(revision).repeat(64),
  size: 5,
  fileName: 'a.js',
  updateTime: '02:00',
  publishedAt,
  atOnce: false,
  halted: false,
})
const answer = (...configurations: DesiredConfiguration[]) => answerOf({ configurations })

test('what was learned is there without the server after a restart, for the same zone only', async () => {
  const file = join(newFolder(), 'desired.json')
  const before = await openDesired(file, 'zone', 'ICU')
  expect(await before.take(answer(configuration(1)))).toBe(true)
  expect(await before.take(answer(configuration(1)))).toBe(false)
  expect((await openDesired(file, 'zone', 'ICU')).configurations).toEqual([configuration(1)])
  expect((await openDesired(file, 'another', 'ED')).configurations).toEqual([])
  writeFileSync(file, '{"zoneId":')
  expect((await openDesired(file, 'zone', 'ICU')).configurations).toEqual([])
})

test('an answer that was overtaken does not bring an older publication back', async () => {
  const desired = await openDesired(join(newFolder(), 'desired.json'), 'zone', 'ICU')
  await desired.take(answer(configuration(2)))
  await desired.take(answer(configuration(1)))
  expect(desired.configurations).toEqual([configuration(2)])
  expect(desired.isCurrent(configuration(1))).toBe(false)
})

test('a publish after the server was set back to a backup counts, though its revision is lower', async () => {
  const desired = await openDesired(join(newFolder(), 'desired.json'), 'zone', 'ICU')
  await desired.take(answer(configuration(5)))
  const later = configuration(3, '2026-11-21T00:00:00.000Z')
  await desired.take(answer(later))
  expect(desired.configurations).toEqual([later])
})
