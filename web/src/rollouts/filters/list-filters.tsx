import { foldName } from '@lectern/contract/text/clean-name.ts'
import './list-filters.css'
import { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { type RolloutFilter, rolloutFilters } from '@lectern/contract/rollouts/rollout-filters.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { Input } from '../../ui/input/input.tsx'
import { ListSearch } from '../../ui/table/list-search.tsx'
import { formatFilter } from '../rollout-words.ts'
import { Filter } from './filter.tsx'
import type { RolloutsList } from './rollouts-address.ts'

// The filters that people use most. The parts of "In progress" come after it.
const first: readonly RolloutFilter[] = ['failed', 'underWay', 'updating', 'scheduled', 'waitingForPhase', 'waitingForHost']
const states: readonly RolloutFilter[] = [...first, ...rolloutFilters.filter((one) => !first.includes(one))]

const kinds = [
  ['configuration', 'Configuration'],
  ['firmware', 'Firmware'],
] as const

export function ListFilters({ list }: { list: RolloutsList }) {
  const { state, kind, model, zone, person, from, to } = list.state
  const { data } = useQuery(q('getRolloutChoices', { params: { organizationId: useOrganization() } }))
  const people = data?.people ?? []
  return (
    <div className="rollout-filters">
      <ListSearch list={list} label="Search rollouts" placeholder="Name, content or zones" clearLabel="Clear filters" />
      <Filter
        className=""
        label="State"
        none="All states"
        options={states.map((one) => [one, formatFilter(one)])}
        value={state}
        onChange={(next) => list.show({ state: next })}
      />
      <Filter
        className=""
        label="Content"
        none="All contents"
        options={kinds}
        value={kind}
        onChange={(next) => list.show({ kind: next })}
      />
      <Filter
        className=""
        label="Model"
        none="All models"
        options={DeviceModel.options.map((one) => [one, one])}
        value={model}
        onChange={(next) => list.show({ model: next })}
      />
      <ZoneChoice value={zone} onChange={(next) => list.show({ zone: next })} />
      <Filter
        className=""
        label="Published by"
        none="All people"
        options={people.map(({ id, name }) => [id, name])}
        value={person}
        unknown="Another person"
        onChange={(next) => list.show({ person: next })}
      />
      <span className="rollout-filters-days">
        <Day label="From" value={from} max={to} onChange={(next) => list.show({ from: next })} />
        <Day label="To" value={to} min={from} onChange={(next) => list.show({ to: next })} />
      </span>
    </div>
  )
}

interface DayProps {
  label: string
  value: string
  min?: string
  max?: string
  onChange: (day: string) => void
}

function Day({ label, value, min, max, onChange }: DayProps) {
  const id = useId()
  return (
    <span className="rollout-filters-day">
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        type="date"
        value={value}
        min={min || undefined}
        max={max || undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  )
}

// At most so many zones are offered, as thousands may match.
const mostOffered = 50

interface ZoneChoiceProps {
  /** A zone's id; '' for all zones. */
  value: string
  onChange: (zone: string) => void
}

/** A zone is typed or chosen by name. Leaving the field with another text keeps the zone. */
function ZoneChoice({ value, onChange }: ZoneChoiceProps) {
  const offered = useId()
  const [typed, type] = useState<string>()
  const isNeeded = typed !== undefined || value !== ''
  const { data } = useQuery({ ...q('listZones', { params: { organizationId: useOrganization() } }), enabled: isNeeded })
  const zones = data ?? []
  const chosen = zones.find(({ id }) => id === value)?.name ?? (value && data ? 'Deleted zone' : '')
  const text = foldName(typed ?? '')
  const matching = typed === undefined ? [] : zones.filter(({ name }) => foldName(name).includes(text)).slice(0, mostOffered)

  function choose(next: string) {
    type(next)
    const zone = zones.find(({ name }) => foldName(name) === foldName(next))
    if (zone || next.trim() === '') onChange(zone?.id ?? '')
  }

  return (
    <>
      <Input
        aria-label="Zone"
        placeholder="All zones"
        autoComplete="off"
        maxLength={1024}
        list={offered}
        value={typed ?? chosen}
        onFocus={() => type(chosen)}
        onBlur={() => type(undefined)}
        onChange={({ target }) => choose(target.value)}
      />
      <datalist id={offered}>
        {matching.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  )
}
