import { ZoneSchedule } from '@lectern/contract/schedule/schedule.ts'
import { field } from '@lectern/contract/text/fields.ts'
import type { Zone } from '@lectern/contract/zones.ts'
import * as z from 'zod/mini'
import { useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { RadioField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { BlockedDayList, WindowList } from './schedule-lists.tsx'

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

export function ZoneScheduleDialog({ organizationId, zone, schedule, close }: ZoneScheduleDialogProps) {
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
