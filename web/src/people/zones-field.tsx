import { foldName } from '@lectern/contract/text/clean-name.ts'
import './zones-field.css'
import type { RoleInput } from '@lectern/contract/people/roles.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import type { Zone } from '@lectern/contract/zones.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
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
  { value: 'some', label: 'Only the zones that you choose, by name or by tag' },
]

/** What a role is limited to. */
export function ZonesField({ organizationId }: { organizationId: string }) {
  const { field } = useController<RoleInput, 'zones'>({ name: 'zones' })
  // Zones are needed where no tag is chosen.
  const { field: tagField } = useController<RoleInput, 'tags'>({ name: 'tags', rules: { deps: ['zones'] } })
  const { label, error } = useBoundField('zones')
  const { error: tagError } = useBoundField('tags')
  const chosen = field.value ?? null
  // Choosing all, and some again, keeps which.
  const [last, setLast] = useState<string[]>(chosen ?? [])
  const choose = (zones: string[]) => {
    setLast(zones)
    field.onChange(zones)
  }
  const refusal = error ?? tagError
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
      {chosen && (
        <LimitPicker
          organizationId={organizationId}
          zones={chosen}
          tags={tagField.value ?? []}
          onZones={choose}
          onTags={tagField.onChange}
        />
      )}
      {refusal && (
        <div role="alert">
          <FieldError>{refusal}</FieldError>
        </div>
      )}
    </div>
  )
}

interface Chosen {
  zones: readonly string[]
  tags: readonly string[]
  onZones: (zones: string[]) => void
  onTags: (tags: string[]) => void
}

function LimitPicker({ organizationId, ...chosen }: Chosen & { organizationId: string }) {
  const query = useQuery(q('listZones', { params: { organizationId } }))
  return (
    <QueryStates query={query} failed="Error loading the zones">
      {(zones) =>
        zones.length === 0 ? <p className="text-13 text-ink-2">There is no zone yet.</p> : <ZonePicker all={zones} {...chosen} />
      }
    </QueryStates>
  )
}

const countByTag = (zones: readonly Zone[]) => {
  const counts = new Map<string, number>()
  for (const { tags = [] } of zones) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}

function ZonePicker({ all, zones: chosen, tags, onZones, onTags }: Chosen & { all: readonly Zone[] }) {
  const [search, setSearch] = useState('')
  const text = foldName(search)
  // Those chosen before come first; none moves while others are chosen.
  const [before] = useState(() => new Set(chosen))
  const matching = useMemo(
    () =>
      all
        .filter(({ name }) => foldName(name).includes(text))
        .toSorted((one, other) => Number(before.has(other.id)) - Number(before.has(one.id))),
    [all, text, before],
  )
  const isChosen = useMemo(() => new Set(chosen), [chosen])
  const tagged = ({ tags: own = [] }: Zone) => own.find((tag) => tags.includes(tag))
  // Zones that are deleted since are left out.
  const toggle = (id: string, isOn: boolean) => onZones(all.map((zone) => zone.id).filter((one) => (one === id ? isOn : isChosen.has(one))))
  const covered = all.filter((zone) => isChosen.has(zone.id) || tagged(zone)).length
  return (
    <div className="zone-picker">
      <SearchInput
        label="Search zones and tags to choose"
        placeholder="Zone name or tag"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        // It would send the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <TagChoices all={all} chosen={tags} text={text} onChange={onTags} />
      <p className="zone-picker-head text-13 text-ink-2">
        <span role="status">
          {formatNumber(all.filter(({ id }) => isChosen.has(id)).length)} of {counted(all.length, 'zone')} chosen
          {tags.length > 0 && `; with those tagged, the role covers ${counted(covered, 'zone')} now`}
        </span>
        {text !== '' && matching.length > 0 && (
          <Button variant="link" small onClick={() => onZones([...new Set([...chosen, ...matching.map(({ id }) => id)])])}>
            Choose all {counted(matching.length, 'match', 'matches')}
          </Button>
        )}
      </p>
      <ul className="zone-picker-list" aria-label="Zones to choose from">
        {matching.map((zone) => (
          <li key={zone.id}>
            <Checkbox checked={isChosen.has(zone.id)} onChange={({ target }) => toggle(zone.id, target.checked)}>
              <bdi className="wrap-anywhere">{zone.name}</bdi>
              {tagged(zone) && <span className="text-13 text-ink-2"> tagged {tagged(zone)}</span>}
            </Checkbox>
          </li>
        ))}
      </ul>
      {matching.length === 0 && <p className="text-13 text-ink-2">No zone matches “{search.trim()}”.</p>}
    </div>
  )
}

interface TagChoicesProps {
  all: readonly Zone[]
  chosen: readonly string[]
  text: string
  onChange: (tags: string[]) => void
}

function TagChoices({ all, chosen, text, onChange }: TagChoicesProps) {
  const id = useId()
  const counts = useMemo(() => countByTag(all), [all])
  // One that no zone has any more stays until it is taken away.
  const [before] = useState(chosen)
  const tags = [...new Set([...before, ...[...counts.keys()].toSorted((one, other) => one.localeCompare(other))])]
  const matching = tags.filter((tag) => foldName(tag).includes(text))
  if (matching.length === 0) return null
  return (
    <fieldset className="grid gap-1" aria-describedby={id}>
      <legend className="field-label">Tags</legend>
      <p id={id} className="text-13 text-ink-2">
        The role covers every zone that has one of the chosen tags, also those that get it later.
      </p>
      <div className="zone-picker-tags">
        {matching.map((tag) => (
          <Checkbox
            key={tag}
            checked={chosen.includes(tag)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, tag] : chosen.filter((one) => one !== tag))}
          >
            <bdi className="wrap-anywhere">{tag}</bdi> <span className="text-13 text-ink-2">{counted(counts.get(tag) ?? 0, 'zone')}</span>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
