/** XMODEM-1K with CRC-16, the sending side: numbered blocks, each acknowledged before the next, each sent again where it was damaged or lost. */

export const mark = { soh: 0x01, stx: 0x02, eot: 0x04, ack: 0x06, nak: 0x15, can: 0x18, padding: 0x1a, crc: 0x43 } as const

/** What ends a transfer from either side, also one that a former sender has left half-way. */
export const breakOff: Uint8Array = new Uint8Array(8).fill(mark.can)

const long = 1024
const short = 128
/** How often a block is sent at most. */
const mostTries = 10
/** How often the end is told; the receiver has everything, so its answer is not needed. */
const endTries = 3
/** Milliseconds without an answer after which none is on its way any more. */
const longestQuiet = 100

/** CRC-16/XMODEM. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1
  }
  return crc
}

/** A block with up to 1024 bytes, as it goes over the line. */
export function blockOf(number: number, bytes: Uint8Array): Uint8Array {
  const size = bytes.length > short ? long : short
  const block = new Uint8Array(3 + size + 2).fill(mark.padding)
  block.set([size === long ? mark.stx : mark.soh, number & 0xff, ~number & 0xff])
  block.set(bytes, 3)
  const crc = crc16(block.subarray(3, 3 + size))
  block.set([crc >> 8, crc & 0xff], 3 + size)
  return block
}

/** What a transfer goes over. */
export interface Wire {
  write(bytes: Uint8Array): Promise<void>
  /** The next byte; null when none comes within `milliseconds`. Throws when the line is gone. */
  next(milliseconds: number): Promise<number | null>
  /** Forgets what came and was not taken. */
  clear(): void
}

/** The receiver has broken the transfer off. */
export class BrokenOff extends Error {}

/** The receiver does not answer, or never with anything but that a block was damaged. */
export class NoAnswer extends Error {}

type Reply = typeof mark.ack | typeof mark.nak | null

/** The receiver's next word within `milliseconds`. Anything else that comes over the line is no word. */
async function replyOn(wire: Wire, milliseconds: number): Promise<Reply> {
  let before: number | null = null
  for (const end = Date.now() + milliseconds; Date.now() <= end; ) {
    const byte = await wire.next(end - Date.now())
    if (byte === null) return null
    if (byte === mark.ack || byte === mark.nak) return byte
    if (byte === mark.can && before === mark.can) throw new BrokenOff('The transfer was broken off.')
    before = byte
  }
  return null
}

async function* blocksOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0)
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk])
    for (; rest.length >= long; rest = rest.subarray(long)) yield rest.subarray(0, long)
  }
  if (rest.length > 0) yield rest
}

/**
 * Sends bytes to a receiver that was told to expect them and how many they are. Resolved means that every block was acknowledged. Throws
 * `BrokenOff`, `NoAnswer`, and what `wire` throws.
 * @param silence milliseconds without an answer after which a block is sent again.
 * @param progress told the bytes that were acknowledged.
 */
export async function sendXmodem(
  wire: Wire,
  bytes: AsyncIterable<Uint8Array>,
  { silence, progress }: { silence: number; progress: (bytes: number) => void },
): Promise<void> {
  await waitForReceiver(wire, silence)
  let acknowledged = 0
  let number = 1
  for await (const content of blocksOf(bytes)) {
    const block = blockOf(number, content)
    if (!(await isAcknowledged(wire, block, silence, mostTries))) throw new NoAnswer(`Block ${number} was not acknowledged.`)
    acknowledged += content.length
    number += 1
    progress(acknowledged)
  }
  await quiet(wire, silence)
  await isAcknowledged(wire, Uint8Array.of(mark.eot), silence, endTries)
}

/** Ends when nothing comes any more: answers have no numbers, and one to a block that was sent twice is not to be taken for that to the next. */
async function quiet(wire: Wire, silence: number): Promise<void> {
  while ((await replyOn(wire, Math.min(silence / 4, longestQuiet))) !== null);
}

async function waitForReceiver(wire: Wire, silence: number): Promise<void> {
  for (const end = Date.now() + silence * endTries; Date.now() <= end; ) {
    if ((await wire.next(end - Date.now())) === mark.crc) return
  }
  throw new NoAnswer('The receiver does not begin.')
}

async function isAcknowledged(wire: Wire, block: Uint8Array, silence: number, tries: number): Promise<boolean> {
  for (let count = 0; count < tries; count += 1) {
    // An answer to a block before this one must not be taken for an answer to this one.
    wire.clear()
    await wire.write(block)
    if ((await replyOn(wire, silence)) !== mark.ack) continue
    if (count > 0) await quiet(wire, silence)
    return true
  }
  return false
}
