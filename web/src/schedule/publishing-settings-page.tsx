import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
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
import { SafetyFields, SafetyForm, toDefaults, toSafetyInput, toSafetyValues } from './safety-fields.tsx'
import { BlockedDayList, WindowList } from './schedule-lists.tsx'
import { ZoneSchedules } from './zone-schedules.tsx'

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
            <OrganizationDefaults organizationId={organizationId} />
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

function OrganizationDefaults({ organizationId }: { organizationId: string }) {
  const query = useQuery(q('getPublishingDefaults', { params: { organizationId } }))
  return (
    <QueryStates query={query} failed="Error loading the defaults">
      {(defaults) => <DefaultsForm organizationId={organizationId} defaults={defaults} />}
    </QueryStates>
  )
}

function DefaultsForm({ organizationId, defaults }: { organizationId: string; defaults: PublishingDefaults }) {
  const toast = useToast()
  const params = { organizationId }
  const edit = useEdit(defaults, q('getPublishingDefaults', { params }))
  const { mutateAsync } = useMutation('setPublishingDefaults', { errorInPlace: true })
  const bound = useContractForm({
    schema: SafetyForm,
    values: toSafetyValues(defaults),
    toValues: toSafetyValues,
    toInput: toSafetyInput,
    draft: 'publishing-defaults',
    edit,
    save: (values, basedOn) => mutateAsync({ params, body: toDefaults(values), basedOn }),
    onSaved(saved) {
      bound.form.reset(toSafetyValues(saved))
      edit.resume(saved)
      toast({ title: 'Defaults saved', detail: 'Later rollouts have them, unless something else is chosen.' })
    },
  })
  return (
    <FormPage title="Defaults of rollouts" noun="defaults" bound={bound} submit={['Save', 'Saving']}>
      <SafetyFields />
    </FormPage>
  )
}
