import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { Input } from '../../ui/input/input.tsx'

// Of all zones that match, which may be thousands.
const mostOffered = 50

interface ZoneChoiceProps {
  /** A zone's id; empty for all zones. */
  value: string
  onChange: (zone: string) => void
}

/** A zone is typed or chosen by its name; leaving the field with another text keeps the zone. */
export function ZoneChoice({ value, onChange }: ZoneChoiceProps) {
  const offered = useId()
  const [typed, type] = useState<string>()
  const isNeeded = typed !== undefined || value !== ''
  const { data } = useQuery({ ...q('listZones', { params: { organizationId: useOrganization() } }), enabled: isNeeded })
  const zones = data ?? []
  const chosen = zones.find(({ id }) => id === value)?.name ?? (value && data ? 'Deleted zone' : '')
  const text = typed?.trim().toLowerCase() ?? ''
  const matching = typed === undefined ? [] : zones.filter(({ name }) => name.toLowerCase().includes(text)).slice(0, mostOffered)

  function choose(next: string) {
    type(next)
    const zone = zones.find(({ name }) => name.toLowerCase() === next.trim().toLowerCase())
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
