import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PacketReader } from '../../testing/serial/packet-reader.ts'
import { encodePacket, type Packet, PacketParser, parseInformation } from './packets.ts'

const parseAll = (bytes: Uint8Array): (Packet | 'damaged')[] => {
  const parser = new PacketParser()
  return [...bytes].flatMap((byte) => parser.take(byte) ?? [])
}
const answerTo = (packet: Uint8Array, reader: PacketReader): Buffer => Buffer.concat([...packet].flatMap((byte) => reader.receive(byte)))
const modes = fc.record({ isRaw: fc.boolean(), countsAll: fc.boolean(), leavesOutStart: fc.boolean() })
const newReader = (mode: Partial<PacketReader>) => Object.assign(new PacketReader('1234567890'), mode)
/** What comes between packets: anything but a beginning. */
const noise = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.map((byte) => (byte === 1 ? 2 : byte)))

test('[SER-01] a packet of the host is the published example', () => {
  const expected = 'ee ee ee ee 23 01 03 00 4e 71'
  expect(Buffer.from(encodePacket('#', Uint8Array.of(3))).toString('hex')).toBe(expected.replaceAll(' ', ''))
})

test('[SER-01] a reader finds every packet of the host whole, and none of more than 240 bytes is made', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 240 }), { maxLength: 6 }), (blocks) => {
      const reader = newReader({})
      const packets = [encodePacket('1'), ...blocks.map((block) => encodePacket('2', block)), encodePacket('5', Buffer.from('a.js\0'))]
      for (const packet of packets) answerTo(packet, reader)
      expect(reader.files.get('a.js')).toEqual(Buffer.concat(blocks))
    }),
  )
  expect(() => encodePacket('2', new Uint8Array(241))).toThrow('at most 240 bytes')
})

test('[SER-01] every answer is found between whatever else comes, in packet mode and in raw mode, by each reading of the sources', () => {
  fc.assert(
    fc.property(modes, fc.array(noise, { minLength: 1, maxLength: 5 }), (mode, noises) => {
      const reader = newReader(mode)
      const stream = noises.flatMap((bytes) => [
        Buffer.from(bytes),
        answerTo(encodePacket('I'), reader),
        answerTo(encodePacket('Z'), reader),
      ])
      const found = parseAll(Buffer.concat(stream))
      expect(found.map((packet) => packet !== 'damaged' && packet.type)).toEqual(noises.flatMap(() => ['i', 'e']))
      for (const packet of found) if (packet !== 'damaged') expect(packet.number === null).toBe(mode.isRaw)
    }),
  )
})

test('[SER-01] an answer with a damaged byte says nothing else than the whole one', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.nat(), fc.integer({ min: 1, max: 255 }), (countsAll, at, change) => {
      const whole = answerTo(encodePacket('I'), newReader({ countsAll }))
      const damaged = whole.map((byte, index) => (index === at % whole.length ? byte ^ change : byte))
      for (const packet of parseAll(damaged)) if (packet !== 'damaged' && packet.number !== null) expect(packet).toEqual(parseAll(whole)[0])
    }),
    { numRuns: 1000 },
  )
})

test.for([
  ['i46340012....1234567890A000000001000701020304', { firmware: '4634', serialNumber: '1234567890', hardware: '0007' }],
  // Its bootloader runs, and it leaves the rest out (V002450 p. 9).
  ['463400123100ABCDEFGHIJB', { firmware: '4634', serialNumber: 'ABCDEFGHIJ', hardware: null }],
  ['i4634', null],
  ['\x00'.repeat(60), null],
] as const)('[SER-03] information %j', ([text, expected]) => {
  expect(parseInformation(Buffer.from(text, 'latin1'))).toEqual(expected)
})
