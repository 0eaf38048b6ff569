const start = [0x01, 0x59, 0x1d, 0x02]
const endOfPart = 0x03
const end = 0x04
const space = 0x20

const longest = 4 * 1024 * 1024

/** Inside an envelope only its marks are control characters, so a damaged envelope does not spoil the next. */
export class Envelopes {
  #matched = 0
  #body: number[] = []

  /** Returns the envelope that the byte completes, or whether the byte may be part of one. */
  take(byte: number): Uint8Array | 'inside' | 'outside' {
    if (this.#matched === start.length) {
      if (byte === end) {
        const envelope = Uint8Array.from(start.concat(this.#body, end))
        this.#reset()
        return envelope
      }
      if ((byte >= space || byte === endOfPart) && this.#body.length < longest) {
        this.#body.push(byte)
        return 'inside'
      }
      this.#reset()
    }
    if (byte !== start[this.#matched]) this.#reset()
    if (byte !== start[this.#matched]) return 'outside'
    this.#matched += 1
    return 'inside'
  }

  #reset(): void {
    this.#matched = 0
    this.#body = []
  }
}
