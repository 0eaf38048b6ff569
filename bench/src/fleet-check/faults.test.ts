import { expect, test } from 'vitest'
import { runCheck } from './run.ts'

/** `npm run check:faults` kills 400 times. */
const kills = { server: 5, postgres: 5 }

test('[FLT-01] after ten kills of the server and PostgreSQL every acknowledged write is there exactly once', {
  timeout: 180_000,
}, async () => {
  const result = await runCheck({
    ...{ seed: 4, minutes: 0.25, organizations: 1, workers: 8, kills, timeZones: ['Europe/Berlin'] },
    ...{ begin: new Date(0), broken: [], without: [], isFolding: false, print: () => undefined },
  })
  expect(result.kills).toEqual(kills)
  expect(result.restarts).toBeGreaterThanOrEqual(5)
  expect(result.calls.repeated).toBeGreaterThan(0)
  const found = Object.fromEntries(result.acknowledged.map(({ name, lost, twice }) => [name, [...lost, ...twice]]))
  expect(found).toEqual({
    publications: [],
    'zones that were made and not deleted': [],
    'registered readers that were not deleted': [],
    'audit entries': [],
    outcomes: [],
    'last reports of readers': [],
    'last check-ins of host PCs': [],
    'days of devices in the device log': [],
  })
  const compared = result.acknowledged.filter(({ name }) => ['publications', 'last check-ins of host PCs'].includes(name))
  expect(compared.filter(({ compared: count }) => count === 0)).toEqual([])
  expect(result.faults).toEqual([])
})
