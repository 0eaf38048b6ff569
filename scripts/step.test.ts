import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = JSON.stringify(join(import.meta.dirname, 'step.mjs'))

/** What a program prints while it takes a step that blocks it. */
const runStep = (work: string, every: number) =>
  execFileSync(
    process.execPath,
    ['--input-type=module', '-e', `import { step } from ${script}; step('Building', ${work}, { every: ${every} })`],
    {
      encoding: 'utf8',
    },
  )

test('a step says that it begins, and how long it took', () => {
  expect(runStep('() => 1', 60_000)).toMatch(/^Building …\nBuilding: done in \d+\.\d s\n$/)
})

test('a step that blocks its process still says that it goes on', () => {
  const untilSaid = "() => execFileSync(process.execPath, ['-e', 'setTimeout(() => {}, 3000)'])"
  const text = execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { execFileSync } from 'node:child_process'; import { step } from ${script}; step('Building', ${untilSaid}, { every: 200 })`,
    ],
    { encoding: 'utf8' },
  )
  expect(text).toMatch(/^Building …\n(?: {2}still at it after \d+ s\n)+Building: done in /)
})
