import './option-lines.css'
import type { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import { resetEvidence } from '@lectern/contract/barcode/catalogue-devices.ts'
import { resetCommand } from '@lectern/contract/barcode/commands.ts'
import { findServiceCommand, type ServiceCommand } from '@lectern/contract/barcode/service-commands.ts'
import type { Evidence } from '@lectern/contract/devices/evidence.ts'
import type { ReactNode } from 'react'
import { EvidenceKey, EvidenceWord } from './evidence.tsx'
import type { Reading } from './read/reading.ts'

interface OfReading {
  /** Null where the reader is not known, or the builder does not support it. */
  device: BuilderDevice | null
  reading: Reading
}

interface OptionLinesProps extends OfReading {
  mark?: (words: string) => ReactNode
}

interface Line {
  id: string
  words: ReactNode
  commands: readonly string[]
  evidence?: Evidence | null
}

/**
 * Numbered lines of what a configuration sets, with the commands and their evidence: first the reset, then options, then commands that are
 * no option of the reader.
 */
export function OptionLines({ device, reading: { reset, lines, unknown, overridden }, mark = (words) => words }: OptionLinesProps) {
  const first: Line[] = reset
    ? [{ id: 'reset', words: 'Reset (CFR) First', commands: [resetCommand], evidence: device && resetEvidence(device) }]
    : []
  const options = lines.map(({ id, label, value, commands, evidence }): Line => {
    return { id: `option ${id}`, words: `${label}: ${value}`, commands, evidence: device && evidence }
  })
  const others = unknown.map((command): Line => {
    const service = findServiceCommand(command)
    const words = service ? <ServiceWords {...service} mark={mark} /> : mark('Not in the catalogue')
    return { id: command, words, commands: [command] }
  })
  const undone = overridden.map((command, index): Line => {
    return { id: `${index} ${command}`, words: mark('Without effect, undone by a later command'), commands: [command] }
  })
  return (
    <ol className="option-lines">
      {[...first, ...options, ...others, ...undone].map(({ id, words, commands, evidence }, index) => (
        <li key={id}>
          <span className="option-lines-number mono">{String(reset ? index : index + 1).padStart(2, '0')}</span>
          <span>{words}</span>
          <span className="option-lines-commands mono">
            {commands.map((command) => (
              <span key={command}>{command}</span>
            ))}
          </span>
          <span className="option-lines-known">{evidence && <EvidenceWord evidence={evidence} />}</span>
        </li>
      ))}
    </ol>
  )
}

const ServiceWords = ({ name, danger, mark }: ServiceCommand & { mark: (words: string) => ReactNode }) => (
  <>
    {name}
    {danger && <> {mark(danger)}</>}
  </>
)

/** Explains the words at the ends of the lines. */
export function OptionLinesKey({ device, reading: { reset, lines } }: OfReading) {
  if (device === null) return null
  const first = reset ? [resetEvidence(device)] : []
  return <EvidenceKey of={[...first, ...lines.map(({ evidence }) => evidence)]} />
}
