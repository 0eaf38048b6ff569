import './zone-list.css'
import { counted } from '@lectern/contract/text/numbers.ts'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import type { ChoosableZone } from './chosen-zones.ts'

interface ZoneListProps {
  /** `focus` moves into the list. */
  ref: Ref<{ focus: () => void }>
  zones: readonly ChoosableZone[]
  picked: ReadonlySet<string>
  /** Whether the zone is chosen and cannot be left out. */
  isFixed: (zone: ChoosableZone) => boolean
  /** A sentence for an empty list. */
  empty: string
  onToggle: (zone: ChoosableZone) => void
}

const pageOfRows = 7

/** Shows zones to tick. Only rows in sight are drawn. Tab leads to one of them, and the arrow keys lead on from there. */
export function ZoneList({ ref, zones, picked, isFixed, empty, onToggle }: ZoneListProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { active, rows, goTo, setActive } = useRows(frame, zones.length)
  useImperativeHandle(ref, () => ({ focus: () => goTo(active) }))
  if (zones.length === 0)
    return (
      <div className="zone-list">
        <p className="p-3">{empty}</p>
      </div>
    )
  function press(event: KeyboardEvent) {
    const last = zones.length - 1
    const { key } = event
    if (key === 'Enter') onToggle(zones[active]!)
    else if (key === 'ArrowDown') goTo(active + 1)
    else if (key === 'ArrowUp') goTo(active - 1)
    else if (key === 'PageDown') goTo(active + pageOfRows)
    else if (key === 'PageUp') goTo(active - pageOfRows)
    else if (key === 'Home') goTo(0)
    else if (key === 'End') goTo(last)
    else return
    event.preventDefault()
  }
  return (
    <div ref={frame} className="zone-list">
      {/* biome-ignore lint/a11y/useSemanticElements: its rows are placed by their offset */}
      <div role="list" aria-label="Zones" style={{ height: rows.getTotalSize() }} onKeyDown={press}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const zone = zones[index]!
          return (
            // biome-ignore lint/a11y/useSemanticElements: as the list
            <div
              key={zone.id}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={zones.length}
              className="zone-list-row"
              style={{ top: start }}
            >
              <Checkbox
                data-row={index}
                tabIndex={index === active ? 0 : -1}
                checked={picked.has(zone.id)}
                onFocus={() => setActive(index)}
                aria-disabled={isFixed(zone) || undefined}
                onChange={() => onToggle(zone)}
              >
                {zone.name}
                {zone.tags.length > 0 && <small> {zone.tags.join(', ')}</small>}
              </Checkbox>
              <small>{zone.hasHost ? counted(zone.readers, 'reader') : 'No host PC'}</small>
            </div>
          )
        })}
      </div>
    </div>
  )
}

function useRows(frame: { current: HTMLDivElement | null }, count: number) {
  const [chosen, setActive] = useState(0)
  // Each move makes a new object, so that the same row can be focused again.
  const [target, setTarget] = useState<{ row: number } | null>(null)
  const active = Math.max(0, Math.min(chosen, count - 1))
  const rows = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => 44,
    overscan: 6,
    // The focused row stays, however far it is scrolled away.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), active])].sort((one, other) => one - other),
  })
  useEffect(() => {
    if (target) frame.current?.querySelector<HTMLElement>(`[data-row="${target.row}"]`)?.focus({ preventScroll: true })
  }, [target, frame])
  function goTo(index: number) {
    const row = Math.max(0, Math.min(index, count - 1))
    setActive(row)
    setTarget({ row })
    rows.scrollToIndex(row)
  }
  return { active, rows, goTo, setActive }
}
