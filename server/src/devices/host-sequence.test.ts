import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HostSequence, takeTurn } from './host-sequence.ts'

const fresh: HostSequence = { last: 0, leftFrom: 0, leftTo: 0, alternations: 0, onTwoPcs: false }

/** A server, and the numbers that copies of a state folder have stored. */
function newHost(copies: number) {
  let kept = fresh
  const stored = Array.from({ length: copies }, () => 0)
  const take = (returned: number) => {
    kept = takeTurn(kept, returned)
    return kept.last
  }
  return {
    isFound: () => kept.onTwoPcs,
    take,
    stored,
    checkIn(copy: number) {
      stored[copy] = take(stored[copy]!)
    },
  }
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.constant('in order') },
  fc.constantFrom('answer lost', 'killed, and late', 'backup taken', 'backup restored'),
)

test('[AGT-08] one PC is never found to be two, whatever answers are lost, where a call comes late, and yesterday’s backup is restored', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const host = newHost(1)
      let [backup, late] = [0, null as number | null]
      const firstLate = steps.indexOf('killed, and late')
      for (const [at, one] of steps.entries()) {
        const sent = host.stored[0]!
        if (one === 'answer lost') host.take(sent)
        else if (one === 'backup taken') backup = sent
        else if (one === 'backup restored') host.stored[0] = backup
        else host.checkIn(0)
        // The call of an agent that was killed is taken after the next one. Two of them may look like two PCs (decision 92).
        if (late !== null) host.take(late)
        late = one === 'killed, and late' && at === firstLate ? sent : null
      }
      expect(host.isFound()).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('[AGT-08] copies of a folder are found, whoever checks in more often, once each has come back twice after the others', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1), fc.integer({ min: 1, max: 5 })), { minLength: 4, maxLength: 40 }), (runs) => {
      const host = newHost(2)
      const turns = runs.map(([copy]) => copy).filter((copy, at, all) => copy !== all[at - 1])
      for (const [copy, times] of runs) for (let time = 0; time < times; time++) host.checkIn(copy)
      // The first to come is in order, and so is the second's first time; A and B then each come back once.
      expect(host.isFound()).toBe(turns.length >= 4)
    }),
  )
})

test.each([2, 3, 50])('[AGT-08] of %i copies none has checked in a third time when they are found', (copies) => {
  const host = newHost(copies)
  for (let copy = 0; copy < copies; copy++) host.checkIn(copy)
  expect(host.isFound()).toBe(false)
  for (let copy = 0; copy < copies; copy++) host.checkIn(copy)
  expect(host.isFound()).toBe(true)
})

test('[AGT-08] two snapshots of one PC that are restored in turn are one PC', () => {
  const host = newHost(1)
  const snapshots = [0, 0]
  for (let number = 0; number < 2; number++) {
    for (let time = 0; time < 9; time++) host.checkIn(0)
    snapshots[number] = host.stored[0]!
  }
  for (let round = 0; round < 20; round++) {
    host.stored[0] = snapshots[round % 2]!
    for (let time = 0; time < 9; time++) host.checkIn(0)
  }
  expect(host.isFound()).toBe(false)
})

test('a server that was restored from a backup gives numbers anew, and finds nothing', () => {
  expect(takeTurn({ ...fresh, last: 7 }, 100)).toEqual({ ...fresh, last: 8, isBehind: false, isFound: false })
})
