import { type WholeSchedule, ZoneSchedule } from '@lectern/contract/schedule/schedule.ts'
import { formatSchedule } from '@lectern/contract/schedule/schedule-words.ts'
import { field } from '@lectern/contract/text/fields.ts'
import type { Zone } from '@lectern/contract/zones.ts'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { q, useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { Button } from '../ui/button/button.tsx'
import { type Close, useDialog } from '../ui/dialog/dialog.tsx'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { RadioField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ZoneInput } from '../zones/zone-input.tsx'
import { BlockedDayList, WindowList } from './schedule-lists.tsx'

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

const ZoneScheduleForm = z.extend(ZoneSchedule, { whose: field(z.enum(['organization', 'zone']), { label: 'Windows' }) })
const choices = [
  { value: 'organization', label: 'The organization’s' },
  { value: 'zone', label: 'Its own' },
]

interface ZoneScheduleDialogProps {
  organizationId: string
  zone: Pick<Zone, 'id' | 'name'>
  schedule: ZoneSchedule
  close: Close<void>
}

function ZoneScheduleDialog({ organizationId, zone, schedule, close }: ZoneScheduleDialogProps) {
  const toast = useToast()
  const { mutateAsync } = useMutation('setZoneSchedule', { errorInPlace: true })
  const { windows, blockedDays } = schedule
  const bound = useContractForm({
    schema: ZoneScheduleForm,
    values: { whose: windows === null ? 'organization' : 'zone', windows: windows ?? [], blockedDays },
    toInput: (values) => ({ ...values, windows: values.whose === 'organization' ? null : values.windows }),
    draft: `schedule/${zone.id}`,
    save: ({ whose, windows: own, blockedDays: days }) =>
      mutateAsync({
        params: { organizationId, location: zone.id },
        body: { windows: whose === 'organization' ? null : own, blockedDays: days },
      }),
    onSaved() {
      toast({ title: 'Settings saved', detail: zone.name })
      close()
    },
  })
  return (
    <FormDialog title={`When readers of ${zone.name} may update`} bound={bound} submit={['Save', 'Saving']} wide close={close}>
      <RadioField name="whose" options={choices} />
      {bound.form.watch('whose') === 'zone' && <WindowList empty="Runs may be at any time in this zone." />}
      <BlockedDayList />
    </FormDialog>
  )
}
