import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useState } from 'react'
import type { ConfigZone } from '../wizard.ts'
import { formatFilter } from './chosen-zones.ts'

const shown = 100

/** The zones in words, and folded by their names. */
export function ZoneNames({ zone: { name, many } }: { zone: ConfigZone }) {
  const [isOpen, setOpen] = useState(false)
  if (!many) return name
  const { zones, filter } = many
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{filter ? `${name}: ${formatFilter(filter)}` : name}</summary>
      {isOpen && (
        <ul className="mt-2 max-h-60 overflow-y-auto text-13">
          {zones.slice(0, shown).map(({ id, name: each }) => (
            <li key={id}>{each}</li>
          ))}
          {zones.length > shown && <li>and {formatNumber(zones.length - shown)} more</li>}
        </ul>
      )}
    </details>
  )
}
