import type { Talker } from './reader.ts'

/** The remainder of the polynomial 1021, a bit at a time. */
function remainder(bytes: readonly number[]): number {
  let register = 0
  for (const byte of bytes)
    for (let bit = 7; bit >= 0; bit -= 1) {
      const carry = (register >> 15) ^ ((byte >> bit) & 1)
      register = ((register << 1) & 0xffff) ^ (carry ? 0x1021 : 0)
    }
  return register
}

const text = (words: string): number[] => [...Buffer.from(words, 'latin1')]
const bigEndian = (value: number, size: number): number[] =>
  Array.from({ length: size }, (_, index) => (value >>> (8 * (size - 1 - index))) & 0xff)

/** A reader of the older generation (D014465, C005066), in packet mode or in raw mode. */
export class PacketReader implements Talker {
  readonly #serialNumber: string
  #received: number[] = []
  #number = 0x80
  #file: number[] | null = null
  #last: number[] | null = null
  /** The types of the packets that it was sent, in order. */
  readonly types: string[] = []
  readonly acknowledged: number[] = []
  readonly files = new Map<string, Buffer>()
  isRaw = false
  /** Whether the size of a packet counts what encloses the data of an answer. */
  countsAll = true
  /** Whether the CRC leaves out the packet's start. */
  leavesOutStart = false
  hardware = '0007'
  /** Refuses files with these words; null: takes them. */
  refusal: string | null = null

  constructor(serialNumber: string) {
    this.#serialNumber = serialNumber
  }

  start(): void {
    this.#received = []
    this.#file = null
  }

  receive(byte: number): Uint8Array[] {
    this.#received.push(byte)
    while (this.#received.length > 0 && this.#received.slice(0, 4).some((one) => one !== 0xee)) this.#received.shift()
    const size = this.#received[5]
    if (size === undefined || this.#received.length < size + 9) return []
    const packet = this.#received.splice(0, size + 9)
    const crc = remainder(packet.slice(4, -2))
    const isWhole = packet.at(-2) === ((crc >> 8) & 0x7f) && packet.at(-1) === (crc & 0x7f) && packet.at(-3) === 0
    const answer = isWhole ? this.#carryOut(String.fromCharCode(packet[4]!), packet.slice(6, 6 + size)) : this.#answer('e')
    return answer ? [Uint8Array.from(answer)] : []
  }

  #carryOut(type: string, data: number[]): number[] | null {
    this.types.push(type)
    if (type === 'Y') this.acknowledged.push(data[0]!)
    if (type === 'Y') return null
    if (type === 'R') return this.#last
    if (type === 'I') return this.#answer('i', `i46340012....${this.#serialNumber}A000000001${this.hardware}010203040506\tdecoder\0`)
    if (type === '1') this.#file = []
    if (type === '1') return this.#answer('d')
    if (type === '2') {
      this.#file?.push(...data)
      return null
    }
    if (type !== '5' || !this.#file) return this.#answer('e')
    if (this.refusal !== null) return this.#answer('e', `${this.refusal}\0`)
    this.files.set(Buffer.from(data.slice(0, -1)).toString('latin1'), Buffer.from(this.#file))
    this.#file = null
    return this.#answer('d')
  }

  #answer(type: string, data = ''): number[] {
    const enclosed = [...text('\x01X\x1eap/'), ...text(type + data), 0x04]
    if (this.isRaw) return enclosed
    const size = this.countsAll ? enclosed.length : data.length
    const packet = [...text('\x01XR1'), ...text('ID01'), this.#number, ...bigEndian(77, 4), ...bigEndian(size, 2), ...enclosed]
    this.#number = this.#number === 0xff ? 0x80 : this.#number + 1
    this.#last = [...packet, ...bigEndian(remainder(this.leavesOutStart ? packet.slice(4) : packet), 2)]
    return this.#last
  }
}
