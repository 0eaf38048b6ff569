import { join } from 'node:path'
import type { Attached } from '@lectern/contract/devices/attached.ts'
import { type CheckIn, type ReportedDevice, simulatedDriver } from '@lectern/contract/hosts.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { Driver } from '../drivers/driver.ts'
import { connectTo } from '../server/client.ts'
import { DesiredState } from '../state/desired-state.ts'
import { Journal } from '../state/journal.ts'
import { newFolder } from '../testing/folder.ts'
import { memoryLog } from '../testing/log.ts'
import { json, problem, startPeer } from '../testing/peer.ts'
import { CheckIns } from './check-ins.ts'

const never = new AbortController().signal
const minute = 60_000

const reader = (serialNumber: string, parts: Partial<ReportedDevice> = {}): ReportedDevice => ({
  serialNumber,
  deviceType: 'CR2700',
  firmware: '4.9.2',
  configuration: null,
  batteryHealth: 80,
  warrantyUntil: null,
  ...parts,
})

/** A host whose readers and clock the test sets. `run` looks at the readers as the agent does, and returns what it sent. */
async function newHost(answer: (body: CheckIn) => object | number = () => ({}), sequence = 0) {
  const folder = newFolder()
  const journal = await Journal.open(join(folder, 'journal'))
  onTestFinished(() => journal.close())
  const host = {
    readers: [] as ReportedDevice[],
    attached: undefined as Attached | undefined,
    cannotList: false,
    clock: Date.UTC(2026, 0, 10, 12),
  }
  const peer = await startPeer(({ body }, response) => {
    const given = answer(body as CheckIn)
    if (typeof given === 'number') return json(response, given, problem(given, 'Later.'))
    json(response, 200, { accepted: (body as CheckIn).devices.length, refused: [], ...given })
  })
  const refuse = async () => {
    throw new Error('not asked for here')
  }
  const driver: Driver = {
    name: simulatedDriver,
    async list() {
      if (host.cannotList) throw new Error('The bus is gone.')
      return host.readers.map((one) => ({ ...one, inUse: false }))
    },
    read: refuse,
    apply: refuse,
    attached: () => host.attached as Attached,
    close: async () => {},
  }
  const log = memoryLog()
  const stored: (number | undefined)[] = []
  const checkIns = new CheckIns({
    server: connectTo(peer.url, 'c'),
    driver,
    journal,
    log,
    agentVersion: '1.0.0',
    poll: minute,
    interval: 15 * minute,
    sequence,
    enrollAnew: 'lectern-agent enroll … --replace',
    desired: await DesiredState.open(join(folder, 'desired'), 'zone', 'ICU'),
    timeZone: () => 'UTC',
    now: () => new Date(host.clock),
    withdrawals: () => 0,
    onCheckedIn: async (last) => void stored.push(last.sequence),
  })
  const run = async () => {
    const before = peer.calls.length
    const next = await checkIns.run(never)
    const sent = peer.calls.slice(before).map(({ body }) => body as CheckIn)
    return {
      next,
      sent,
      spoken: sent.map(({ devices, gone }) => [(devices as ReportedDevice[]).map((one) => one.serialNumber), gone ?? []]),
    }
  }
  return { host, checkIns, run, log, stored }
}

test('[SCL-12] all readers at the start; then nothing, but each 15 minutes that all is as it was', async () => {
  const { host, run } = await newHost()
  host.readers = [reader('B'), reader('A')]
  const first = await run()
  expect(first.spoken).toEqual([[['A', 'B'], []]])
  expect(first.sent[0]).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(first.sent[0]!.since).toBeUndefined()
  for (let passed = 1; passed < 15; passed++) {
    host.clock += minute
    expect(await run()).toMatchObject({ sent: [], next: minute })
  }
  host.readers.reverse()
  host.clock += minute
  const again = await run()
  expect(again.spoken).toEqual([[[], []]])
  expect(again.sent[0]).toMatchObject({ since: first.sent[0]!.digest, digest: first.sent[0]!.digest })
})

