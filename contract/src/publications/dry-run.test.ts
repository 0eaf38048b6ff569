import { array, assert, boolean, nat, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { countCannot, countVerdicts, findVerdict, type ReaderFacts } from './dry-run.ts'

const anyFacts = {
  isSame: boolean(),
  hasHost: boolean(),
  isSilent: boolean(),
  isOnTwoPcs: boolean(),
  isMissing: boolean(),
  hasOlderApp: boolean(),
  isImpossible: boolean(),
  isBatteryLow: boolean(),
}
const well: ReaderFacts = {
  isSame: false,
  hasHost: true,
  isSilent: false,
  isOnTwoPcs: false,
  isMissing: false,
  hasOlderApp: false,
  isImpossible: false,
  isBatteryLow: false,
}

test.for([
  ['changes', {}],
  ['matches', { isSame: true }],
  ['matches', { isSame: true, hasHost: false, isSilent: true, isMissing: true, isBatteryLow: true }],
  ['noHost', { hasHost: false, isSilent: true }],
  ['silent', { isSilent: true, isOnTwoPcs: true, isMissing: true, isBatteryLow: true }],
  ['onTwoPcs', { isOnTwoPcs: true, isMissing: true, isImpossible: true }],
  ['missing', { isMissing: true, hasOlderApp: true, isBatteryLow: true }],
  ['olderApp', { hasOlderApp: true, isImpossible: true, isBatteryLow: true }],
  ['notPossible', { isImpossible: true, isBatteryLow: true }],
  ['battery', { isBatteryLow: true }],
] as const)('[DRY-01] the verdict is %s of %j', ([verdict, about]) => expect(findVerdict({ ...well, ...about })).toBe(verdict))

test('[DRY-01] a reader changes exactly if it runs something else and nothing is in its way', () => {
  assert(
    property(record(anyFacts), (one) => {
      const isFree =
        one.hasHost && !one.isSilent && !one.isOnTwoPcs && !one.isMissing && !one.hasOlderApp && !one.isImpossible && !one.isBatteryLow
      expect(findVerdict(one) === 'changes').toBe(!one.isSame && isFree)
    }),
  )
})

test('[DRY-01] every reader is counted once, however they are grouped', () => {
  const group = record({ ...anyFacts, runsNewer: boolean(), readers: nat(1_000) })
  assert(
    property(array(group), array(group), (some, more) => {
      const [one, other, all] = [countVerdicts(some), countVerdicts(more), countVerdicts([...more, ...some])]
      expect(all.changes + all.matches + all.missing + countCannot(all)).toBe(all.readers)
      expect(all.readers).toBe([...some, ...more].reduce((sum, { readers }) => sum + readers, 0))
      expect(all.toOlder).toBeLessThanOrEqual(all.changes)
      for (const name of Object.keys(all) as (keyof typeof all)[]) expect(all[name]).toBe(one[name] + other[name])
    }),
  )
})

test('[DRY-01] of readers that change, those that run a newer firmware go back', () => {
  const counts = countVerdicts([
    { ...well, runsNewer: true, readers: 3 },
    { ...well, runsNewer: false, readers: 4 },
    { ...well, runsNewer: true, isSilent: true, readers: 5 },
  ])
  expect(counts).toMatchObject({ readers: 12, changes: 7, toOlder: 3, silent: 5 })
})
