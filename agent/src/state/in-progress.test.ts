import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/folder.ts'
import { InProgress } from './in-progress.ts'

const before = { publication: 'one', firmware: '4.12.0', configuration: null }

test('what a reader ran before, and what is wrong with it since, is there after a restart, until the reader is done', async () => {
  const file = join(newFolder(), 'begun.json')
  const first = await InProgress.open(file)
  await Promise.all([first.start('A', before), first.start('B', before)])
  await first.start('A', { ...before, firmware: '5.1.0' })
  await first.recordTrouble('A', 'It reports no firmware.')
  await first.end('B')
  const second = await InProgress.open(file)
  expect(second.find('A', 'one')).toEqual({ ...before, trouble: 'It reports no firmware.' })
  expect(second.find('A', 'another')).toBeUndefined()
  expect(second.find('B', 'one')).toBeUndefined()
})

test('a reader counts as started only once that is on disk', async () => {
  const folder = join(newFolder(), 'state')
  const inProgress = await InProgress.open(join(folder, 'begun.json'))
  await expect(inProgress.start('A', before)).rejects.toThrow('ENOENT')
  expect(inProgress.find('A', 'one')).toBeUndefined()
  mkdirSync(folder)
  await inProgress.start('A', before)
  expect(inProgress.find('A', 'one')).toEqual({ ...before, trouble: null })
  rmSync(folder, { recursive: true })
  await expect(inProgress.end('A')).rejects.toThrow('ENOENT')
  expect(inProgress.find('A', 'one')).toBeDefined()
})
