import { Readable } from 'node:stream'
import { Problem } from './problem.ts'

/** Deeper JSON is refused (LMT-02): the tree of a deeply nested text takes many times the memory of the text. */
const maxDepth = 32

/** Whether the JSON text that goes by piece by piece, as UTF-8, nests at most `maxDepth` arrays and objects so far. */
export type DepthScanner = (chunk: Uint8Array) => boolean

/**
 * Scans one text, which need not be well-formed: up to its first mistake it is read as a parser reads it, and behind that nothing is built.
 * In UTF-8 a byte below 128 is always a character of its own.
 */
export function createDepthScanner(): DepthScanner {
  let depth = 0
  let isInString = false
  let isEscaped = false
  return (chunk) => {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]
      if (isEscaped) isEscaped = false
      else if (byte === quote) isInString = !isInString
      else if (isInString) isEscaped = byte === backslash
      else if (byte === openBracket || byte === openBrace) {
        depth += 1
        if (depth > maxDepth) return false
      } else if (byte === closeBracket || byte === closeBrace) depth -= 1
    }
    return true
  }
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\[]{}')

/** The same body, which breaks off with a Problem 400 where it nests too deep. It is not read before this is. */
export function refuseDeepJson(body: Readable): Readable {
  async function* scanned() {
    const scan = createDepthScanner()
    // What is refused must not take the connection down with it, on which the response is to come.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      if (!scan(chunk)) throw new Problem(400, `The JSON is nested deeper than ${maxDepth} levels.`)
      yield chunk
    }
  }
  return Readable.from(scanned(), { objectMode: false })
}
