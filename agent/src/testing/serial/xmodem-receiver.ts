import { breakOff, crc16, mark, type Wire } from '../../drivers/serial/xmodem.ts'

const mostTries = 40
const sizes = new Map<number, number>([
  [mark.soh, 128],
  [mark.stx, 1024],
])

/**
 * The receiving side of XMODEM-1K with CRC-16. Returns all bytes with the padding of the last block; null where it was broken off.
 * @param silence milliseconds after which it asks again
 * @param arrived called with the bytes so far; false breaks the transfer off
 */
export async function receiveXmodem(
  wire: Wire,
  silence: number,
  arrived: (bytes: number) => boolean | Promise<boolean> = () => true,
): Promise<Buffer | null> {
  const blocks: Uint8Array[] = []
  let bytes = 0
  let isEnding = false
  const say = (byte: number) => wire.write(Uint8Array.of(byte))
  const stop = async () => {
    await wire.write(breakOff)
    return null
  }
  await say(mark.crc)
  for (let tries = 0; tries < mostTries; tries += 1) {
    const first = await wire.next({ left: silence })
    if (first === mark.can && (await wire.next({ left: silence })) === mark.can) return null
    if (first === mark.eot && isEnding) {
      await say(mark.ack)
      return Buffer.concat(blocks)
    }
    // The end has no checksum, so it counts only when it comes twice.
    isEnding = first === mark.eot
    const block = await restOfBlock(wire, sizes.get(first ?? -1), silence)
    if (!block) {
      if (first !== null && !isEnding) await quiet(wire, silence)
      await say(first === null && blocks.length === 0 ? mark.crc : mark.nak)
      continue
    }
    const expected = (blocks.length + 1) & 0xff
    if (block.number === expected) {
      blocks.push(block.content)
      bytes += block.content.length
      tries = -1
      if (!(await arrived(bytes))) return stop()
    } else if (block.number !== (blocks.length & 0xff)) return stop()
    await say(mark.ack)
  }
  return stop()
}

async function restOfBlock(wire: Wire, size: number | undefined, silence: number): Promise<{ number: number; content: Uint8Array } | null> {
  if (size === undefined) return null
  const rest = new Uint8Array(2 + size + 2)
  for (let at = 0; at < rest.length; at += 1) {
    const byte = await wire.next({ left: silence })
    if (byte === null) return null
    rest[at] = byte
  }
  const content = rest.subarray(2, 2 + size)
  const isWhole = rest[0] === (~rest[1]! & 0xff) && crc16(content) === ((rest[2 + size]! << 8) | rest[3 + size]!)
  return isWhole ? { number: rest[0]!, content } : null
}

/** The rest of a damaged block must not pass for another block's beginning. */
async function quiet(wire: Wire, silence: number): Promise<void> {
  while ((await wire.next({ left: Math.min(silence, 40) })) !== null);
}