test('[SCL-12] what came, left or changed goes at once, as what differs from the check-in before', async () => {
  const { host, run } = await newHost()
  host.readers = [reader('A'), reader('B'), reader('C')]
  const [all] = (await run()).sent
  host.readers = [reader('B', { firmware: '4.10.0' }), reader('C'), reader('D')]
  const { sent, spoken } = await run()
  expect(spoken).toEqual([[['B', 'D'], ['A']]])
  expect(sent[0]!.since).toBe(all!.digest)
  expect(sent[0]!.digest).not.toBe(all!.digest)
  host.readers = []
  expect((await run()).spoken).toEqual([[[], ['B', 'C', 'D']]])
  expect((await run()).spoken).toEqual([])
})

test('[SER-01] what is attached beside the readers goes with all readers, then only when it changes, and again where the server lost it', async () => {
  let isLost = false
  const { host, run } = await newHost(({ since }) => (isLost && since !== undefined ? { sendAll: true } : {}))
  const attached: Attached = { others: [], ports: [{ path: 'COM5', says: 'No reader responds.' }], dialects: [] }
  host.readers = [reader('A')]
  host.attached = attached
  expect((await run()).sent.map((sent) => sent.attached)).toEqual([attached])
  expect((await run()).sent).toEqual([])
  host.attached = { ...attached, ports: [] }
  expect((await run()).sent.map((sent) => [sent.devices, sent.attached])).toEqual([[[], { ...attached, ports: [] }]])
  host.clock += 15 * minute
  expect((await run()).sent.map((sent) => sent.attached)).toEqual([undefined])
  isLost = true
  host.clock += 15 * minute
  expect((await run()).sent.map((sent) => sent.attached)).toEqual([undefined, { ...attached, ports: [] }])
})

test('a battery that ages waits for the next check-in, unless it falls below 25 or is above it again', async () => {
  const { host, run } = await newHost()
  host.readers = [reader('A', { batteryHealth: 30 }), reader('B', { batteryHealth: 60 })]
  await run()
  host.readers[1] = reader('B', { batteryHealth: 59 })
  expect((await run()).sent).toEqual([])
  host.readers[0] = reader('A', { batteryHealth: 24.9 })
  expect((await run()).spoken).toEqual([[['A', 'B'], []]])
  host.readers[0] = reader('A', { batteryHealth: 25 })
  expect((await run()).spoken).toEqual([[['A'], []]])
  host.readers[0] = reader('A', { batteryHealth: null })
  expect((await run()).sent).toEqual([])
  host.clock += 15 * minute
  expect((await run()).spoken).toEqual([[['A'], []]])
})

test('[SCL-12] a server that does not know what was sent before gets all readers at once', async () => {
  let isForgetful = false
  const { host, run } = await newHost(({ since }) => (isForgetful && since !== undefined ? { accepted: 0, sendAll: true } : {}))
  host.readers = [reader('A'), reader('B')]
  await run()
  isForgetful = true
  host.readers[0] = reader('A', { firmware: '4.10.0' })
  const { sent, spoken } = await run()
  expect(spoken).toEqual([
    [['A'], []],
    [['A', 'B'], []],
  ])
  expect(sent[1]!.since).toBeUndefined()
  isForgetful = false
  host.readers[0] = reader('A', { firmware: '4.11.0' })
  expect((await run()).sent[0]!.since).toBe(sent[1]!.digest)
})

test('what was not answered is sent again as it was', async () => {
  let status: number | undefined
  const { host, run } = await newHost(() => status ?? {})
  host.readers = [reader('A'), reader('B')]
  const [all] = (await run()).sent
  host.readers[0] = reader('A', { firmware: '4.10.0' })
  status = 503
  await expect(run()).rejects.toThrow()
  status = undefined
  const { sent, spoken } = await run()
  expect(spoken).toEqual([[['A'], []]])
  expect(sent[0]!.since).toBe(all!.digest)
})

test('readers that cannot be listed are not said to have left; the host is there, and says all when it can', async () => {
  const { host, run, log } = await newHost()
  host.readers = [reader('A'), reader('B')]
  await run()
  host.cannotList = true
  expect((await run()).sent).toEqual([])
  host.clock += 15 * minute
  const { sent, spoken } = await run()
  expect(spoken).toEqual([[[], []]])
  expect([sent[0]!.since, sent[0]!.digest]).toEqual([undefined, undefined])
  expect(log.lines).toContainEqual(expect.stringContaining('The readers cannot be listed: The bus is gone.'))
  host.cannotList = false
  expect((await run()).spoken).toEqual([[['A', 'B'], []]])
})

