import './option-lines.css'
import { resetCommand } from '@lectern/contract/barcode/commands.ts'
import type { ReactNode } from 'react'
import type { Reading } from './read/reading.ts'

interface OptionLinesProps {
  reading: Reading
  mark?: (words: string) => ReactNode
}

/** What a configuration sets, numbered, each with its commands: the reset first, then the options, then what is no option of the reader. */
export function OptionLines({ reading: { reset, lines, unknown, overridden }, mark = (words) => words }: OptionLinesProps) {
  const first = reset ? [{ id: 'reset', words: 'Reset (CFR) First', commands: [resetCommand] }] : []
  const options = lines.map(({ id, label, value, commands }) => ({ id: `option ${id}`, words: `${label}: ${value}`, commands }))
  const others = unknown.map((command) => ({ id: command, words: mark('Not in the catalogue'), commands: [command] }))
  const undone = overridden.map((command, index) => ({
    id: `${index} ${command}`,
    words: mark('Without effect, undone by a later command'),
    commands: [command],
  }))
  return (
    <ol className="option-lines">
      {[...first, ...options, ...others, ...undone].map(({ id, words, commands }, index) => (
        <li key={id}>
          <span className="option-lines-number mono">{String(reset ? index : index + 1).padStart(2, '0')}</span>
          <span>{words}</span>
          <span className="option-lines-commands mono">
            {commands.map((command) => (
              <span key={command}>{command}</span>
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}
