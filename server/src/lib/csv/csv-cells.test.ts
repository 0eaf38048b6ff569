import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileCells, parseCsv } from '../../testing/csv.ts'
import { CsvCells } from './csv-cells.ts'

/** As COPY writes it. */
const quoteCell = (cell: string) => (/[",\r\n]/.test(cell) || cell === '' ? `"${cell.replaceAll('"', '""')}"` : cell)

/** The result for a file whose bytes arrive in pieces of such lengths, in turn. */
function write(file: string, lengths: readonly number[], instants: readonly number[] = []): Promise<string> {
  const bytes = Buffer.from(file)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieces.at(-1)!.length)
    pieces.push(bytes.subarray(at, at + lengths[pieces.length % lengths.length]!))
  return text(Readable.from(pieces).pipe(new CsvCells(new Set(instants))))
}

const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 9 })
const cell = fc.oneof(
  fc.constantFrom(...hostileCells, { text: '', cell: '' }),
  fc.constantFrom('Zone 12', 'a,b', 'say "x"', 'x\ny', 'Ärzte', '集中治療室').map((plain) => ({ text: plain, cell: plain })),
)

test('[SCL-07] formulas are made text wherever the pieces of a file end, and lines end in CR LF', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 1 }), lengths, async (rows, lengths) => {
      const file = rows.map((row) => `${row.map(({ text }) => quoteCell(text)).join()}\n`).join('')
      expect(parseCsv(await write(file, lengths))).toEqual(rows.map((row) => row.map(({ cell }) => cell)))
    }),
  ))

test('a time has milliseconds, and one that is missing stays empty', () =>
  fc.assert(
    fc.asyncProperty(lengths, async (lengths) => {
      const file = ['2026-01-02 03:04:05+00', '2026-01-02 03:04:05.1+00', '2026-01-02 03:04:05.987654+00', ''].map(
        (time) => `a,${time},+1\n`,
      )
      const times = ['2026-01-02T03:04:05.000Z', '2026-01-02T03:04:05.100Z', '2026-01-02T03:04:05.987Z', '']
      expect(await write(file.join(''), lengths, [1])).toBe(times.map((time) => `a,${time},'+1\r\n`).join(''))
    }),
  ))
