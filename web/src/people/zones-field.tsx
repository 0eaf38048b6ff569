import './zones-field.css'
import type { RoleInput } from '@lectern/contract/people/roles.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useController } from 'react-hook-form'
import { q } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { useBoundField } from '../ui/form/bound-form.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { RadioGroup } from '../ui/input/radio-group.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'

const choices = [
  { value: 'all', label: 'All zones, and the organization as a whole' },
  { value: 'some', label: 'Only the zones that you choose' },
]

/** What a role is limited to. */
export function ZonesField({ organizationId }: { organizationId: string }) {
  const { field } = useController<RoleInput, 'zones'>({ name: 'zones' })
  const { label, error } = useBoundField('zones')
  const chosen = field.value ?? null
  // Choosing all, and some again, keeps which.
  const [last, setLast] = useState<string[]>(chosen ?? [])
  const choose = (zones: string[]) => {
    setLast(zones)
    field.onChange(zones)
  }
  return (
    <div className="field">
      <span className="field-label" aria-hidden="true">
        {label}
      </span>
      <RadioGroup
        className="radio-group-stacked"
        label={label}
        options={choices}
        value={chosen === null ? 'all' : 'some'}
        onChange={(value) => field.onChange(value === 'all' ? null : last)}
      />
      {chosen && <ZonePicker organizationId={organizationId} chosen={chosen} onChange={choose} />}
      {error && (
        <div role="alert">
          <FieldError>{error}</FieldError>
        </div>
      )}
    </div>
  )
}

interface ZonePickerProps {
  organizationId: string
  chosen: readonly string[]
  onChange: (zones: string[]) => void
}

function ZonePicker({ organizationId, chosen, onChange }: ZonePickerProps) {
  const query = useQuery(q('listZones', { params: { organizationId } }))
  const [search, setSearch] = useState('')
  const text = search.trim().toLowerCase()
  // Those chosen before come first; none moves while others are chosen.
  const [before] = useState(() => new Set(chosen))
  const matching = useMemo(
    () =>
      (query.data ?? [])
        .filter(({ name }) => name.toLowerCase().includes(text))
        .toSorted((one, other) => Number(before.has(other.id)) - Number(before.has(one.id))),
    [query.data, text, before],
  )
  const isChosen = useMemo(() => new Set(chosen), [chosen])
  // Zones that are deleted since are left out.
  const toggle = (id: string, isOn: boolean) =>
    onChange((query.data ?? []).map((zone) => zone.id).filter((one) => (one === id ? isOn : isChosen.has(one))))
  return (
    <QueryStates query={query} failed="Error loading the zones">
      {(zones) =>
        zones.length === 0 ? (
          <p className="text-13 text-ink-2">There is no zone yet.</p>
        ) : (
          <div className="zone-picker">
            <SearchInput
              label="Search zones to choose"
              placeholder="Zone name"
              value={search}
              onChange={({ target }) => setSearch(target.value)}
              // It would send the form.
              onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            />
            <p className="zone-picker-head text-13 text-ink-2">
              <span role="status">
                {formatNumber(zones.filter(({ id }) => isChosen.has(id)).length)} of {counted(zones.length, 'zone')} chosen
              </span>
              {text !== '' && matching.length > 0 && (
                <Button variant="link" small onClick={() => onChange([...new Set([...chosen, ...matching.map(({ id }) => id)])])}>
                  Choose all {counted(matching.length, 'match', 'matches')}
                </Button>
              )}
            </p>
            <ul className="zone-picker-list" aria-label="Zones to choose from">
              {matching.map(({ id, name }) => (
                <li key={id}>
                  <Checkbox checked={isChosen.has(id)} onChange={({ target }) => toggle(id, target.checked)}>
                    <bdi className="wrap-anywhere">{name}</bdi>
                  </Checkbox>
                </li>
              ))}
            </ul>
            {matching.length === 0 && <p className="text-13 text-ink-2">No zone matches “{search.trim()}”.</p>}
          </div>
        )
      }
    </QueryStates>
  )
}
