import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeReader } from '../drivers/simulated/driver.ts'
import { simulatedFirmware, unwellMarker } from '../drivers/simulated/reader.ts'
import { type Bench, createBench } from '../testing/bench.ts'
import { readEvents, startFleet } from '../testing/fleet.ts'
import { newFolder } from '../testing/folder.ts'
import { makeConfiguration, makeDesired, makeFirmware, sha256 } from '../testing/publications.ts'

const never = new AbortController().signal
const text = (version: string, rest = '') => simulatedFirmware('CR2700', version, rest)
const old = { version: '4.12.0', text: text('4.12.0') }
const atOnce = { atOnce: true }
const minute = 60_000

/** A fleet's CR2700, and what applies to it. */
async function newBench(state = newFolder()) {
  const { driver, folder, options } = await startFleet()
  const { serialNumber } = (await driver.list(never)).find(({ deviceType }) => deviceType === 'CR2700')!
  const bench = await createBench(driver, { state })
  const read = () => driver.read(serialNumber, never)
  const events = () =>
    readEvents(folder, serialNumber).map((line) => ('contentHash' in line ? `${line.event} ${line.contentHash.slice(0, 4)}` : line.event))
  return { bench, driver, folder, options, serialNumber, read, events, state }
}
/** Whether it was noted that a reader is not well. */
const hasRecordedTrouble = (state: string, serialNumber: string) =>
  JSON.parse(readFileSync(join(state, 'begun.json'), 'utf8'))[serialNumber]?.trouble !== null

const settled = (bench: Bench, outcomes = 1) => bench.lookUntil(() => bench.outcomes().length === outcomes)
const short = (of: string) => sha256(of).slice(0, 4)

test('[FRM-19] every reader of the model runs the firmware from the update time on, and says so itself before it counts as done', async () => {
  const { bench, driver, folder, serialNumber, read } = await newBench()
  const file = text('5.1.0', 'x'.repeat(200_000))
  await bench.desire({ firmware: [makeFirmware(1, file)] }, file)
  await bench.applier.look(never)
  expect((await read()).firmware).not.toBe('5.1.0')
  await settled(bench)
  expect(new Date(bench.clock.now).toISOString()).toBe('2026-01-11T02:00:00.000Z')
  expect(bench.outcomes()).toEqual([{ serialNumber, outcome: 'applied', reason: null }])
  expect((await read()).firmware).toBe('5.1.0')
  expect((await read()).configuration?.fileName).not.toBe('v1.crvfw')
  const touched = (await driver.list(never)).filter((reader) => readEvents(folder, reader.serialNumber).length > 0)
  expect(touched.map(({ deviceType }) => deviceType)).toEqual(['CR2700'])
  expect(bench.progress.map(({ percent }) => percent)).toEqual([...bench.progress.map(({ percent }) => percent)].sort((a, b) => a - b))
  expect(bench.progress.at(0)?.percent).toBe(0)
  expect(bench.progress.at(-1)?.percent).toBe(100)
})

test('firmware and configuration that are due together: the firmware first, each once', async () => {
  const { bench, read, events } = await newBench()
  const file = text('5.1.0')
  await bench.desire({ firmware: [makeFirmware(1, file, atOnce)], configurations: [makeConfiguration(1, 'one', atOnce)] }, file, 'one')
  await settled(bench, 2)
  expect(await read()).toMatchObject({ firmware: '5.1.0', configuration: { contentHash: sha256('one') } })
  expect(events()).toEqual([`begin ${short(file)}`, `complete ${short(file)}`, `begin ${short('one')}`, `complete ${short('one')}`])
})

