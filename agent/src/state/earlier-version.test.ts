import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { status } from '../commands/status.ts'
import { createBench } from '../testing/bench.ts'
import { readEvents, startFleet } from '../testing/fleet.ts'
import { newFolder } from '../testing/folder.ts'
import { sha256 } from '../testing/publications.ts'
import { folderAt, makeFolder } from './folder.ts'

const [changedOver, notChangedOver] = ['27P0387771', '27P0395690']
const configuration = '00000000-0000-4000-8000-000000000002'
const waiting = '00000000-0000-4000-8000-000000000003'
const firmware = '00000000-0000-4000-9000-000000000001'

/**
 * A copy of the folder of an agent from before states had names. It was killed with firmware on two readers, one of which has changed over.
 */
async function copyFolder(): Promise<string> {
  const state = newFolder()
  cpSync(fileURLToPath(new URL('../testing/state-0.1.0', import.meta.url)), state, { recursive: true })
  const { contents } = await makeFolder(state)
  for (const text of ['zero', 'one', 'two', 'own firmware']) writeFileSync(join(contents, sha256(text)), text)
  return state
}

test('the state folder of an earlier version opens, and its work goes on where it was killed', async () => {
  const state = await copyFolder()
  const { readers } = folderAt(state)
  const { driver } = await startFleet({ readers: 8 }, readers)
  const bench = await createBench(driver, { state })
  const isUnsent = (publication: string) => bench.journal.unsent().filter((outcome) => outcome.publication === publication)
  expect(bench.desired.previous.map(({ label }) => label)).toEqual(['v1.js'])
  expect(isUnsent(configuration).map(({ serialNumber }) => serialNumber)).toEqual([notChangedOver])

  bench.clock.now = Date.UTC(2026, 0, 11, 2) - 1
  await bench.look()
  expect(isUnsent(firmware).map(({ serialNumber, outcome }) => [serialNumber, outcome])).toEqual([
    [changedOver, 'applied'],
    [notChangedOver, 'applied'],
  ])
  const completed = [changedOver, notChangedOver].map((serial) => readEvents(readers, serial).filter(({ event }) => event === 'complete'))
  expect(completed.map((events) => events.map((event) => 'publication' in event && event.publication))).toEqual([
    ['00000000-0000-4000-8000-000000000001', configuration, firmware],
    ['00000000-0000-4000-8000-000000000001', configuration, firmware],
  ])
  expect(isUnsent(waiting)).toEqual([])
  bench.clock.now += 1
  await bench.look()
  expect(isUnsent(waiting).map(({ outcome }) => outcome)).toEqual(['applied'])
})

test('status reads the folder of an earlier version', async () => {
  const state = await copyFolder()
  expect(await status(state, new Date('2026-01-10T13:00:00Z'))).toEqual([
    'Host PC:        NRH-01 (host)',
    'Zone:           ICU (zone)',
    'Server:         https://lectern.example',
    'Time zone:      UTC',
    `State folder:   ${state}`,
    'Agent:          not running',
    expect.stringMatching(/^Last check-in: {2}2026-01-10 .*, 8 readers$/),
    'To be reported: 1 outcome',
    'Published:',
    '  CR2700: firmware v1.crvfw, revision 1; 0 readers updated, 0 failed',
    '  CR2700: v2.js, revision 2; 2 readers updated, 0 failed',
    expect.stringMatching(/^ {2}V4500: v3\.js, revision 3; waits for 02:00, 2026-01-11 .* on this PC$/),
  ])
})
