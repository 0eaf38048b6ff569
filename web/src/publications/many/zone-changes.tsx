import { counted } from '@lectern/contract/text/numbers.ts'
import { Button } from '../../ui/button/button.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { type ConfigZone, toConfigZone } from '../wizard.ts'
import type { findChanges, NamedZone } from './chosen-zones.ts'

export interface ZoneChangesProps {
  chosen: ConfigZone
  changes: NonNullable<ReturnType<typeof findChanges>>
  onChoose: (zone: ConfigZone | null) => void
}

const named = 5

const formatNames = (zones: readonly NamedZone[]): string => {
  const more = zones.length > named ? [`${zones.length - named} more`] : []
  return new Intl.ListFormat('en-GB').format([...zones.slice(0, named).map(({ name }) => name), ...more])
}

/** What became of the chosen zones since they were chosen. */
export function ZoneChanges({ chosen, changes: { gone, added, now }, onChoose }: ZoneChangesProps) {
  const filter = chosen.many?.filter
  return (
    <Notice kind="bad" className="mb-4">
      {gone.length > 0 && `${formatNames(gone)} ${filter ? 'no longer matches' : 'was deleted'}. `}
      {added.length > 0 && `${formatNames(added)} matches now as well. `}
      <Button variant="link" onClick={() => onChoose(toConfigZone({ zones: now, ...(filter && { filter }) }))}>
        {now.length === 0 ? 'Choose other zones' : `Go on with ${counted(now.length, 'zone')}`}
      </Button>
    </Notice>
  )
}
