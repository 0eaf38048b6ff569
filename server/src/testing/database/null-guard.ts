import { type RowsRead, rowsRead } from '../../lib/database/rows.ts'

const found = new Set<string>()

rowsRead.subscribe((message) => {
  const { rows, neverNull } = message as RowsRead
  for (const name of neverNull) if (rows.some((row) => Reflect.get(row, name) === null)) found.add(name)
})

/** Returns the columns that were null since the last call although their type excludes it. */
export function takeNulls(): string[] {
  const names = [...found]
  found.clear()
  return names
}
