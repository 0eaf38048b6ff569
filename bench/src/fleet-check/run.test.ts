import { expect, test } from 'vitest'
import { type RunOptions, runCheck } from './run.ts'

const options: RunOptions = {
  ...{ seed: 1, minutes: 0.05, organizations: 1, workers: 4, kills: { server: 0, postgres: 0 }, timeZones: ['Europe/Berlin'] },
  ...{ begin: new Date(0), broken: ['figure', 'rollout', 'lost', 'twice'], without: [], isFolding: false, print: () => undefined },
}

test('of a fleet at work the check finds the two kept figures that are broken, the write that is lost and the one that is there twice', {
  timeout: 120_000,
}, async () => {
  const { kept, acknowledged, faults } = await runCheck(options)
  const differing = kept.filter(({ differences }) => differences.length > 0)
  expect(differing.map(({ name }) => name)).toEqual([
    'readers of an organization, with each tile',
    'sums of a rollout, by model and 32 publications',
  ])
  expect(differing.map(({ differences }) => differences.length)).toEqual([2, 2])
  const wrong = acknowledged.filter(({ lost, twice }) => lost.length + twice.length > 0)
  expect(wrong.map(({ name, lost, twice }) => [name, lost.length, twice.length])).toEqual([
    ['audit entries', 0, 1],
    ['last check-ins of host PCs', 1, 0],
  ])
  expect(faults).toEqual([])
  expect(acknowledged.find(({ name }) => name === 'last reports of readers')).toMatchObject({ compared: 3 * 17 })
})
