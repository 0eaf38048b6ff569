import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '@lectern/contract/hosts.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/folder.ts'
import { Journal } from './journal.ts'

const publication = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const outcome = (number: number, serialNumber: string): Outcome => ({
  publication: publication(number),
  serialNumber,
  outcome: 'applied',
  reason: null,
  at: '2026-11-20T12:00:00.000Z',
})

test('an outcome is there after a restart until it is acknowledged, and its reader keeps it', async () => {
  const file = join(newFolder(), 'journal')
  const before = await Journal.open(file)
  await Promise.all(['A', 'B', 'C'].map((serial) => before.record(outcome(1, serial))))
  await before.acknowledge([outcome(1, 'B')])
  await before.close()
  const after = await Journal.open(file)
  expect(after.unsent()).toEqual([outcome(1, 'A'), outcome(1, 'C')])
  expect(['A', 'B', 'C', 'D'].map((serial) => after.hasOutcome(publication(1), serial))).toEqual([true, true, true, false])
  await after.close()
})

test('the first outcome of a reader and publication is kept', async () => {
  const file = join(newFolder(), 'journal')
  const journal = await Journal.open(file)
  await journal.record(outcome(1, 'A'))
  await journal.record({ ...outcome(1, 'A'), outcome: 'failed', reason: 'no' })
  expect(journal.unsent()).toEqual([outcome(1, 'A')])
  await journal.close()
})

test('publications that are no longer desired are forgotten, outcomes still to be sent are not', async () => {
  const file = join(newFolder(), 'journal')
  const journal = await Journal.open(file)
  for (const number of [1, 2, 3]) await journal.record(outcome(number, 'A'))
  await journal.acknowledge([outcome(1, 'A'), outcome(2, 'A')])
  await journal.keepOnly(new Set([publication(2)]))
  expect([1, 2, 3].map((number) => journal.hasOutcome(publication(number), 'A'))).toEqual([false, true, true])
  await journal.record(outcome(4, 'A'))
  await journal.close()
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3)
})

test('a journal that a power cut has torn anywhere keeps every line before the tear', async () => {
  const file = join(newFolder(), 'journal')
  const whole = ['A', 'B', 'C', 'D'].map((serial) => `${JSON.stringify(outcome(1, serial))}\n`)
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.join('').length), fc.constantFrom('', '\0\0\0\0', '{"publication":'), async (length, rubbish) => {
      writeFileSync(file, whole.join('').slice(0, length))
      appendFileSync(file, rubbish)
      const journal = await Journal.open(file)
      await journal.record(outcome(2, 'E'))
      await journal.close()
      const again = await Journal.open(file)
      const kept = again.unsent().map(({ serialNumber }) => serialNumber)
      await again.close()
      let complete = 0
      for (let end = 0; complete < whole.length && length >= end + whole[complete]!.length; complete += 1) end += whole[complete]!.length
      const lines = kept.slice(0, -1)
      expect(lines.slice(0, complete)).toEqual(['A', 'B', 'C', 'D'].slice(0, complete))
      // The last line may have lost its newline only.
      expect(lines.length - complete).toBeLessThanOrEqual(1)
      expect(kept.at(-1)).toBe('E')
    }),
    { numRuns: 60 },
  )
})
