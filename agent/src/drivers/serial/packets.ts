import { crc16 } from './crc16.ts'

// The packets of the older generation (D014465 p. 9-15, C005383_10 p. 22).

const hostPrefix = [0xee, 0xee, 0xee, 0xee]
const reserved = 0x00
export const mostData = 240
/** Bytes of a packet of the reader, with what encloses its data. */
const mostPacket = 16_384

const soh = 0x01
const eot = 0x04
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const packetStart = latin1('\x01XR1')
const responseStart = latin1('\x01X\x1eap/')
/** Bytes before the data: the start, the reader's id (4), the number (1), the time (4) and the size (2). */
const head = packetStart.length + 4 + 1 + 4 + 2
const numberAt = packetStart.length + 4

/** Each byte of the CRC has 7 bits. Throws on more than 240 bytes. */
export function encodePacket(type: string, data: Uint8Array = new Uint8Array()): Uint8Array {
  if (data.length > mostData) throw new Error(`A packet has at most ${mostData} bytes.`)
  const body = Uint8Array.from([type.charCodeAt(0), data.length, ...data, reserved])
  const crc = crc16(body) & 0x7f7f
  return Uint8Array.from([...hostPrefix, ...body, crc >> 8, crc & 0xff])
}

/** `number`: null in raw mode, in which no packet is acknowledged. */
export interface Packet {
  type: string
  data: Uint8Array
  number: number | null
}

interface Found {
  packet: Packet | 'damaged'
  length: number
}

/** `more`: what came may be the beginning of a packet; null: it is none. */
type Parsed = Found | 'more' | null

/** Finds the packets among all bytes of a reader. */
export class PacketParser {
  readonly #bytes = new Uint8Array(mostPacket + head + 16)
  #length = 0

  /** Returns the packet that `byte` completes. */
  take(byte: number): Packet | 'damaged' | null {
    this.#bytes[this.#length++] = byte
    while (this.#length > 0) {
      const parsed = parsePacket(this.#bytes.subarray(0, this.#length))
      if (parsed === 'more') return null
      const used = parsed?.length ?? 1
      this.#bytes.copyWithin(0, used, this.#length)
      this.#length -= used
      if (parsed) return parsed.packet
    }
    return null
  }
}

const beginsLike = (bytes: Uint8Array, start: Uint8Array): boolean =>
  start.subarray(0, bytes.length).every((expected, index) => bytes[index] === expected)

function parsePacket(bytes: Uint8Array): Parsed {
  if (beginsLike(bytes, packetStart)) return bytes.length < head ? 'more' : parseWhole(bytes)
  if (beginsLike(bytes, responseStart)) return parseRaw(bytes)
  return null
}

function parseRaw(bytes: Uint8Array): Parsed {
  const end = bytes.indexOf(eot, responseStart.length + 1)
  if (end >= 0) return { packet: readResponse(bytes.subarray(0, end + 1), null), length: end + 1 }
  return bytes.length < mostPacket ? 'more' : null
}

function parseWhole(bytes: Uint8Array): Parsed {
  const number = bytes[numberAt]!
  const size = (bytes[head - 2]! << 8) | bytes[head - 1]!
  if (size > mostPacket) return null
  const body = bytes.subarray(head)
  // Numbers from 80 on are those of responses, which the sources do not say to be counted with or without what encloses their data.
  const isResponse = number >= 0x80
  if (isResponse && !beginsLike(body, responseStart)) return { packet: 'damaged', length: bytes.length }
  const isCounted = size > responseStart.length && (body.length < size || body[size - 1] === eot)
  const length = head + size + (isResponse && !isCounted ? responseStart.length + 2 : 0)
  if (bytes.length < length + 2) return 'more'
  const crc = (bytes[length]! << 8) | bytes[length + 1]!
  const isWhole = isCrc(bytes.subarray(0, length), crc)
  const content = bytes.subarray(head, length)
  const packet = isResponse ? readResponse(content, number) : { type: 'z', data: content.slice(), number }
  return { packet: isWhole ? packet : 'damaged', length: length + 2 }
}

/** D014465 counts the whole packet on p. 10, and all but its start on p. 101. */
const isCrc = (bytes: Uint8Array, crc: number): boolean => [bytes, bytes.subarray(packetStart.length)].some((part) => crc16(part) === crc)

function readResponse(bytes: Uint8Array, number: number | null): Packet | 'damaged' {
  if (bytes[0] !== soh || bytes.at(-1) !== eot) return 'damaged'
  return { type: String.fromCharCode(bytes[responseStart.length]!), data: bytes.slice(responseStart.length + 1, -1), number }
}

/** What a reader says of itself. `hardware`: 4 digits; null where it leaves them out. */
export interface Information {
  firmware: string
  serialNumber: string
  hardware: string | null
}

// VVVVWWWWXXXXSSSSSSSSSSAOODYYYYHHIIII (D014465 p. 11). Older readers leave out what comes after the first A (V002450 p. 9).
const information = /^i?([!-~]{4})[ -~]{8}([!-~]{10})(?:[ -~]{10}([0-9A-Fa-f]{4}))?/

/** Null where it is none. */
export function parseInformation(data: Uint8Array): Information | null {
  const [, firmware, serialNumber, hardware] = information.exec(Buffer.from(data).toString('latin1')) ?? []
  return firmware === undefined || serialNumber === undefined ? null : { firmware, serialNumber, hardware: hardware ?? null }
}
