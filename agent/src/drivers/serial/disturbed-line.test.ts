import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { driverOn, pluggedReader, serialNumber } from '../../testing/serial/bench.ts'
import { makeCfg, makeScript } from '../../testing/serial/contents.ts'
import { hasPseudoTerminals } from '../../testing/serial/pseudo-terminal.ts'
import type { Timing } from './dialect.ts'

const never = new AbortController().signal
const { contentHash } = makeCfg('<cfg><beep>20</beep></cfg>')
const factory = { contentHash, fileName: null }
const large = 'rules_onDecode = (decode) => decode\n'.repeat(1000)

const newBench = (timing: Partial<Timing> = {}) => {
  const plugged = pluggedReader()
  return { ...plugged, ...driverOn([plugged.socket], timing) }
}

/** Each piece on the line has the next of the fates; all after them arrive. */
function meeting(fates: readonly string[]) {
  let at = 0
  return (bytes: Uint8Array): Uint8Array => {
    const fate = fates[at++]
    if (fate === 'lost') return new Uint8Array()
    if (fate === 'doubled') return Buffer.concat([bytes, bytes])
    return fate === 'garbled' ? bytes.map((byte, index) => (index === bytes.length >> 1 ? byte ^ 0x41 : byte)) : bytes
  }
}

describe.skipIf(!hasPseudoTerminals)('a reader on a serial port that is disturbed', () => {
  test('gets a file whole over a line that damages a byte now and then', async () => {
    const { driver, reader } = newBench({ askAgain: 200, block: 1_000 })
    let count = 0
    const damage = (bytes: Uint8Array) => bytes.map((byte) => (++count % 1900 === 0 ? byte ^ 0x10 : byte))
    reader.faults.toReader = damage
    reader.faults.fromReader = damage
    const content = makeScript(large.slice(0, 10_000))
    await driver.apply(serialNumber, content, never)
    expect((await driver.read(serialNumber, never)).configuration).toEqual({
      contentHash: content.contentHash,
      fileName: content.fileName,
    })
    expect(count).toBeGreaterThan(10_000)
  })

  test('whatever happens on the line, it runs what it was given where the driver says so, and else what it had', {
    timeout: 120_000,
  }, async () => {
    const { driver, reader } = newBench({ askAgain: 200, block: 500 })
    const fate = fc.oneof(
      { weight: 5, arbitrary: fc.constant('whole') },
      { weight: 1, arbitrary: fc.constantFrom('garbled', 'lost', 'doubled') },
    )
    const fates = fc.array(fate, { maxLength: 20 })
    let round = 0
    await fc.assert(
      fc.asyncProperty(fates, fates, async (there, back) => {
        const before = (await driver.read(serialNumber, never)).configuration
        const content = makeScript(`${++round}${large.slice(0, 6000)}`)
        reader.faults.toReader = meeting(there)
        reader.faults.fromReader = meeting(back)
        const isSaid = await driver.apply(serialNumber, content, never).then(
          () => true,
          () => false,
        )
        reader.faults.toReader = (bytes) => bytes
        reader.faults.fromReader = (bytes) => bytes
        await reader.restart()
        const after = (await driver.read(serialNumber, never)).configuration
        const given = { contentHash: content.contentHash, fileName: content.fileName }
        expect(isSaid ? [given] : [given, before]).toContainEqual(after)
      }),
      { numRuns: 5 },
    )
  })

  test('a scan is no answer, nor is the answer to another question', async () => {
    const { driver, reader } = newBench()
    let previous: Uint8Array = new Uint8Array()
    reader.faults.fromReader = (bytes) => {
      const all = Buffer.concat([Buffer.from('\x1d0104012345678901\r\x01Y\x1d\x02half'), previous, bytes, Buffer.from('="CR1500"\r')])
      previous = bytes
      return bytes.length > 1 ? all : bytes
    }
    const [seen] = await driver.list(never)
    expect(seen).toMatchObject({ serialNumber, deviceType: 'CR2700', configuration: factory })
    await driver.apply(serialNumber, makeScript('x'), never)
    expect((await driver.read(serialNumber, never)).configuration?.contentHash).toBe(makeScript('x').contentHash)
  })
})
