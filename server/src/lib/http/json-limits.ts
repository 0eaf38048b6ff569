import { Readable } from 'node:stream'
import { Problem } from './problem.ts'

/** Deeper JSON is refused (LMT-02): the tree of a deeply nested text takes many times the text's memory. */
const maxDepth = 32

/** Takes UTF-8 JSON piece by piece. Returns why the text is refused, or null as long as it is not. */
type JsonScanner = (chunk: Uint8Array) => string | null

/**
 * Scans one text, which may be malformed. Up to its first mistake it reads as a parser does; behind that a parser builds nothing. In UTF-8
 * a byte below 128 is always a character of its own.
 * @param mostValues values and keys together: each costs the parser time, however short it is (FAI-03)
 */
export function createJsonScanner(mostValues: number): JsonScanner {
  let depth = 0
  let values = 0
  let isInString = false
  let isEscaped = false
  // Whether it is inside a number, true, false or null.
  let isInWord = false
  return (chunk) => {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]!
      if (isEscaped) isEscaped = false
      else if (isInString) {
        isInString = byte !== quote
        isEscaped = byte === backslash
      } else if (isStructure[byte] === 1) {
        isInWord = false
        isInString = byte === quote
        depth += deeper[byte]!
        values += begins[byte]!
        if (depth > maxDepth) return `The JSON is nested deeper than ${maxDepth} levels.`
      } else if (!isInWord) {
        isInWord = true
        values += 1
      }
    }
    return values > mostValues ? `The JSON has more than ${mostValues.toLocaleString('en-US')} values and keys.` : null
  }
}

const [quote, backslash] = Buffer.from('"\\')

/** A table with a number for each byte: 0 for all that are not named. */
function table(...entries: readonly [characters: string, number: number][]): Int8Array {
  const numbers = new Int8Array(256)
  for (const [characters, number] of entries) for (const byte of Buffer.from(characters)) numbers[byte] = number
  return numbers
}
const isStructure = table(['"[]{},: \t\r\n', 1])
/** By how much the character changes the depth. */
const deeper = table(['[{', 1], [']}', -1])
/** Whether the character begins a value or key. */
const begins = table(['"[{', 1])

/** Returns the same body. It breaks off with a Problem 400 where it nests too deep or has too many values. */
export function limitJson(body: Readable, mostValues: number): Readable {
  async function* scanned() {
    const scan = createJsonScanner(mostValues)
    // A refused body must not take down the connection, on which the response is sent.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const refusal = scan(chunk)
      if (refusal !== null) throw new Problem(400, refusal)
      yield chunk
    }
  }
  return Readable.from(scanned(), { objectMode: false })
}
