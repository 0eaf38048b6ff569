import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { Button } from '../../ui/button/button.tsx'
import type { Close } from '../../ui/dialog/dialog.tsx'
import { DialogPanel } from '../../ui/dialog/dialog-panel.tsx'
import { type Among, type ManyZones, noZones, pickAmong, toChoosable } from './chosen-zones.ts'
import { PartialTags } from './partial-tags.tsx'
import { ZoneChooser } from './zone-chooser.tsx'
import { toManyZones, toPick, type ZonePick } from './zone-pick.ts'

interface ZonePickerProps {
  organizationId: string
  title?: string
  hint?: string
  chosen: ManyZones | undefined
  among?: Among | undefined
  close: Close<ManyZones>
}

export function ZonePicker({ organizationId, title = 'Choose zones', hint, chosen, among, close }: ZonePickerProps) {
  const query = useQuery(q('listZoneSelection', { params: { organizationId } }))
  const zones = useMemo(() => (query.data ? pickAmong(toChoosable(query.data), among) : noZones), [query.data, among])
  const before = useMemo(() => toPick(zones, chosen), [zones, chosen])
  const [choice, setChoice] = useState<ZonePick>()
  const current = choice ?? before
  const many = useMemo(() => toManyZones(zones, current), [zones, current])
  return (
    <DialogPanel
      wide
      title={title}
      actions={
        <>
          <Button onClick={() => close()}>Cancel</Button>
          <Button
            variant="primary"
            disabledReason={many.zones.length === 0 ? 'Choose at least one zone.' : undefined}
            onClick={() => close(many)}
          >
            Use {counted(many.zones.length, 'zone')}
          </Button>
        </>
      }
    >
      {hint && <p className="mb-3 text-13 text-ink-2">{hint}</p>}
      <ZoneChooser query={query} zones={zones} choice={current} onChoose={setChoice} />
      <PartialTags organizationId={organizationId} chosen={current.tags} className="mt-3" />
    </DialogPanel>
  )
}
