import './compare-configurations.css'
import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import type { LibraryEntry } from '@lectern/contract/library.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { structuredPatch } from 'diff'
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { IconButton } from '../ui/button/icon-button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Select } from '../ui/input/select.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { listChoices, type Side, useSide } from './compared-sides.ts'
import { OptionComparison } from './option-comparison.tsx'

interface Pair {
  a: string | null
  b: string | null
}

interface CompareConfigurationsProps {
  entries: readonly LibraryEntry[]
  catalogue: Catalogue
  pair: Pair
  onPair: (pair: Pair) => void
  onClose: () => void
}

export function CompareConfigurations({ entries, catalogue, pair, onPair, onClose }: CompareConfigurationsProps) {
  const selects = useRef<HTMLDivElement>(null)
  const { data: zones = none } = useQuery(q('listZones', { params: { organizationId: useOrganization() } }))
  const [a, b] = [useSide(pair.a, entries, zones), useSide(pair.b, entries, zones)]
  const options = listChoices(entries, zones, [pair.a, pair.b])
  const shown = (key: string | null) => options.find(({ value }) => value === key)?.value
  const failed = a.failed ?? b.failed
  useEffect(() => {
    selects.current?.querySelector<HTMLElement>('[role=combobox][data-placeholder], [role=combobox]')?.focus()
  }, [])
  return (
    <Panel flush title="Compare" actions={<IconButton icon={X} label="Close the comparison" onClick={onClose} />}>
      <div className="grid grid-cols-2 gap-4 border-b border-rule p-4 max-sm:grid-cols-1" ref={selects}>
        <Field label="First configuration">
          <Select placeholder="Choose one" options={options} value={shown(pair.a)} onChange={(key) => onPair({ a: key, b: pair.b })} />
        </Field>
        <Field label="Second configuration">
          <Select placeholder="Choose another" options={options} value={shown(pair.b)} onChange={(key) => onPair({ a: pair.a, b: key })} />
        </Field>
      </div>
      {a.side && b.side ? (
        <Comparison catalogue={catalogue} a={a.side} b={b.side} />
      ) : (
        <p className="p-4 text-ink-2" role="status">
          {failed ?? 'Choose two configurations to see what each of them sets.'}
        </p>
      )}
    </Panel>
  )
}

const none: never[] = []

function Comparison({ catalogue, a, b }: { catalogue: Catalogue; a: Side; b: Side }) {
  if (a.kind === 'commands' && b.kind === 'commands') return <OptionComparison catalogue={catalogue} a={a} b={b} />
  return <TextComparison a={a} b={b} />
}

const mostLines = 2_000
// Bounds the work for two long texts with nothing in common.
const limits = { context: 3, maxEditLength: 5_000 }

interface Line {
  change: string
  text: string
}

const words: Record<string, string> = { '-': 'Only in the first: ', '+': 'Only in the second: ' }

export function TextComparison({ a, b }: { a: Side; b: Side }) {
  const lines = useMemo(() => compareTexts(a.text, b.text), [a.text, b.text])
  const changes = lines?.filter(({ change }) => change === '-' || change === '+').length
  return (
    <>
      <p className="p-4 text-ink-2" role="status">
        {changes === undefined
          ? 'They differ in more lines than can be compared here.'
          : changes === 0
            ? 'No differences'
            : `${counted(changes, 'line')} differ. − is only in ${a.name}, + only in ${b.name}.`}
      </p>
      {lines && lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <section aria-label="Lines that differ" className="border-t border-rule" tabIndex={0}>
          <ol className="text-comparison">
            {lines.slice(0, mostLines).map(({ change, text }, index) => (
              <li key={index} data-change={change}>
                <span aria-hidden="true">{change === '-' ? '−' : change}</span>
                <span>
                  {words[change] && <span className="sr-only">{words[change]}</span>}
                  {text}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

/** Compares line by line, with three lines around each difference. Null for texts that are too different, or missing. */
function compareTexts(a: string | null, b: string | null): Line[] | null {
  if (a === null || b === null) return null
  const patch = structuredPatch('', '', a, b, undefined, undefined, limits)
  if (!patch) return null
  return patch.hunks.flatMap((hunk) => [
    { change: '@', text: `Line ${hunk.oldStart}, and ${hunk.newStart}` },
    // A line that begins with a backslash only says that the last line has no end.
    ...hunk.lines.filter((line) => !line.startsWith('\\')).map((line) => ({ change: line[0] ?? ' ', text: line.slice(1) })),
  ])
}
