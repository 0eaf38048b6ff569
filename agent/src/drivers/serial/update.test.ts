import { describe, expect, test } from 'vitest'
import { type Bench, createBench } from '../../testing/bench.ts'
import { newFolder } from '../../testing/folder.ts'
import { makeConfiguration, makeFirmware, sha256 } from '../../testing/publications.ts'
import { driverOn, pluggedReader, serialNumber } from '../../testing/serial/bench.ts'
import { hasPseudoTerminals } from '../../testing/serial/pseudo-terminal.ts'
import { simulatedFirmware, unwellMarker } from '../simulated/reader.ts'

const never = new AbortController().signal
const atOnce = { atOnce: true }
const old = simulatedFirmware('CR2700', '4.12.0')
const previous = [{ version: '4.12.0', contentHash: sha256(old), size: old.length }]

async function newBench(battery = 80) {
  const state = newFolder()
  const plugged = pluggedReader({ battery })
  const { driver } = driverOn([plugged.socket])
  return { ...plugged, driver, state, bench: await createBench(driver, { state }), read: () => driver.read(serialNumber, never) }
}

const settled = (bench: Bench, outcomes: number) => bench.lookUntil(() => bench.outcomes().length === outcomes)

describe.skipIf(!hasPseudoTerminals)('an agent with a reader on a serial port', () => {
  test('brings it to a configuration, to a script and to a firmware, each read back before it counts', async () => {
    const { bench, read } = await newBench()
    const cfg = '<cfg>\n<beep>3</beep>\n</cfg>'
    await bench.publish([makeConfiguration(1, cfg, { ...atOnce, content: 'cfg', fileName: null }), cfg])
    await settled(bench, 1)
    expect((await read()).configuration).toEqual({ contentHash: sha256(cfg), fileName: null })
    const script = 'x'.repeat(10_000)
    const firmware = simulatedFirmware('CR2700', '5.1.0', 'y'.repeat(40_900))
    const desired = { configurations: [makeConfiguration(2, script, atOnce)], firmware: [makeFirmware(1, firmware, atOnce)] }
    await bench.desire(desired, script, firmware)
    await settled(bench, 3)
    expect(await read()).toMatchObject({ firmware: '5.1.0', configuration: { contentHash: sha256(script), fileName: 'v2.js' } })
    expect(bench.outcomes()).toEqual(Array(3).fill({ serialNumber, outcome: 'applied', reason: null }))
    expect(bench.progress.map(({ percent }) => percent)).toContain(50)
  })

  test('returns it to the firmware it ran before where it does not come up well', async () => {
    const { bench, read } = await newBench()
    const unwell = simulatedFirmware('CR2700', '5.1.0', unwellMarker)
    await bench.desire({ firmware: [makeFirmware(1, unwell, { previous, ...atOnce })] }, unwell, old)
    await settled(bench, 1)
    const reason = 'The reader reports no firmware after the update to 5.1.0. It was returned to firmware 4.12.0.'
    expect(bench.outcomes()).toEqual([{ serialNumber, outcome: 'failed', reason }])
    expect((await read()).firmware).toBe('4.12.0')
  })

  test('gives it what it was cut off from when it is back, from another agent too', async () => {
    const { bench, driver, reader, socket, state, read } = await newBench()
    const script = 'x'.repeat(30_000)
    const had = (await read()).configuration
    await bench.publish([makeConfiguration(1, script, atOnce), script])
    const cut = Promise.withResolvers<void>()
    reader.faults.arrived = (bytes) => {
      if (bytes > 10_000) cut.resolve(driver.close())
      return true
    }
    bench.clock.now += 60_000
    await bench.applier.look(never)
    await cut.promise
    await bench.applier.idle()
    expect(bench.outcomes()).toEqual([])
    reader.faults.arrived = () => true
    await bench.journal.close()
    const next = driverOn([socket]).driver
    expect((await next.read(serialNumber, never)).configuration).toEqual(had)
    const again = await createBench(next, { state })
    await again.publish([makeConfiguration(1, script, atOnce), script])
    await settled(again, 1)
    expect((await next.read(serialNumber, never)).configuration?.contentHash).toBe(sha256(script))
  })

  test('says why it failed when the reader refuses, in the words of the reader', async () => {
    const { bench, reader } = await newBench()
    reader.faults.refusal = 'The reader does not leave its locked mode.'
    await bench.publish([makeConfiguration(1, 'x', atOnce), 'x'])
    await settled(bench, 1)
    expect(bench.outcomes()).toEqual([{ serialNumber, outcome: 'failed', reason: 'The reader does not leave its locked mode.' }])
  })
})
