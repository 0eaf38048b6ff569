import type { WholeSchedule, ZoneSchedule } from '@lectern/contract/schedule/schedule.ts'
import { formatSchedule } from '@lectern/contract/schedule/schedule-words.ts'
import type { Zone } from '@lectern/contract/zones.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ZoneInput } from '../zones/zone-input.tsx'
import { ZoneScheduleDialog } from './zone-schedule-dialog.tsx'

const none: ZoneSchedule = { windows: null, blockedDays: [] }

export function ZoneSchedules({ organizationId, schedule }: { organizationId: string; schedule: WholeSchedule }) {
  const dialog = useDialog()
  const zones = useQuery(q('listZones', { params: { organizationId } })).data
  const edit = (zone: Pick<Zone, 'id' | 'name'>) =>
    dialog.open<void>((close) => (
      <ZoneScheduleDialog
        organizationId={organizationId}
        zone={zone}
        schedule={schedule.zones.find(({ zoneId }) => zoneId === zone.id) ?? none}
        close={close}
      />
    ))
  return (
    <Panel title="Single zones">
      <div className="grid max-w-160 gap-4">
        <p>A zone may have windows of its own in place of these, and more blocked days.</p>
        {schedule.zones.length > 0 && (
          <ul className="divide-y divide-rule">
            {schedule.zones.map(({ zoneId, zone, ...own }) => (
              <li key={zoneId} className="flex items-center gap-3 py-2">
                <span className="grid min-w-0 flex-1">
                  <Ellipsis className="font-semibold">{zone}</Ellipsis>
                  <span className="text-13 text-ink-2 wrap-anywhere">{formatSchedule(own)}</span>
                </span>
                <Button small aria-label={`Edit ${zone}`} onClick={() => edit({ id: zoneId, name: zone })}>
                  Edit
                </Button>
              </li>
            ))}
          </ul>
        )}
        <ZoneInput
          label="Set for a zone"
          placeholder="Set for a zone: its name"
          zones={zones}
          chosen={undefined}
          onChoose={(zone) => zone && void edit(zone)}
        />
      </div>
    </Panel>
  )
}