test('a host with more readers than the server takes reports the first 5,000 and says so once', async () => {
  const { host, run, log } = await newHost()
  host.readers = Array.from({ length: 5_001 }, (_, number) => reader(`R${number}`))
  expect((await run()).sent[0]!.devices).toHaveLength(5_000)
  host.clock += 15 * minute
  await run()
  expect(log.lines.filter((line) => line.includes('This PC has 5001 readers. The server takes 5000'))).toHaveLength(1)
})

test('[AGT-08] each check-in returns the number of the last answer, also after a restart and of an answer that asks for all readers', async () => {
  let given = 41
  const { host, run, stored } = await newHost(({ since }) => ({ sequence: given++, ...(since && { sendAll: true }) }), 40)
  host.readers = [reader('A')]
  expect((await run()).sent.map(({ sequence }) => sequence)).toEqual([40])
  host.readers = [reader('B')]
  expect((await run()).sent.map(({ sequence }) => sequence)).toEqual([41, 42])
  expect(stored).toEqual([41, 43])
})

test('[AGT-08] after a number that was not the last one no reader begins until a check-in a minute later is in order', async () => {
  let answer: object = { sequence: 8, isBehind: true }
  const { host, run, checkIns } = await newHost(() => answer)
  expect(await run()).toMatchObject({ next: minute })
  expect(checkIns.isAlone).toBe(false)
  answer = { sequence: 9 }
  host.readers = [reader('A')]
  host.clock += minute - 1
  await run()
  expect(checkIns.isAlone).toBe(false)
  host.clock += 1
  expect((await run()).sent).toMatchObject([{ sequence: 9 }])
  expect(checkIns.isAlone).toBe(true)
  for (let passed = 1; passed < 15; passed++) {
    host.clock += minute
    expect((await run()).sent).toEqual([])
  }
})

test('[AGT-08] a clock that is set back, and a server of before, do not hold readers back for longer', async () => {
  let answer: object = { sequence: 8, isBehind: true }
  const { host, run, checkIns } = await newHost(() => answer)
  await run()
  answer = { sequence: 9 }
  host.clock -= 60 * minute
  await run()
  expect(checkIns.isAlone).toBe(true)
  answer = { sequence: 10, isBehind: true }
  host.readers = [reader('A')]
  await run()
  expect(checkIns.isAlone).toBe(false)
  answer = {}
  host.readers = [reader('B')]
  await run()
  expect(checkIns.isAlone).toBe(true)
})

test('[AGT-08] on two PCs no reader begins, and the log says once what to do', async () => {
  const { host, run, log, checkIns } = await newHost(() => ({ sequence: 8, onTwoPcs: true }))
  for (let round = 0; round < 3; round++) {
    await run()
    expect(checkIns.isAlone).toBe(false)
    host.clock += 15 * minute
  }
  expect(log.lines).toEqual([
    'Warning: Two PCs check in as this host PC, as its disk or its state folder was copied. The portal hands out nothing to them. Enroll this PC anew: lectern-agent enroll … --replace. The other PC then ends, and is enrolled anew too.',
  ])
})

test('[AGT-09] a wrong clock is logged once above a minute, and once when it is right again; the round trip goes with the next check-in', async () => {
  let clockAhead: number | undefined
  const { host, run, log } = await newHost(() => ({ clockAhead }))
  const ask = async (ahead: number | undefined) => {
    clockAhead = ahead
    host.clock += 15 * minute
    return (await run()).sent[0]!
  }
  expect((await ask(60_000)).roundTrip).toBeUndefined()
  expect((await ask(undefined)).roundTrip).toBeGreaterThanOrEqual(0)
  expect(log.lines).toEqual([])
  const wrong = 'Warning: The clock of this PC is 6 hours and 7 minutes behind. Readers update by it: set the time of this PC.'
  for (const ahead of [-22_020_000, -22_021_000, 45_000, 61_000, undefined]) await ask(ahead)
  expect(log.lines).toEqual([wrong])
  for (const ahead of [-30_000, 0]) await ask(ahead)
  expect(log.lines).toEqual([wrong, 'The clock of this PC is right again.'])
  await ask(60_001)
  expect(log.lines.at(-1)).toBe('Warning: The clock of this PC is 1 minute ahead. Readers update by it: set the time of this PC.')
})
