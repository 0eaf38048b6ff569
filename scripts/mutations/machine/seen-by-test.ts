// Loaded by the test files that find-tests.ts runs: records, test by test, the SQL that was sent and the marks that were passed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, expect } from 'vitest'

export interface SeenOfFile {
  testFile: string
  /** All statements of the file, with single blanks. */
  statements: string[]
  tests: { name: string; statements: number[]; marks: string[]; milliseconds: number }[]
}

type Query = (this: pg.Client, ...parts: unknown[]) => unknown

// A worker runs many files, and one listener is enough.
const shared = globalThis as { seenByTest?: Set<string>; sentByTest?: Set<string> }
const marks = shared.seenByTest ?? new Set()
shared.seenByTest = marks
const sent = shared.sentByTest ?? listen()
shared.sentByTest = sent

function listen(): Set<string> {
  const heard = new Set<string>()
  const original = pg.Client.prototype.query as Query
  pg.Client.prototype.query = function (this: pg.Client, ...parts: unknown[]) {
    const [first] = parts as [string | { text?: string }]
    const text = typeof first === 'string' ? first : first?.text
    if (text) heard.add(text)
    return original.apply(this, parts)
  } as typeof pg.Client.prototype.query
  return heard
}

const seen: SeenOfFile = { testFile: '', statements: [], tests: [] }
const numbers = new Map<string, number>()

function toNumber(statement: string): number {
  const known = numbers.get(statement)
  if (known !== undefined) return known
  const number = seen.statements.push(statement.replace(/\s+/g, ' ')) - 1
  numbers.set(statement, number)
  return number
}

afterEach(({ task }) => {
  seen.testFile = task.file.filepath
  seen.tests.push({
    name: expect.getState().currentTestName ?? '',
    statements: [...sent].map(toNumber),
    marks: [...marks].flatMap((ids) => ids.split(' ')),
    milliseconds: performance.now() - (task.result?.startTime ? task.result.startTime - performance.timeOrigin : performance.now()),
  })
  sent.clear()
  marks.clear()
})

afterAll(() => {
  const name = seen.testFile.replaceAll('/', '-')
  if (name) writeFileSync(join(process.env.LECTERN_SEEN_FOLDER ?? '', `${name}.json`), JSON.stringify(seen))
})
