import type { CheckIn, ReportedDevice } from '@lectern/contract/hosts.ts'
import { expect, test } from 'vitest'
import { run } from '../commands/run.ts'
import { createFleet } from '../drivers/simulated/fleet.ts'
import { inProcessDriver } from '../drivers/simulated/in-process.ts'
import { DesiredState } from '../state/desired-state.ts'
import { storeEnrollment } from '../state/enrollment.ts'
import { makeFolder } from '../state/folder.ts'
import { Journal } from '../state/journal.ts'
import { newFolder } from '../testing/folder.ts'
import { memoryLog } from '../testing/log.ts'
import { json, startPeer } from '../testing/peer.ts'
import { makeConfiguration, makeDesired, makeFirmware } from '../testing/publications.ts'

const script = 'rules_onDecode = (d) => d'
const enrollment = {
  zoneId: 'zone',
  credential: 'c',
  hostId: 'h',
  hostName: 'PC',
  zoneName: 'ICU',
  organizationId: 'o',
  timeZone: null,
  allowHttp: false,
}

/** A server that has a script for the reader of a PC, at once, and answers check-ins with these in turn. Returns what readers ran at each. */
async function runAgainst(...answers: object[]): Promise<(string | null)[]> {
  const runs: (string | null)[] = []
  const done = new AbortController()
  const downloaded = Promise.withResolvers<void>()
  const peer = await startPeer(({ path, body }, response) => {
    if (path === '/api/agent/check-in') {
      const [device] = (body as CheckIn).devices as ReportedDevice[]
      // Without the reader it is as it was.
      runs.push(device ? (device.configuration?.fileName ?? null) : runs.at(-1)!)
      if (runs.at(-1) === 'v2.js') done.abort()
      const answer = { accepted: 1, refused: [], ...(answers[runs.length - 1] ?? answers.at(-1)) }
      // The first answer comes late: the reader could be written by then.
      return void (runs.length > 1 ? Promise.resolve() : downloaded.promise).then(() => json(response, 200, answer))
    }
    if (path.startsWith('/api/agent/desired'))
      return json(response, 200, makeDesired({ configurations: [makeConfiguration(2, script, { atOnce: true })] }))
    if (path.startsWith('/api/agent/content')) return response.end(script)
    if (path === '/api/agent/progress') downloaded.resolve()
    if (path === '/api/agent/events') return response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    json(response, 200, { refused: [] })
  })
  const state = newFolder()
  await storeEnrollment(await makeFolder(state), { ...enrollment, server: peer.url }, null)
  const [fleet] = createFleet(1, 1)
  const driver = async (folder: string) => inProcessDriver(folder, [{ ...fleet!, configuration: null, refuses: false, battery: null }], 0)
  await run({ state, driver, poll: 300, interval: 900_000, agentVersion: '1' }, memoryLog(), done.signal)
  return runs
}

test('[AGT-08] an agent that may be a copy begins no reader before its next check-in is in order', async () => {
  const runs = await runAgainst({ sequence: 8, isBehind: true }, { sequence: 9, isBehind: true }, { sequence: 10 })
  expect(runs).toEqual([null, null, null, 'v2.js'])
})

test('[AGT-08] what was handed out and applied is remembered through the mark: enrolled anew, the PC does not get it twice', async () => {
  const done = new AbortController()
  const peer = await startPeer(({ path }, response) => {
    if (path === '/api/agent/check-in') return json(response, 200, { accepted: 0, refused: [], sequence: 1 })
    if (!path.startsWith('/api/agent/desired')) return json(response, 200, { refused: [] })
    json(response, 200, makeDesired({ onTwoPcs: true }))
  })
  const folder = await makeFolder(newFolder())
  await storeEnrollment(folder, { ...enrollment, server: peer.url }, null)
  const known = makeDesired({ firmware: [makeFirmware(1, 'firmware', { version: null })] })
  await (await DesiredState.open(folder.desired, 'zone', 'ICU')).take(known)
  const journal = await Journal.open(folder.journal)
  const applied = { publication: known.firmware[0]!.publication, serialNumber: 'A' }
  const outcome = { ...applied, outcome: 'applied' as const, reason: null, at: '2026-01-10T12:00:00.000Z' }
  await journal.record(outcome)
  await journal.acknowledge([outcome])
  await journal.close()
  const log = memoryLog()
  const driver = async (path: string) => inProcessDriver(path, [], 0)
  const running = run({ state: folder.path, driver, poll: 300, interval: 900_000, agentVersion: '1' }, log, done.signal)
  await expect.poll(() => log.lines.join('\n')).toContain('Two PCs check in as this host PC')
  done.abort()
  await running
  expect((await DesiredState.open(folder.desired, 'zone', 'ICU')).assignments).toMatchObject([{ publication: applied.publication }])
  const after = await Journal.open(folder.journal)
  expect(after.applied()).toMatchObject([applied])
  await after.close()
})

test('[AGT-08] an agent whose check-in is in order begins at once', async () => {
  expect(await runAgainst({ sequence: 1 })).toEqual([null, 'v2.js'])
})
