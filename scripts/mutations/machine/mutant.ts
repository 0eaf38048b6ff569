import { createHash } from 'node:crypto'
import type { Edit } from './sql-mutants.ts'

/** `disabled`, `enabled`, `key`: of the web app. */
export type MutantClass = 'sql' | 'builder' | 'refusal' | 'disabled' | 'enabled' | 'key'

/** A change of the product by machine. */
export interface Mutant extends Edit {
  /** Stays the same as long as the code around it does. */
  id: string
  class: MutantClass
  file: string
  line: number
  /** The line it begins in, without the blanks around it. */
  text: string
  original: string
  /** Fixed text of the SQL around it, which identifies a statement that has it. Absent: the place is marked (`mark`). */
  statement?: string
  /** The expression that gets a mark, so that it shows which tests pass here. */
  mark?: { start: number; end: number; isOfBlock?: boolean }
}

export type Found = Edit & Pick<Mutant, 'class' | 'statement' | 'mark'>

export function toMutants(file: string, source: string, found: readonly Found[]): Mutant[] {
  const counts = new Map<string, number>()
  return found.map((mutant) => {
    const original = source.slice(mutant.start, mutant.end)
    const text = source
      .slice(source.lastIndexOf('\n', mutant.start - 1) + 1)
      .split('\n', 1)[0]!
      .trim()
    const key = [file, text, original, mutant.replacement].join('\0')
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    const id = createHash('sha256').update(`${key}\0${count}`).digest('hex').slice(0, 12)
    return { ...mutant, id, file, line: source.slice(0, mutant.start).split('\n').length, text, original }
  })
}
