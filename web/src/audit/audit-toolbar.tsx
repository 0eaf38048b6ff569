import '../ui/table/table.css'
import './audit-toolbar.css'
import type { AuditChoices } from '@lectern/contract/audit/audit.ts'
import { Button } from '../ui/button/button.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { Input } from '../ui/input/input.tsx'
import { Select } from '../ui/input/select.tsx'
import { useTypedText } from '../ui/input/typed-text.ts'
import { ListSearch } from '../ui/table/list-search.tsx'
import { type AuditList, type AuditState, findsSingle, longestReader } from './audit-address.ts'
import { fromTypeValue, type TypeChoice, toTypeValue } from './change-labels.ts'

const periodLabels: Record<AuditState['period'], string> = {
  all: 'All time',
  '1': 'Today',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '365': 'Last 365 days',
  days: 'Choose days',
}
const periodChoices = Object.entries(periodLabels).map(([value, label]) => ({ value, label }))

interface AuditToolbarProps {
  list: AuditList
  choices: AuditChoices | undefined
  /** Undefined where they are shown beside the log. */
  types: TypeChoice[] | undefined
  ofOrganization: boolean
}

export function AuditToolbar({ list, choices, types, ofOrganization }: AuditToolbarProps) {
  const { type, period, from, to, person, zone, reader } = list.state
  const [typedReader, typeReader] = useTypedText(reader, (text) => list.show({ reader: text }, { replace: reader !== '' && text !== '' }))
  return (
    <div className="toolbar audit-toolbar">
      <ListSearch
        list={list}
        label="Search audit log"
        placeholder={ofOrganization ? 'Person, zone or serial number' : 'Person or what was changed'}
        clearLabel="Clear filters"
        onClear={() => typeReader('')}
      />
      {types && (
        <Select
          label="Type of change"
          options={types.map(({ value, label, count }) => ({ value, label: count === undefined ? label : `${label} (${count})` }))}
          shown={types.find(({ value }) => value === toTypeValue(type))?.label}
          value={toTypeValue(type)}
          onChange={(value) => list.show({ type: fromTypeValue(value) })}
        />
      )}
      <Select
        label="Period"
        options={periodChoices}
        value={period}
        onChange={(next) => list.show({ period: next as typeof period, from: '', to: '' })}
      />
      {period === 'days' && (
        <>
          <Input type="date" aria-label="First day" value={from} onChange={({ target }) => list.show({ from: target.value })} />
          <Input type="date" aria-label="Last day" value={to} onChange={({ target }) => list.show({ to: target.value })} />
        </>
      )}
      <ValueSelect
        label="Person"
        none="All people"
        values={choices?.people}
        value={person}
        onChange={(next) => list.show({ person: next })}
      />
      {ofOrganization && (
        <>
          <ValueSelect label="Zone" none="All zones" values={choices?.zones} value={zone} onChange={(next) => list.show({ zone: next })} />
          <Input
            aria-label="Reader"
            placeholder="Reader’s serial number"
            maxLength={longestReader}
            autoComplete="off"
            value={typedReader}
            onChange={({ target }) => typeReader(target.value)}
          />
          <RolloutChoice list={list} />
        </>
      )}
    </div>
  )
}

function RolloutChoice({ list }: { list: AuditList }) {
  const { rollout, entries } = list.state
  return (
    <>
      {rollout !== '' && (
        <Button variant="link" onClick={() => list.show({ rollout: '' })}>
          Only one rollout: show all
        </Button>
      )}
      {!findsSingle(list.state) && (
        <Checkbox checked={entries === 'single'} onChange={({ target }) => list.show({ entries: target.checked ? 'single' : 'folded' })}>
          Each reader and zone by itself
        </Checkbox>
      )}
    </>
  )
}

interface ValueSelectProps {
  label: string
  none: string
  values: readonly string[] | undefined
  value: string
  onChange: (value: string) => void
}

function ValueSelect({ label, none, values = [], value, onChange }: ValueSelectProps) {
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
