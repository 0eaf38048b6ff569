import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import type { LibraryEntry } from '@lectern/contract/library.ts'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { IconButton } from '../ui/button/icon-button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Select } from '../ui/input/select.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { listChoices, type Side, useSide } from './compared-sides.ts'
import { OptionComparison } from './option-comparison.tsx'
import { TextComparison } from './text-comparison.tsx'

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
