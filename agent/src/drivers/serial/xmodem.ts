import type { Countdown } from '../../wakeup.ts'

// XMODEM-1K with CRC-16, the sending side.

export const mark = { soh: 0x01, stx: 0x02, eot: 0x04, ack: 0x06, nak: 0x15, can: 0x18, padding: 0x1a, crc: 0x43 } as const

/** Ends a transfer, also one that a killed sender left open. */
export const breakOff: Uint8Array = new Uint8Array(8).fill(mark.can)

const long = 1024
const short = 128
const mostTries = 10
/** The receiver has every block by then, so no answer is needed. */
const endTries = 3
/** Milliseconds of silence after which no reply is on its way. */
const longestQuiet = 100
const mostReplies = 100

export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1
  }
  return crc
}

export function encodeBlock(number: number, bytes: Uint8Array): Uint8Array {
  const size = bytes.length > short ? long : short
  const block = new Uint8Array(3 + size + 2).fill(mark.padding)
  block.set([size === long ? mark.stx : mark.soh, number & 0xff, ~number & 0xff])
  block.set(bytes, 3)
  const crc = crc16(block.subarray(3, 3 + size))
  block.set([crc >> 8, crc & 0xff], 3 + size)
  return block
}

export interface Wire {
  write(bytes: Uint8Array): Promise<void>
  /** Null where none comes in time. Throws when the line is gone. */
  next(time: Countdown): Promise<number | null>
  clear(): void
}

export class BrokenOff extends Error {}

export class NoAnswer extends Error {}

type Reply = typeof mark.ack | typeof mark.nak | null

/** Skips other bytes. Null where none comes in time. */
async function readReply(wire: Wire, milliseconds: number): Promise<Reply> {
  let before: number | null = null
  for (const time = { left: milliseconds }; ; ) {
    const byte = await wire.next(time)
    if (byte === null || byte === mark.ack || byte === mark.nak) return byte
    if (byte === mark.can && before === mark.can) throw new BrokenOff('The transfer was broken off.')
    before = byte
  }
}

async function* toBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0)
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk])
    for (; rest.length >= long; rest = rest.subarray(long)) yield rest.subarray(0, long)
  }
  if (rest.length > 0) yield rest
}

/**
 * The receiver must know the size. Throws `BrokenOff`, `NoAnswer`, and what `wire` throws.
 * @param silence milliseconds after which a block is sent again
 * @param progress called with the number of acknowledged bytes
 */
export async function sendXmodem(
  wire: Wire,
  bytes: AsyncIterable<Uint8Array>,
  { silence, progress }: { silence: number; progress: (bytes: number) => void },
): Promise<void> {
  await waitForReceiver(wire, silence)
  let acknowledged = 0
  let number = 1
  for await (const content of toBlocks(bytes)) {
    const block = encodeBlock(number, content)
    if (!(await isAcknowledged(wire, block, silence, mostTries))) throw new NoAnswer(`Block ${number} was not acknowledged.`)
    acknowledged += content.length
    number += 1
    progress(acknowledged)
  }
  await readRest(wire, silence)
  await isAcknowledged(wire, Uint8Array.of(mark.eot), silence, endTries)
}

/** Replies have no numbers, so the reply to a repeated block must not count for the next. */
async function readRest(wire: Wire, silence: number): Promise<Reply[]> {
  const replies: Reply[] = []
  while (replies.length < mostReplies) {
    const reply = await readReply(wire, Math.min(silence / 4, longestQuiet))
    if (reply === null) break
    replies.push(reply)
  }
  return replies
}

async function waitForReceiver(wire: Wire, silence: number): Promise<void> {
  for (const time = { left: silence * endTries }; ; ) {
    const byte = await wire.next(time)
    if (byte === mark.crc) return
    if (byte === null) throw new NoAnswer('The receiver does not begin.')
  }
}

async function isAcknowledged(wire: Wire, block: Uint8Array, silence: number, tries: number): Promise<boolean> {
  for (let count = 0; count < tries; count += 1) {
    // Late replies do not count.
    wire.clear()
    await wire.write(block)
    const reply = await readReply(wire, silence)
    if (reply === mark.ack && count === 0) return true
    if (reply === null) continue
    // A receiver that waits for a block from a busy PC may have asked for it several times.
    if ([reply, ...(await readRest(wire, silence))].includes(mark.ack)) return true
  }
  return false
}