test('a reader that a user has put other firmware on gets its own again when that is asked for, once', async () => {
  const { bench, folder, serialNumber, read, events } = await newBench()
  const file = text('5.1.0')
  const firmware = makeFirmware(1, file, atOnce)
  await bench.desire({ firmware: [firmware] }, file)
  await settled(bench)
  await changeReader(folder, serialNumber, 'flash')
  await bench.look()
  expect((await read()).firmware).toBe(old.version)
  const again = { id: '00000000-0000-4000-8000-00000000aaaa', publication: firmware.publication, serialNumber }
  await bench.desire({ firmware: [firmware], reapplications: [again] })
  await settled(bench, 2)
  await bench.look()
  expect((await read()).firmware).toBe('5.1.0')
  expect(events()).toEqual([`begin ${short(file)}`, `complete ${short(file)}`, 'flash', `begin ${short(file)}`, `complete ${short(file)}`])
})

test('a reader that is not well afterwards is returned to the release it ran before, and reported as failed', async () => {
  const { bench, read, events } = await newBench()
  const previous = [{ version: old.version, contentHash: sha256(old.text), size: old.text.length }]
  const unwell = text('5.1.0', unwellMarker)
  expect((await read()).firmware).toBe(old.version)
  await bench.desire({ firmware: [makeFirmware(1, unwell, { previous, ...atOnce })] }, unwell, old.text)
  await settled(bench)
  expect(bench.outcomes()).toMatchObject([
    { outcome: 'failed', reason: 'The reader reports no firmware after the update to 5.1.0. It was returned to firmware 4.12.0.' },
  ])
  expect((await read()).firmware).toBe(old.version)
  expect(events()).toEqual([
    `begin ${short(unwell)}`,
    `complete ${short(unwell)}`,
    `begin ${short(old.text)}`,
    `complete ${short(old.text)}`,
  ])
})

test('a release whose file is of another version is noticed, and the reader returned to what the zone had before, a file of its own too', async () => {
  const { bench, read } = await newBench()
  const own = 'no line that says a version'
  await bench.desire({ firmware: [makeFirmware(1, own, { version: null, ...atOnce })] }, own)
  await settled(bench)
  const ownVersion = (await read()).firmware
  expect(ownVersion).toBe(`own-${sha256(own).slice(0, 8)}`)
  const mislabelled = text('4.9.9')
  await bench.desire({ firmware: [makeFirmware(2, mislabelled, atOnce)] }, mislabelled)
  await settled(bench, 2)
  expect(bench.outcomes().at(-1)).toMatchObject({
    outcome: 'failed',
    reason: 'The reader reports firmware 4.9.9 after the update to 5.2.0. It was returned to firmware v1.crvfw.',
  })
  expect((await read()).firmware).toBe(ownVersion)
})

test('what no reader has run is nothing to return to: the firmware before it is', async () => {
  const { bench, read } = await newBench()
  const own = 'no line that says a version'
  await bench.desire({ firmware: [makeFirmware(1, own, { version: null, ...atOnce })] }, own)
  await settled(bench)
  const ownVersion = (await read()).firmware
  for (const revision of [2, 3]) {
    const unwell = text(`5.${revision}.0`, unwellMarker)
    await bench.desire({ firmware: [makeFirmware(revision, unwell, atOnce)] }, unwell)
    await settled(bench, revision)
    expect((await read()).firmware).toBe(ownVersion)
  }
})

test('where this PC has no copy of what it ran, the outcome says so', async () => {
  const { bench } = await newBench()
  const unwell = text('5.1.0', unwellMarker)
  await bench.desire({ firmware: [makeFirmware(1, unwell, atOnce)] }, unwell)
  await settled(bench)
  expect(bench.outcomes()[0]?.reason).toBe(
    'The reader reports no firmware after the update to 5.1.0. This PC has no copy of firmware 4.12.0 to return it to.',
  )
})

