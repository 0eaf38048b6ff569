import { type Catalogue, type Evidence, listOptions } from '@lectern/contract/barcode/catalogue.ts'
import { resetEvidence } from '@lectern/contract/barcode/catalogue-devices.ts'
import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { EvidenceKey, EvidenceWord } from '../barcode/symbols/evidence.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Field } from '../ui/form/field.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { Select } from '../ui/input/select.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { Table } from '../ui/table/table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { getKey } from './library-list.tsx'
import { type Reading, readConfiguration } from './reading.ts'

interface Pair {
  a: string | null
  b: string | null
}

interface CompareConfigurationsProps {
  configurations: readonly SavedConfiguration[]
  catalogue: Catalogue
  pair: Pair
  onPair: (pair: Pair) => void
  onClose: () => void
}

export function CompareConfigurations({ configurations, catalogue, pair, onPair, onClose }: CompareConfigurationsProps) {
  const selects = useRef<HTMLDivElement>(null)
  const [a, b] = [pair.a, pair.b].map((key) => configurations.find((one) => getKey(one) === key))
  const options = configurations.map((one) => ({ value: getKey(one), label: `${one.name} (${one.device})` }))
  useEffect(() => {
    selects.current?.querySelector<HTMLElement>('[role=combobox][data-placeholder], [role=combobox]')?.focus()
  }, [])
  return (
    <Panel flush title="Compare" actions={<IconButton icon={X} label="Close the comparison" onClick={onClose} />}>
      <div className="grid grid-cols-2 gap-4 border-b border-rule p-4 max-sm:grid-cols-1" ref={selects}>
        <Field label="First configuration">
          <Select placeholder="Choose one" options={options} value={a && getKey(a)} onChange={(key) => onPair({ a: key, b: pair.b })} />
        </Field>
        <Field label="Second configuration">
          <Select placeholder="Choose another" options={options} value={b && getKey(b)} onChange={(key) => onPair({ a: pair.a, b: key })} />
        </Field>
      </div>
      {a && b ? (
        <Comparison catalogue={catalogue} a={a} b={b} />
      ) : (
        <p className="p-4 text-ink-2">Choose two configurations to see what each of them sets.</p>
      )}
    </Panel>
  )
}

const column = columnHelper<Compared>()

const comparedColumns = (a: SavedConfiguration, b: SavedConfiguration) =>
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

const formatHead = ({ name, device }: SavedConfiguration, other: SavedConfiguration): string =>
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

function Comparison({ catalogue, a, b }: { catalogue: Catalogue; a: SavedConfiguration; b: SavedConfiguration }) {
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
  /** The label is a command that the catalogue does not have. */
  isCommand: boolean
  a: SetValue
  b: SetValue
  differs: boolean
}

interface SetValue {
  words: string
  /** Of the commands, on the reader of this configuration; absent where there are none in the catalogue. */
  evidence?: Evidence | null
}

/** The reset, then the options that either sets in the catalogue's order, then commands that the catalogue does not have. */
function compare(catalogue: Catalogue, a: SavedConfiguration, b: SavedConfiguration): Compared[] {
  const [first, second] = [readConfiguration(catalogue, a), readConfiguration(catalogue, b)]
  const toLine = (id: string, label: string, value: (reading: Reading) => SetValue, isCommand = false): Compared => ({
    ...{ id, label, isCommand, a: value(first), b: value(second) },
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
