import { Transform } from 'node:stream'

// Cells that a spreadsheet takes for a formula, also behind blanks, a byte-order mark or a separator: some programs drop a tab or an end of
// a line in front.
const formula = /^(?:[\s\u0085\u200b-\u200d\ufeff,;|]*[=+\-@＝＋－＠]|[\t\r])/

const isPlain = new Uint8Array(256)
for (const byte of Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"')) isPlain[byte] = 1

/**
 * Takes CSV as COPY writes it. Makes lines end in CR LF (RFC 4180), puts an apostrophe before a cell that a spreadsheet would take for a
 * formula, and writes times as `Date.toISOString` does. In SQL this took two fifths of a file's time (SCL-07).
 */
export class CsvCells extends Transform {
  readonly #instants: ReadonlySet<number>
  #column = 0
  #isStart = true
  #isQuoted = false
  /** The beginning of a cell whose end is yet to come. */
  #held: Buffer | undefined

  /** @param instants the numbers of the columns, from 0, that have times; these must be of UTC */
  constructor(instants: ReadonlySet<number>) {
    super()
    this.#instants = instants
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const bytes = this.#held ? Buffer.concat([this.#held, chunk]) : chunk
    this.#held = undefined
    // At most a byte becomes two; a time, of at least 22 bytes, becomes 24.
    const written = Buffer.allocUnsafe(bytes.length * 2)
    let length = 0
    // Three times as fast as `for of`.
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number
      const ends = !this.#isQuoted && (byte === comma || byte === lineFeed)
      const isFirst = this.#isStart && !ends && (this.#isQuoted || byte !== quote)
      if (isFirst && (isPlain[byte] === 0 || this.#instants.has(this.#column))) {
        const end = this.#findEnd(bytes, index)
        if (end === -1) {
          this.#held = bytes.subarray(index)
          break
        }
        length += written.write(this.#makeSafe(bytes.toString('utf8', index, end)), length)
        index = end - 1
        this.#isStart = false
        continue
      }
      if (isFirst) this.#isStart = false
      if (byte === quote) this.#isQuoted = !this.#isQuoted
      if (ends) {
        this.#isStart = true
        this.#column = byte === comma ? this.#column + 1 : 0
        if (byte === lineFeed) written[length++] = carriageReturn
      }
      written[length++] = byte
    }
    this.push(written.subarray(0, length))
    done()
  }

  /** Returns where the cell's text ends, or the part of it without a quotation mark; -1 where the end has not come yet. */
  #findEnd(bytes: Buffer, start: number): number {
    for (let end = start; end < bytes.length; end++)
      if (this.#isQuoted ? bytes[end] === quote : bytes[end] === comma || bytes[end] === lineFeed) return end
    return -1
  }

  #makeSafe(text: string): string {
    if (this.#instants.has(this.#column)) return toIsoString(text)
    return formula.test(text) ? `'${text}` : text
  }
}

const [quote, comma, lineFeed, carriageReturn] = Buffer.from('",\n\r') as unknown as [number, number, number, number]

/** @param text such as `2026-11-24 15:04:05.12+00` */
export const toIsoString = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`
