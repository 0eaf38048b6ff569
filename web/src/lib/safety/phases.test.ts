import { expect, test } from 'vitest'
import { findZoneProblem, formatPhaseZones, formatZones } from './phases.ts'

const published = new Map([
  ['a', { name: 'ICU', readers: 4 }],
  ['b', { name: 'Lab', readers: 1 }],
  ['c', { name: 'Depot', readers: 0 }],
  ['d', { name: 'Ward', readers: 30 }],
])
const problem = (...phases: (string[] | undefined)[]) =>
  findZoneProblem(
    phases.map((zones) => ({ zones })),
    published,
  )

test('[PHA-01] the chosen zones of a phase are said by their names and readers', () => {
  expect(formatPhaseZones(['a'], published)).toBe('1 chosen zone: ICU, 4 readers')
  expect(formatPhaseZones(['a', 'b', 'c', 'd'], published)).toBe('4 chosen zones: ICU, Lab, Depot and 1 more, 35 readers')
  expect(formatPhaseZones(['a'], new Map([['a', { name: 'ICU', readers: undefined }]]))).toBe('1 chosen zone: ICU')
  expect(formatZones(2, [])).toBe('2 chosen zones')
})

test('[PHA-01] what is wrong with the zones of phases is a sentence', () => {
  expect(problem()).toBeUndefined()
  expect(problem(undefined)).toBeUndefined()
  expect(problem(['a'], undefined, ['b'])).toBeUndefined()
  expect(problem(['a'], undefined, ['b', 'a'])).toBe('ICU is in phase 1 and in phase 3. Leave it in one.')
  expect(problem(['a', 'x', 'y'])).toBe('Phase 1 has 2 zones to which nothing is published now. Choose its zones again.')
  expect(problem(['a'], ['c'])).toBe('The zones of phase 2 get no reader of this rollout. Choose others.')
  expect(problem(['a', 'b'], ['c', 'd'])).toBe('All zones are in phases, so no reader is left for the last phase. Leave a zone out.')
  expect(problem(['a', 'b', 'd'])).toBe(
    'The zones that are in no phase have no readers, so none is left for the last phase. Leave a zone with readers out.',
  )
})
