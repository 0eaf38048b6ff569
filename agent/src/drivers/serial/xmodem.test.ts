import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { receiveXmodem } from '../../testing/serial/xmodem-receiver.ts'
import type { Countdown } from '../../wakeup.ts'
import { crc16, encodeBlock, mark, NoAnswer, sendXmodem, type Wire } from './xmodem.ts'

const silence = 1_000

/** What becomes of one write on its way. */
type Fate = 'whole' | 'garbled' | 'lost' | 'doubled'
const damage: Record<Fate, (bytes: Uint8Array) => Uint8Array> = {
  whole: (bytes) => bytes,
  garbled: (bytes) => bytes.map((byte, at) => (at === Math.floor(bytes.length / 2) ? byte ^ 0x41 : byte)),
  lost: () => new Uint8Array(),
  doubled: (bytes) => Buffer.concat([bytes, bytes]),
}

interface End {
  arrived: number[]
  waits: { time: Countdown; end: (byte: number | null) => void } | null
}

/** Both ends of a line. Each write has the next of the fates; all after them arrive. Time passes when every end waits. */
function lineWith(there: readonly Fate[], back: readonly Fate[]): { sender: Wire; receiver: Wire } {
  const ends: [End, End] = [
    { arrived: [], waits: null },
    { arrived: [], waits: null },
  ]
  let isPassing = false
  /** Before the process's next event, each end does what it can do without waiting. */
  function change(): void {
    if (!isPassing) setImmediate(pass)
    isPassing = true
  }
  function hand(end: End, byte: number | null): void {
    end.waits?.end(byte)
    end.waits = null
    change()
  }
  function pass(): void {
    isPassing = false
    const waiting = ends.filter(({ waits }) => waits).sort((a, b) => a.waits!.time.left - b.waits!.time.left)
    if (!waiting[0]) return
    const { left } = waiting[0].waits!.time
    for (const { waits } of waiting) waits!.time.left -= left
    hand(waiting[0], null)
  }
  const wire = (own: End, other: End, fates: Iterator<Fate, undefined>): Wire => ({
    next: (time) => {
      if (own.arrived.length > 0) return Promise.resolve(own.arrived.shift()!)
      if (time.left <= 0) return Promise.resolve(null)
      return new Promise((end) => {
        own.waits = { time, end }
        change()
      })
    },
    clear: () => void own.arrived.splice(0),
    async write(bytes) {
      other.arrived.push(...damage[fates.next().value ?? 'whole'](bytes))
      if (other.waits && other.arrived.length > 0) hand(other, other.arrived.shift()!)
    },
  })
  const [sender, receiver] = ends
  return { sender: wire(sender, receiver, there.values()), receiver: wire(receiver, sender, back.values()) }
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
    { numRuns: 200 },
  )
})

test('a receiver that asks for a block again and again before it comes, as on a busy PC, gets each once', async () => {
  const sent: number[] = []
  const replies: number[] = [mark.crc]
  const wire: Wire = {
    next: async () => replies.shift() ?? null,
    clear: () => void replies.splice(0),
    async write([first, number]) {
      sent.push(number ?? first!)
      replies.push(...Array(12).fill(mark.nak), mark.ack)
    },
  }
  const content = (async function* () {
    yield randomBytes(3000)
  })()
  await sendXmodem(wire, content, { silence: 1000, progress() {} })
  expect(sent).toEqual([1, 2, 3, mark.eot])
})

test('a receiver that never begins, and one that has gone, are noticed', async () => {
  const empty = (async function* () {})()
  const { sender } = lineWith([], [])
  await expect(sendXmodem(sender, empty, { silence, progress() {} })).rejects.toThrow(NoAnswer)
  const { received, sent } = await transfer(randomBytes(3000), Array(40).fill('lost'), [])
  expect([received, sent]).toEqual([null, expect.any(Error)])
})
