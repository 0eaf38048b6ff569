import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '../../lib/api/query.ts'
import { noZones, toChoosable } from './chosen-zones.ts'
import { ZoneChooser } from './zone-chooser.tsx'
import { noPick, type ZonePick } from './zone-pick.ts'

interface RuleChooserProps {
  organizationId: string
  /** The ids of the chosen zones. One that was deleted since is left out with the next change. */
  zones: readonly string[]
  tags: readonly string[]
  ofTags: string
  onChoose: (chosen: { zones: string[]; tags: string[] }) => void
}

/** Lets users of a form choose zones by name, and tags that also cover later zones. */
export function RuleChooser({ organizationId, zones: chosen, tags, ofTags, onChoose }: RuleChooserProps) {
  const query = useQuery(q('listZoneSelection', { params: { organizationId } }))
  const zones = useMemo(() => (query.data ? toChoosable(query.data) : noZones), [query.data])
  const choice = useMemo((): ZonePick => ({ ...noPick, tags, added: new Set(chosen) }), [chosen, tags])
  return (
    <div className="mt-2 rounded-md border border-rule p-3">
      <ZoneChooser
        isRule
        query={query}
        zones={zones}
        choice={choice}
        ofTags={ofTags}
        onChoose={(next) => onChoose({ zones: zones.filter(({ id }) => next.added.has(id)).map(({ id }) => id), tags: [...next.tags] })}
      />
    </div>
  )
}
