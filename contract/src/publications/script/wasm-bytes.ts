// What an instruction means to the counters. `open`: it begins a block.
type Instruction = 'open' | 'loop' | 'end' | 'return' | 'bulk' | 'other'

const kinds: Partial<Record<number, Instruction>> = { 2: 'open', 3: 'loop', 4: 'open', 11: 'end', 15: 'return' }

/** Reads the binary format of WebAssembly 2.0 without vectors: https://webassembly.github.io/spec/core/binary/. */
export class ByteReader {
  readonly #bytes: Uint8Array
  position: number

  constructor(bytes: Uint8Array, position = 0) {
    this.#bytes = bytes
    this.position = position
  }

  get isAtEnd(): boolean {
    return this.position >= this.#bytes.length
  }

  byte(): number {
    const byte = this.#bytes[this.position]
    if (byte === undefined) throw new Error('The program ends too early.')
    this.position += 1
    return byte
  }

  bytes(count: number): Uint8Array {
    const start = this.position
    this.position += count
    if (this.position > this.#bytes.length) throw new Error('The program ends too early.')
    return this.#bytes.subarray(start, this.position)
  }

  // Reads a LEB128 number of up to 32 bits.
  unsigned(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }

  // Reads an instruction with what follows it, and moves behind it.
  instruction(): Instruction {
    const code = this.byte()
    if (code === 0xfc) return this.#prefixed()
    const immediates = findImmediates(code)
    if (immediates === undefined) throw new Error(`The program has an instruction that is not known: ${code.toString(16)}.`)
    if (immediates === 'table') {
      for (let left = this.unsigned(); left >= 0; left--) this.unsigned()
    } else if (immediates === 'types') {
      this.bytes(this.unsigned())
    } else if (immediates < 0) {
      this.bytes(-immediates)
    } else {
      for (let left = immediates; left > 0; left--) this.unsigned()
    }
    return kinds[code] ?? 'other'
  }

  #prefixed(): Instruction {
    const code = this.unsigned()
    // Saturating conversions come first, then memory and table instructions with their indices.
    const indices = code < 8 ? 0 : [2, 1, 2, 1, 2, 1, 2, 1, 1, 1][code - 8]
    if (indices === undefined) throw new Error(`The program has an instruction that is not known: fc ${code}.`)
    for (let left = indices; left > 0; left--) this.unsigned()
    return code === 10 || code === 11 ? 'bulk' : 'other'
  }
}

/** Returns how many LEB128 numbers are behind an instruction, or minus the number of bytes; undefined for an unknown instruction. */
function findImmediates(code: number): number | 'table' | 'types' | undefined {
  if (code === 0x0e) return 'table'
  if (code === 0x1c) return 'types'
  if (code === 0x43) return -4
  if (code === 0x44) return -8
  if (code === 0x11 || code === 0x13 || (code >= 0x28 && code <= 0x3e)) return 2
  if ((code >= 0x02 && code <= 0x04) || code === 0x0c || code === 0x0d || code === 0x10 || code === 0x12) return 1
  if ((code >= 0x20 && code <= 0x26) || (code >= 0x3f && code <= 0x42) || code === 0xd0 || code === 0xd2) return 1
  const isPlain = code <= 0x01 || code === 0x05 || code === 0x0b || code === 0x0f || code === 0x1a || code === 0x1b || code === 0xd1
  return isPlain || (code >= 0x45 && code <= 0xc4) ? 0 : undefined
}

// Encodes a number as LEB128.
export function encodeUnsigned(value: number): Uint8Array {
  const bytes: number[] = []
  let left = value
  do {
    const low = left & 0x7f
    left >>>= 7
    bytes.push(left === 0 ? low : low | 0x80)
  } while (left !== 0)
  return Uint8Array.from(bytes)
}

export function withLength(content: Uint8Array): Uint8Array {
  const length = encodeUnsigned(content.length)
  const bytes = new Uint8Array(length.length + content.length)
  bytes.set(length)
  bytes.set(content, length.length)
  return bytes
}
