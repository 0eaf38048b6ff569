import { ScheduleInput, type WholeSchedule } from '@lectern/contract/schedule/schedule.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useEdit } from '../lib/form/edit.ts'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormPage } from '../ui/form/form-page.tsx'
import { BlockedDayList, WindowList } from './schedule-lists.tsx'

const toValues = ({ windows, blockedDays }: WholeSchedule): ScheduleInput => ({ windows, blockedDays })

export function OrganizationSchedule({ organizationId, schedule }: { organizationId: string; schedule: WholeSchedule }) {
  const toast = useToast()
  const params = { organizationId }
  const edit = useEdit(schedule, q('getSchedule', { params }))
  const { mutateAsync } = useMutation('setSchedule', { errorInPlace: true })
  const bound = useContractForm({
    schema: ScheduleInput,
    values: toValues(schedule),
    toValues,
    draft: 'schedule',
    edit,
    save: (body, basedOn) => mutateAsync({ params, body, basedOn }),
    onSaved(saved) {
      bound.form.reset(toValues(saved))
      edit.resume(saved)
      toast({ title: 'Settings saved', detail: 'Runs that wait keep to them.' })
    },
  })
  return (
    <FormPage title="All zones" noun="settings" bound={bound} submit={['Save', 'Saving']}>
      <WindowList empty="Runs may be at any time." />
      <BlockedDayList />
    </FormPage>
  )
}
