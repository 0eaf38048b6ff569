import type { AuditChoices } from '@lectern/contract/audit/audit.ts'
import { X } from 'lucide-react'
import type { Ref } from 'react'
import { Button } from '../ui/button/button.tsx'
import { Input } from '../ui/input/input.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import { Select } from '../ui/input/select.tsx'
import { useTypedText } from '../ui/input/typed-text.ts'
import { type AuditView, longest, type Period } from './audit-address.ts'
import type { Narrow } from './audit-item.tsx'
import { allChanges, type TypeChoice } from './change-labels.ts'

const periodLabels: Record<Period, string> = {
  all: 'All time',
  '1': 'Today',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '365': 'Last 365 days',
  days: 'Choose days',
}

type AuditToolbarProps = {
  view: AuditView
  choices: AuditChoices | undefined
  /** Where there is no room for them beside the log. */
  types?: TypeChoice[] | undefined
  /** Whether the log is of an organization, which has zones and readers. */
  ofOrganization: boolean
  onNarrow: Narrow
  onWhole?: (() => void) | undefined
  searchBox: Ref<HTMLInputElement>
}

/** What the log is narrowed by beside the type of change. */
export function AuditToolbar({ view, choices, types, ofOrganization, onNarrow, onWhole, searchBox }: AuditToolbarProps) {
  const [text, typeText] = useTypedText(view.text, (next) => onNarrow({ text: next }))
  const [device, typeDevice] = useTypedText(view.device, (next) => onNarrow({ device: next }))
  return (
    <div className="toolbar audit-toolbar">
      <SearchInput
        ref={searchBox}
        label="Search audit log"
        placeholder={ofOrganization ? 'Person, zone or serial number' : 'Person or what was changed'}
        maxLength={longest.text}
        autoComplete="off"
        value={text}
        onChange={(event) => typeText(event.target.value)}
      />
      {types && (
        <Select
          label="Type of change"
          options={types.map(({ value, label, count }) => ({ value, label: count === undefined ? label : `${label} (${count})` }))}
          shown={types.find(({ value }) => value === typeValue(view.type))?.label}
          value={typeValue(view.type)}
          onChange={(type) => onNarrow({ type: type === allChanges ? '' : type.slice(1) })}
        />
      )}
      <Select
        label="Period"
        options={Object.entries(periodLabels).map(([value, label]) => ({ value, label }))}
        value={view.period}
        onChange={(period) => onNarrow({ period: period as Period, from: '', to: '' })}
      />
      {view.period === 'days' && (
        <>
          <Input type="date" aria-label="First day" value={view.from} onChange={(event) => onNarrow({ from: event.target.value })} />
          <Input type="date" aria-label="Last day" value={view.to} onChange={(event) => onNarrow({ to: event.target.value })} />
        </>
      )}
      <OneOf label="Person" none="All people" values={choices?.people} value={view.person} onChange={(person) => onNarrow({ person })} />
      {ofOrganization && (
        <>
          <OneOf label="Zone" none="All zones" values={choices?.zones} value={view.zone} onChange={(zone) => onNarrow({ zone })} />
          <Input
            aria-label="Reader"
            placeholder="Reader’s serial number"
            maxLength={longest.device}
            autoComplete="off"
            value={device}
            onChange={(event) => typeDevice(event.target.value)}
          />
        </>
      )}
      {onWhole && (
        <Button
          variant="ghost"
          icon={X}
          onClick={() => {
            // What was typed a moment ago is not told any more.
            typeText('')
            typeDevice('')
            onWhole()
          }}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}

/** The value under which a select or a radio knows a type. */
export const typeValue = (type: string): string => (type === '' ? allChanges : `=${type}`)

type OneOfProps = { label: string; none: string; values: readonly string[] | undefined; value: string; onChange: (value: string) => void }

/** One of a log's values, or none of them. */
function OneOf({ label, none, values = [], value, onChange }: OneOfProps) {
  const known = value === '' || values.includes(value) ? values : [value, ...values]
  const inOrder = known.toSorted((a, b) => a.localeCompare(b))
  return (
    <Select
      label={label}
      options={[{ value: 'none', label: none }, ...inOrder.map((one) => ({ value: `=${one}`, label: one }))]}
      value={value === '' ? 'none' : `=${value}`}
      onChange={(next) => onChange(next === 'none' ? '' : next.slice(1))}
    />
  )
}
