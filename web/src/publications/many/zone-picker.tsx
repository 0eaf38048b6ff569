import './zone-picker.css'
import { counted } from '@lectern/contract/text/numbers.ts'
import type { TagCount } from '@lectern/contract/zones.ts'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { Button } from '../../ui/button/button.tsx'
import type { Close } from '../../ui/dialog/dialog.tsx'
import { DialogPanel } from '../../ui/dialog/dialog-panel.tsx'
import { QueryStates } from '../../ui/feedback/query-states.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { SearchInput } from '../../ui/input/search-input.tsx'
import {
  type Among,
  type ChoosableZone,
  countTags,
  formatChosen,
  type ManyZones,
  matchZones,
  pickAmong,
  toChoosable,
} from './chosen-zones.ts'
import { PartialTags } from './partial-tags.tsx'
import { ZoneList } from './zone-list.tsx'

interface ZonePickerProps {
  organizationId: string
  title?: string
  hint?: string
  chosen: ManyZones | undefined
  among?: Among | undefined
  close: Close<ManyZones>
}

const noZones: readonly ChoosableZone[] = []
const shownTags = 60

export function ZonePicker({ organizationId, title = 'Choose zones', hint, chosen, among, close }: ZonePickerProps) {
  const params = { organizationId }
  const selection = useQuery(q('listZoneSelection', { params }))
  const tags = useQuery(q('listTags', { params }))
  const zones = useMemo(() => (selection.data ? pickAmong(toChoosable(selection.data), among) : noZones), [selection.data, among])
  const picking = usePicking(zones, chosen)
  const { filter, matching, picked, rule } = picking
  const list = useRef<{ focus: () => void }>(null)
  return (
    <DialogPanel
      wide
      title={title}
      actions={
        <>
          <Button onClick={() => close()}>Cancel</Button>
          <Button
            variant="primary"
            disabledReason={picked.length === 0 ? 'Choose at least one zone.' : undefined}
            onClick={() => close({ zones: picked.map(({ id, name }) => ({ id, name })), ...(rule && { filter: rule }) })}
          >
            Use {counted(picked.length, 'zone')}
          </Button>
        </>
      }
    >
      <div className="many-zones">
        {hint && <p className="text-13 text-ink-2">{hint}</p>}
        <SearchInput
          label="Search zones"
          placeholder="Zone name"
          value={filter.search}
          onChange={(event) => picking.setSearch(event.target.value)}
          onKeyDown={(event) => goDown(event, list.current)}
        />
        <Tags tags={among ? countTags(zones) : (tags.data ?? [])} chosen={filter.tags} onToggle={picking.toggleTag} />
        <QueryStates query={selection} failed="Error loading zones" loading={<p role="status">Loading...</p>}>
          {() => (
            <>
              <div className="many-zones-bar">
                <span role="status">{counted(matching.length, 'zone')} match</span>
                <span className="flex gap-4">
                  <Button variant="link" onClick={picking.pickMatching}>
                    Choose all that match
                  </Button>
                  <Button variant="link" onClick={picking.clear}>
                    Choose none
                  </Button>
                </span>
              </div>
              <ZoneList ref={list} zones={matching} picked={picking.ids} onToggle={picking.toggle} />
            </>
          )}
        </QueryStates>
        <p className="text-13 text-ink-2">{formatChosen(picked)}</p>
        {rule?.tags && <PartialTags organizationId={organizationId} chosen={rule.tags} />}
      </div>
    </DialogPanel>
  )
}

function goDown(event: KeyboardEvent, list: { focus: () => void } | null) {
  if (event.key !== 'ArrowDown') return
  event.preventDefault()
  list?.focus()
}

function usePicking(zones: readonly ChoosableZone[], chosen: ManyZones | undefined) {
  const [search, setSearch] = useState(chosen?.filter?.search ?? '')
  const [tags, setTags] = useState<readonly string[]>(chosen?.filter?.tags ?? [])
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set(chosen?.zones.map(({ id }) => id)))
  const [rule, setRule] = useState(chosen?.filter)
  const filter = { search, tags }
  const late = useDeferredValue(search)
  const matching = useMemo(() => matchZones(zones, { search: late, tags: [...tags] }), [zones, late, tags])
  const picked = useMemo(() => zones.filter(({ id }) => ids.has(id)), [zones, ids])
  const set = (next: ReadonlySet<string>) => {
    setIds(next)
    setRule(undefined)
  }
  return {
    ...{ filter, matching, picked, ids, rule, setSearch },
    toggleTag: (tag: string) => setTags(tags.includes(tag) ? tags.filter((each) => each !== tag) : [...tags, tag]),
    toggle(id: string) {
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      set(next)
    },
    clear: () => set(new Set()),
    pickMatching() {
      setIds(new Set(matchZones(zones, { search, tags: [...tags] }).map(({ id }) => id)))
      setRule({ ...(search.trim() !== '' && { search: search.trim() }), ...(tags.length > 0 && { tags: [...tags] }) })
    },
  }
}

interface TagsProps {
  tags: readonly Pick<TagCount, 'tag' | 'zones'>[]
  chosen: readonly string[]
  onToggle: (tag: string) => void
}

// All of the ticked ones.
function Tags({ tags, chosen, onToggle }: TagsProps) {
  if (tags.length === 0) return null
  const shown = tags.toSorted((one, other) => other.zones - one.zones).slice(0, shownTags)
  return (
    <fieldset>
      <legend className="field-label mb-1">Tags</legend>
      <div className="many-zones-tags">
        {shown.map(({ tag, zones }) => (
          <Checkbox key={tag} checked={chosen.includes(tag)} onChange={() => onToggle(tag)}>
            {tag} <span className="text-ink-3">{zones}</span>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
