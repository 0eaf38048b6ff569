import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { OrganizationSchedule } from './organization-schedule.tsx'
import { ZoneSchedules } from './zone-schedules.tsx'

export default function PublishingSettingsPage() {
  useDocumentTitle('Publishing settings')
  const organizationId = useOrganization()
  const query = useQuery(q('getSchedule', { params: { organizationId } }))
  return (
    <Page>
      <PageHead
        title="Publishing settings"
        intro="When readers of your organization may update, on the clock of each zone’s host PC. Runs that wait move with it."
        actions={<ButtonLink to={paths.calendar()}>Calendar</ButtonLink>}
      />
      <QueryStates query={query} failed="Error loading the settings">
        {(schedule) => (
          <div className="grid gap-4">
            <OrganizationSchedule organizationId={organizationId} schedule={schedule} />
            <ZoneSchedules organizationId={organizationId} schedule={schedule} />
          </div>
        )}
      </QueryStates>
    </Page>
  )
}
