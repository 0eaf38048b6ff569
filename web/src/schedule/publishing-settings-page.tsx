import { ScheduleInput, type WholeSchedule } from '@lectern/contract/schedule/schedule.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useEdit } from '../lib/form/edit.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormPage } from '../ui/form/form-page.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { BlockedDayList, WindowList } from './schedule-lists.tsx'

const ZoneSchedules = lazyPart(async () => (await import('./zone-schedules.tsx')).ZoneSchedules, null)
const SafetyDefaults = lazyPart(async () => (await import('./safety-defaults.tsx')).SafetyDefaults, null)

export default function PublishingSettingsPage() {
  useDocumentTitle('Publishing settings')
  const organizationId = useOrganization()
  const query = useQuery(q('getSchedule', { params: { organizationId } }))
  return (
    <Page>
      <PageHead
        title="Publishing settings"
        intro="When readers of your organization may update, on the clock of each zone’s host PC, and what protects a rollout. Runs that wait move with the windows."
        actions={<ButtonLink to={paths.calendar()}>Calendar</ButtonLink>}
      />
      <QueryStates query={query} failed="Error loading the settings">
        {(schedule) => (
          <div className="grid gap-4">
            <OrganizationSchedule organizationId={organizationId} schedule={schedule} />
            <ZoneSchedules organizationId={organizationId} schedule={schedule} />
            <SafetyDefaults organizationId={organizationId} />
          </div>
        )}
      </QueryStates>
    </Page>
  )
}

const toValues = ({ windows, blockedDays }: WholeSchedule): ScheduleInput => ({ windows, blockedDays })

function OrganizationSchedule({ organizationId, schedule }: { organizationId: string; schedule: WholeSchedule }) {
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
