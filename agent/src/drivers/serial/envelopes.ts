const start = [0x01, 0x59, 0x1d, 0x02]
const endOfPart = 0x03
const end = 0x04
const space = 0x20

/** More than the longest configuration a reader prints, written as a quoted value; what is longer is noise. */
const longest = 4 * 1024 * 1024

/**
 * Finds the envelopes in what comes over a line, whatever stands between them. Within an envelope no control character may stand but the
 * marks, so one that was cut off or damaged costs no other.
 */
export class Envelopes {
  #matched = 0
  #body: number[] = []

  /** Takes the next byte. @returns the envelope that ends with it, or whether the byte may be part of one. */
  take(byte: number): Uint8Array | 'inside' | 'outside' {
    if (this.#matched === start.length) {
      if (byte === end) {
        const envelope = Uint8Array.from(start.concat(this.#body, end))
        this.#begin()
        return envelope
      }
      if ((byte >= space || byte === endOfPart) && this.#body.length < longest) {
        this.#body.push(byte)
        return 'inside'
      }
      this.#begin()
    }
    if (byte !== start[this.#matched]) this.#begin()
    if (byte !== start[this.#matched]) return 'outside'
    this.#matched += 1
    return 'inside'
  }

  #begin(): void {
    this.#matched = 0
    this.#body = []
  }
}
