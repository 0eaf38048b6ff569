import './zone-chooser.css'
import { foldName } from '@lectern/contract/text/clean-name.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { QueryStates } from '../../ui/feedback/query-states.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { SearchInput } from '../../ui/input/search-input.tsx'
import { type ChoosableZone, countTags, formatChosen, matchZones } from './chosen-zones.ts'
import { ZoneList } from './zone-list.tsx'
import { addZones, allZones, formatExceptions, hasTag, noPick, pickZones, toggleTag, toggleZone, type ZonePick } from './zone-pick.ts'

const shownTags = 60

interface ZoneChooserProps {
  query: UseQueryResult<unknown>
  zones: readonly ChoosableZone[]
  choice: ZonePick
  onChoose: (choice: ZonePick) => void
  /** A sentence above the tags. */
  ofTags?: string
  /** Whether a ticked tag covers later zones too. Then no zone of a ticked tag can be left out, and "all" cannot be chosen. */
  isRule?: boolean
}

/**
 * Lets users choose zones, on every page that does. A ticked tag chooses the zones that have it. Single zones are added or left out by hand.
 * Searching chooses nothing.
 */
export function ZoneChooser({ query, zones, choice, ofTags, isRule = false, ...props }: ZoneChooserProps) {
  const [search, setSearch] = useState('')
  const late = useDeferredValue(search)
  const counts = useMemo(() => countTags(zones), [zones])
  const picked = useMemo(() => pickZones(zones, choice), [zones, choice])
  const ids = useMemo(() => new Set(picked.map(({ id }) => id)), [picked])
  const { ordered, hold } = useChosenFirst(zones, ids)
  const matching = useMemo(() => matchZones(ordered, { search: late }), [ordered, late])
  const list = useRef<{ focus: () => void }>(null)
  const onChoose = (next: ZonePick) => {
    hold()
    props.onChoose(next)
  }
  const isSearched = search.trim() !== ''
  const isFixed = (zone: ChoosableZone) => isRule && zone.tags.some((tag) => hasTag(choice, tag))
  const exceptions = formatExceptions(zones, choice)
  return (
    <div className="zone-chooser">
      <SearchInput
        label="Search zones"
        placeholder={counts.length > shownTags ? 'Zone name or tag' : 'Zone name'}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => leaveSearch(event, list.current)}
      />
      <Tags counts={counts} choice={choice} search={late} onToggle={(tag) => onChoose(toggleTag(zones, choice, tag))}>
        {ofTags}
      </Tags>
      <div className="zone-chooser-bar">
        <span role="status">{query.data === undefined ? '' : formatFound(matching.length, late)}</span>
        {zones.length > 0 && (
          <span className="flex gap-4">
            {(isSearched || !isRule) && (
              <Button variant="link" onClick={() => onChoose(isSearched ? addZones(choice, matchZones(zones, { search })) : allZones)}>
                {isSearched ? 'Choose all that match' : 'Choose all'}
              </Button>
            )}
            <Button variant="link" onClick={() => onChoose(noPick)}>
              Choose none
            </Button>
          </span>
        )}
      </div>
      <QueryStates query={query} failed="Error loading zones" loading={<Waiting />}>
        {() => (
          <ZoneList
            ref={list}
            zones={matching}
            picked={ids}
            isFixed={isFixed}
            empty={isSearched ? `No zone matches “${search.trim()}”.` : 'There is no zone yet.'}
            onToggle={(zone) => !isFixed(zone) && onChoose(toggleZone(choice, zone))}
          />
        )}
      </QueryStates>
      <p className="text-13 text-ink-2" role="status">
        {query.data !== undefined && <span className="block">{formatChosen(picked)}</span>}
        {exceptions && <span className="block">{exceptions}</span>}
      </p>
    </div>
  )
}

const formatFound = (count: number, search: string): string =>
  `${counted(count, 'zone')}${search.trim() === '' ? '' : count === 1 ? ' matches' : ' match'}`

const Waiting = () => (
  <p className="zone-chooser-waiting" role="status">
    Loading...
  </p>
)

/** Moves the focus into the list with the arrow key down. Enter must not submit the form around the search. */
function leaveSearch(event: KeyboardEvent, list: { focus: () => void } | null) {
  if (event.key === 'Enter') event.preventDefault()
  if (event.key !== 'ArrowDown') return
  event.preventDefault()
  list?.focus()
}

/** Puts zones first that were chosen when the chooser opened. Once the user chooses, no zone moves any more. */
function useChosenFirst(zones: readonly ChoosableZone[], chosen: ReadonlySet<string>) {
  const [held, setHeld] = useState<ReadonlySet<string>>()
  const first = held ?? chosen
  const ordered = useMemo(
    () => (first.size === 0 ? zones : zones.toSorted((one, other) => Number(first.has(other.id)) - Number(first.has(one.id)))),
    [zones, first],
  )
  return { ordered, hold: () => setHeld(first) }
}

interface TagsProps {
  counts: ReturnType<typeof countTags>
  choice: ZonePick
  search: string
  onToggle: (tag: string) => void
  children: ReactNode
}

/** Shows the ticked tags, and the most frequent of the others. Searching finds the rest. */
function Tags({ counts, choice, search, onToggle, children }: TagsProps) {
  const id = useId()
  // A tag that was ticked at first is shown until the chooser closes, also without zones.
  const [before] = useState(choice.tags)
  const tags = useMemo(() => {
    const sorted = counts.toSorted((one, other) => other.zones - one.zones || one.tag.localeCompare(other.tag))
    const gone = before.filter((tag) => !sorted.some((one) => hasTag({ tags: [tag] }, one.tag)))
    const first = (tag: string) => Number(!hasTag({ tags: before }, tag))
    return [...sorted, ...gone.map((tag) => ({ tag, zones: 0 }))].toSorted((one, other) => first(one.tag) - first(other.tag))
  }, [counts, before])
  if (tags.length === 0) return null
  const isLong = tags.length > shownTags
  const part = foldName(search)
  const matching = isLong ? tags.filter(({ tag }) => hasTag(choice, tag) || foldName(tag).includes(part)) : tags
  const left = Math.max(0, matching.length - shownTags)
  return (
    <fieldset aria-describedby={children ? id : undefined}>
      <legend className="field-label mb-1">Tags</legend>
      {children && (
        <p id={id} className="mb-1 text-13 text-ink-2">
          {children}
        </p>
      )}
      <div className="zone-chooser-tags" data-long={isLong || undefined}>
        {matching.slice(0, shownTags).map(({ tag, zones: count }) => (
          <Checkbox key={tag} checked={hasTag(choice, tag)} onChange={() => onToggle(tag)}>
            {tag} <span className="text-ink-3">{formatNumber(count)}</span>
          </Checkbox>
        ))}
        {left > 0 && <span className="text-13 text-ink-2">and {formatNumber(left)} more, which searching finds</span>}
      </div>
    </fieldset>
  )
}
