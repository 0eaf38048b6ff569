import { describe, expect, test } from 'vitest'
import { makeContent } from '../../testing/serial/bench.ts'
import { PacketReader } from '../../testing/serial/packet-reader.ts'
import { newWire } from '../../testing/serial/wire.ts'
import { ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import { PacketDialect } from './packet-dialect.ts'
import { usualTiming } from './timing.ts'

const text = 'rules_onDecode = (decode) => decode\n'.repeat(100)

/** `isLost`: of answers, in order. */
function newLine(isLost: (number: number) => boolean = () => false) {
  const reader = new PacketReader('1234567890')
  let answers = 0
  const respond = (bytes: Uint8Array) =>
    [...bytes].flatMap((byte) => [...reader.receive(byte)].filter(() => !isLost(answers++)).flatMap((answer) => [...answer]))
  return { reader, ...newWire(respond) }
}

const apply = async ({ wire }: ReturnType<typeof newLine>, more = {}) => {
  const sent: number[] = []
  await new PacketDialect(usualTiming).apply(wire, makeContent(text, more), (bytes) => sent.push(bytes))
  return sent
}

describe('[SER-04] a file for a reader of the older generation', () => {
  test('arrives in blocks of 236 bytes and shows its progress', async () => {
    const line = newLine()
    const sent = await apply(line)
    expect(line.reader.files.get('wristband-v8.js')?.toString('latin1')).toBe(text)
    expect(sent).toEqual([...Array.from({ length: 15 }, (_, index) => 236 * (index + 1)), 3600])
    expect(line.reader.types.filter((type) => type !== 'Y')).toEqual(['1', ...Array(16).fill('2'), '5'])
    expect(line.waits).toEqual([])
  })

  test.for([
    ['its beginning', 0],
    ['its end', 1],
  ] as const)('costs a second where the acknowledgement of %s is lost', async ([, lost]) => {
    const line = newLine((number) => number === lost)
    const sent = await apply(line)
    expect(line.reader.files.get('wristband-v8.js')?.toString('latin1')).toBe(text)
    // The silence behind what was sent again is no wait for an acknowledgement.
    expect(line.waits.filter((wait) => wait !== usualTiming.quiet)).toEqual([1_000])
    expect(sent).toEqual(sent.toSorted((a, b) => a - b))
  })

  test('is given up after three resends of each packet, and of the whole', async () => {
    const line = newLine(() => true)
    await expect(apply(line)).rejects.toThrow(new ReaderUnreachable('The reader does not acknowledge the file.'))
    expect(line.reader.types).toEqual(Array(16).fill('1'))
    expect(line.waits).toEqual(Array(16).fill(1_000))
  })

  test('is refused in the words of the reader, and by the rule of its names', async () => {
    const line = newLine()
    line.reader.refusal = 'No space\x1b[2J'
    await expect(apply(line)).rejects.toThrow(new ReaderRefusal('The reader does not store the file: No space[2J'))
    const rule = 'The name of a file on this reader has 1 to 200 letters, digits, periods, hyphens and underscores.'
    await expect(apply(newLine(), { fileName: 'Bänder.js' })).rejects.toThrow(new ReaderRefusal(rule))
  })

  test('[SER-01] a damaged answer is asked for again with R, and the repeated one is acknowledged', async () => {
    const line = newLine()
    let isDamaged = false
    const { next } = line.wire
    line.wire.next = async (time) => {
      const byte = await next(time)
      if (byte !== 0x64 || isDamaged) return byte
      isDamaged = true
      return 0x65
    }
    await apply(line)
    expect(line.reader.files.get('wristband-v8.js')?.toString('latin1')).toBe(text)
    expect(line.reader.types.slice(0, 3)).toEqual(['1', 'R', 'Y'])
    expect(line.reader.acknowledged).toEqual([0x80, 0x81])
    expect(line.waits).toEqual([])
  })
})
