import { type Catalogue, listOptions } from '@lectern/contract/barcode/catalogue.ts'
import { resetEvidence } from '@lectern/contract/barcode/catalogue-devices.ts'
import type { Evidence } from '@lectern/contract/devices/evidence.ts'
import { useMemo, useState } from 'react'
import { EvidenceKey, EvidenceWord } from '../barcode/symbols/evidence.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { Table } from '../ui/table/table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { type CommandsFor, type Reading, readConfiguration } from './reading.ts'

interface ComparedCommands extends CommandsFor {
  name: string
}

const column = columnHelper<Compared>()

const comparedColumns = (a: ComparedCommands, b: ComparedCommands) =>
  column.columns([
    column.accessor('label', {
      header: 'Option',
      enableSorting: false,
      meta: { className: 'whitespace-normal wrap-anywhere', record: 'title' },
      cell: ({ getValue, row: { original: line } }) =>
        line.isCommand ? (
          <>
            <span className="mono">{getValue()}</span> <span className="text-ink-3">not in the catalogue</span>
          </>
        ) : (
          getValue()
        ),
    }),
    column.accessor((line) => line.a.words, {
      id: 'a',
      header: formatHead(a, b),
      enableSorting: false,
      meta: { className: 'whitespace-normal wrap-anywhere' },
      cell: ({ row: { original: line } }) => <Value of={line.a} />,
    }),
    column.accessor((line) => line.b.words, {
      id: 'b',
      header: formatHead(b, a),
      enableSorting: false,
      meta: { className: 'whitespace-normal wrap-anywhere' },
      cell: ({ row: { original: line } }) => <Value of={line.b} />,
    }),
    column.accessor('differs', {
      header: 'Difference',
      enableSorting: false,
      meta: { record: 'aside' },
      cell: ({ getValue }) => (getValue() ? <Badge kind="accent">Different</Badge> : <span className="text-ink-3">Same</span>),
    }),
  ])

const formatHead = ({ name, device }: ComparedCommands, other: ComparedCommands): string =>
  device === other.device && name !== other.name ? name : `${name} (${device})`

function Value({ of: { words, evidence } }: { of: SetValue }) {
  const isNothing = words === 'No change' || words === 'Not sent' || words === 'No'
  return (
    <>
      <span className={isNothing ? 'text-ink-3' : 'font-semibold'}>{words}</span>
      {evidence && (
        <>
          {' '}
          <EvidenceWord evidence={evidence} />
        </>
      )}
    </>
  )
}

export function OptionComparison({ catalogue, a, b }: { catalogue: Catalogue; a: ComparedCommands; b: ComparedCommands }) {
  const [onlyDifferences, setOnlyDifferences] = useState(false)
  const lines = useMemo(() => compare(catalogue, a, b), [catalogue, a, b])
  const columns = useMemo(() => comparedColumns(a, b), [a, b])
  const differences = lines.filter(({ differs }) => differs)
  const shown = onlyDifferences ? differences : lines
  const evidence = lines.flatMap((line) => [line.a.evidence, line.b.evidence].flatMap((one) => one ?? []))
  return (
    <>
      <Table
        label="Comparison"
        columns={columns}
        rows={shown}
        rowId={({ id }) => id}
        search={
          <Checkbox checked={onlyDifferences} onChange={(event) => setOnlyDifferences(event.target.checked)}>
            Only differences
          </Checkbox>
        }
        tools={
          <span className="text-13 text-ink-2" role="status">
            {differences.length === 0 ? 'No differences' : `${differences.length} of ${lines.length} differ`}
            {a.device !== b.device && `, for ${a.device} and ${b.device}`}
          </span>
        }
        empty={<EmptyState>They set the same.</EmptyState>}
      />
      <div className="border-t border-rule p-4 empty:hidden">
        <EvidenceKey of={evidence} />
      </div>
    </>
  )
}

interface Compared {
  id: string
  label: string
  /** Whether the label is a command that the catalogue does not have. */
  isCommand: boolean
  a: SetValue
  b: SetValue
  differs: boolean
}

interface SetValue {
  words: string
  /** How well the commands are known on this configuration's reader; absent where the catalogue has none. */
  evidence?: Evidence | null
}

/** First the reset, then the options that either side sets in the catalogue's order, then commands that the catalogue lacks. */
function compare(catalogue: Catalogue, a: ComparedCommands, b: ComparedCommands): Compared[] {
  const [first, second] = [readConfiguration(catalogue, a), readConfiguration(catalogue, b)]
  const toLine = (id: string, label: string, value: (reading: Reading) => SetValue, isCommand = false): Compared => ({
    id,
    label,
    isCommand,
    a: value(first),
    b: value(second),
    differs: value(first).words !== value(second).words,
  })
  const findLine = ({ lines }: Reading, option: string) => lines.find(({ id }) => id === option)
  const options = listOptions(catalogue).filter(({ id }) => (findLine(first, id) ?? findLine(second, id)) !== undefined)
  const commands = [...new Set([...first.unknown, ...second.unknown])]
  return [
    toLine('reset', 'Reset (CFR) First', ({ reset, device }) =>
      reset ? { words: 'Yes', evidence: device && resetEvidence(device) } : { words: 'No' },
    ),
    ...options.map(({ id, label }) =>
      toLine(id, label, (reading) => {
        const line = findLine(reading, id)
        return line ? { words: line.value, evidence: line.evidence } : { words: 'No change' }
      }),
    ),
    ...commands.map((command) =>
      toLine(`command ${command}`, command, ({ unknown }) => ({ words: unknown.includes(command) ? 'Sent' : 'Not sent' }), true),
    ),
  ]
}
