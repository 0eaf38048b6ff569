import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { receiveXmodem } from '../../testing/serial/xmodem-receiver.ts'
import { ByteQueue } from './byte-queue.ts'
import { crc16, encodeBlock, NoAnswer, sendXmodem, type Wire } from './xmodem.ts'

const never = new AbortController().signal
const silence = 40

/** What becomes of one write on its way. */
type Fate = 'whole' | 'garbled' | 'lost' | 'doubled'
const damage: Record<Fate, (bytes: Uint8Array) => Uint8Array> = {
  whole: (bytes) => bytes,
  garbled: (bytes) => bytes.map((byte, at) => (at === Math.floor(bytes.length / 2) ? byte ^ 0x41 : byte)),
  lost: () => new Uint8Array(),
  doubled: (bytes) => Buffer.concat([bytes, bytes]),
}

/** Both ends of a line on which each write meets the next of the fates; all that come after them arrive. */
function lineWith(there: readonly Fate[], back: readonly Fate[]): { sender: Wire; receiver: Wire } {
  const queues = { there: new ByteQueue(), back: new ByteQueue() }
  const end = (from: ByteQueue, to: ByteQueue, fates: Iterator<Fate, undefined>): Wire => ({
    next: (milliseconds) => from.next(milliseconds, never),
    clear: () => from.clear(),
    async write(bytes) {
      for (const byte of damage[fates.next().value ?? 'whole'](bytes)) to.push(byte)
    },
  })
  return { sender: end(queues.back, queues.there, there.values()), receiver: end(queues.there, queues.back, back.values()) }
}

async function transfer(content: Uint8Array, there: readonly Fate[], back: readonly Fate[]) {
  const { sender, receiver } = lineWith(there, back)
  const reported: number[] = []
  const chunks = (async function* () {
    for (let from = 0; from < content.length; from += 777) yield content.subarray(from, from + 777)
  })()
  const receiving = receiveXmodem(receiver, silence)
  const sent = await sendXmodem(sender, chunks, { silence: 2 * silence, progress: (bytes) => reported.push(bytes) }).catch(
    (error: unknown) => error,
  )
  // A sender that gives up says so.
  if (sent !== undefined) await sender.write(new Uint8Array(8).fill(0x18))
  const received = await receiving
  return { sent, reported, received: received && Buffer.from(received.subarray(0, content.length)) }
}

test('CRC-16 and block are those of the protocol', () => {
  expect(crc16(Buffer.from('123456789'))).toBe(0x31c3)
  expect([...encodeBlock(257, Buffer.from('ab')).subarray(0, 6)]).toEqual([1, 1, 254, 97, 98, 0x1a])
  expect(encodeBlock(1, new Uint8Array(129))).toHaveLength(3 + 1024 + 2)
})

test('a file of any size arrives byte for byte, over more than 255 blocks too', async () => {
  for (const size of [0, 1, 128, 129, 1024, 1025, 300 * 1024 + 5]) {
    const content = randomBytes(size)
    const { sent, received, reported } = await transfer(content, [], [])
    expect(sent).toBeUndefined()
    expect(received?.equals(content)).toBe(true)
    expect(reported.at(-1) ?? 0).toBe(size)
  }
})

test.for(['garbled', 'lost', 'doubled'] as const)('a block that is %s, and an answer that is, cost nothing', async (fate) => {
  const content = randomBytes(5000)
  const fates = ['whole', fate, 'whole', fate] as const
  for (const [there, back] of [
    [fates, []],
    [[], fates],
  ] as const) {
    const { sent, received } = await transfer(content, there, back)
    expect(sent).toBeUndefined()
    expect(received?.equals(content)).toBe(true)
  }
})

test('the second answer to a block that was sent again is not taken for that to the next block, which is damaged', async () => {
  const content = randomBytes(5000)
  const { sent, received } = await transfer(content, ['lost', 'doubled', 'garbled'], [])
  expect(sent).toBeUndefined()
  expect(received?.equals(content)).toBe(true)
})

test('whatever happens to blocks and answers, the receiver has the file from its first byte on, whole or cut short, and nothing else', async () => {
  const fates = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Fate>('whole') },
      { weight: 1, arbitrary: fc.constantFrom<Fate>('garbled', 'lost', 'doubled') },
    ),
    { maxLength: 14 },
  )
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 2000, maxLength: 7000 }), fates, fates, async (content, there, back) => {
      const { received, reported } = await transfer(content, there, back)
      expect(reported).toEqual(reported.toSorted((a, b) => a - b))
      expect(received?.equals(content.subarray(0, received.length)) ?? true).toBe(true)
    }),
    { numRuns: 40, interruptAfterTimeLimit: 5_000 },
  )
})

test('a receiver that never begins, and one that has gone, are noticed', async () => {
  const empty = (async function* () {})()
  const { sender } = lineWith([], [])
  await expect(sendXmodem(sender, empty, { silence: 5, progress() {} })).rejects.toThrow(NoAnswer)
  const { received, sent } = await transfer(randomBytes(3000), Array(40).fill('lost'), [])
  expect([received, sent]).toEqual([null, expect.any(Error)])
})