test.for([
  ['after the reader had changed over', 'apply'],
  ['after the reader was found not well', 'read'],
] as const)('an agent that is killed %s does not give it the firmware again', async ([, last]) => {
  const { bench, driver, state, read, events, serialNumber } = await newBench()
  const isUnwell = last === 'read'
  const file = isUnwell ? text('5.1.0', unwellMarker) : 'a file of the own'
  const previous = [{ version: old.version, contentHash: sha256(old.text), size: old.text.length }]
  const firmware = makeFirmware(1, file, { version: isUnwell ? '5.1.0' : null, previous, ...atOnce })
  await bench.desire({ firmware: [firmware] }, file, old.text)
  // The agent's last call to the driver: nothing happens after it.
  const killed = new Promise<never>(() => {})
  let applied = false
  const dying = await createBench(
    {
      ...driver,
      async apply(...parts) {
        if (applied) return killed
        await driver.apply(...parts)
        applied = true
        return isUnwell ? undefined : killed
      },
    },
    { state },
  )
  dying.clock.now += minute
  await dying.applier.look(never)
  await expect.poll(async () => applied && (isUnwell ? hasRecordedTrouble(state, serialNumber) : true)).toBe(true)
  const again = await createBench(driver, { state })
  await settled(again)
  expect(events().filter((event) => event === `complete ${short(file)}`)).toHaveLength(1)
  expect(again.outcomes()[0]?.outcome).toBe(isUnwell ? 'failed' : 'applied')
  expect((await read()).firmware).toBe(isUnwell ? old.version : `own-${short(file)}${sha256(file).slice(4, 8)}`)
})

test.for([
  ['configuration', { configurations: [makeConfiguration(1, 'one', atOnce)] }, 'one'],
  ['firmware', { firmware: [makeFirmware(1, text('5.1.0'), atOnce)] }, text('5.1.0')],
] as const)('a reader whose battery is too low is given no %s, in words', async ([, desired, content]) => {
  const { bench, driver, read, events } = await newBench()
  const { batteryHealth } = await read()
  await bench.desire({ ...makeDesired(desired as object), minBattery: 100 }, content)
  await settled(bench)
  expect(batteryHealth).toBeLessThan(100)
  expect(bench.outcomes()).toMatchObject([{ outcome: 'failed', reason: `Battery at ${batteryHealth}%. Update needs 100%.` }])
  expect(events()).toEqual([])
  expect((await driver.list(never)).filter(({ batteryHealth }) => batteryHealth === null).length).toBeGreaterThan(0)
})

test('a reader in use is left alone until it is put down, and has not failed', async () => {
  const { bench, folder, serialNumber, events } = await newBench()
  await changeReader(folder, serialNumber, 'use')
  await bench.desire({ configurations: [makeConfiguration(1, 'one', atOnce)] }, 'one')
  for (let look = 0; look < 5; look += 1) {
    bench.clock.now += Math.max(await bench.applier.look(never), 1)
    await bench.applier.idle()
  }
  expect([events(), bench.outcomes()]).toEqual([[], []])
  await changeReader(folder, serialNumber, 'put-down')
  await settled(bench)
  expect(bench.outcomes()).toMatchObject([{ outcome: 'applied' }])
})

test('what is halted begins on no reader, and goes on when it is resumed', async () => {
  const { bench, events } = await newBench()
  await bench.desire({ configurations: [makeConfiguration(1, 'one', { ...atOnce, halted: true })] }, 'one')
  bench.clock.now += minute
  await bench.look()
  expect(events()).toEqual([])
  await bench.desire({ configurations: [makeConfiguration(1, 'one', atOnce)] })
  await settled(bench)
  expect(events()).toEqual([`begin ${short('one')}`, `complete ${short('one')}`])
})

test('a firmware for another model is refused by the reader itself', async () => {
  const { bench, serialNumber, read } = await newBench()
  const other = simulatedFirmware('CR1500', '5.1.0')
  await bench.desire({ firmware: [makeFirmware(1, other, atOnce)] }, other)
  await settled(bench)
  expect(bench.outcomes()).toEqual([{ serialNumber, outcome: 'failed', reason: 'The firmware is for CR1500, the reader is a CR2700.' }])
  expect((await read()).firmware).toBe(old.version)
})
