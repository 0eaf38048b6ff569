import { expect, test } from 'vitest'
import { type RunOptions, runCheck } from './run.ts'

const options: RunOptions = {
  seed: 1,
  minutes: null,
  organizations: 1,
  workers: 4,
  kills: { server: 5, postgres: 5 },
  timeZones: ['Europe/Berlin'],
  begin: new Date(0),
  broken: ['figure', 'rollout', 'lost', 'twice'],
  without: [],
  isFolding: false,
  print: () => undefined,
}

/** `npm run check:faults` kills 400 times. */
test('[FLT-01] after ten kills of server and PostgreSQL a fleet’s acknowledged writes are there once; what is broken on purpose is found', {
  timeout: 180_000,
}, async () => {
  const { kept, acknowledged, faults, ...run } = await runCheck(options)
  expect(run.kills).toEqual(options.kills)
  expect(run.restarts).toBeGreaterThanOrEqual(5)
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
  const publications = acknowledged.find(({ name }) => name === 'publications')
  expect(publications?.compared).toBeGreaterThan(0)
  expect(faults).toEqual([])
  expect(acknowledged.find(({ name }) => name === 'last reports of readers')).toMatchObject({ compared: 3 * 17 })
})
