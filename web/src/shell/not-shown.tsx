import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { useScreens } from '../lib/screens.ts'
import { useSession } from '../lib/session.ts'
import { useSettings } from '../lib/settings.ts'
import { paths, patterns } from '../paths.ts'
import { AskManagers } from '../people/ask-managers.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { MessagePage } from './message-page.tsx'

export function NotAllowed({ missing, organizationId }: { missing: readonly string[]; organizationId: string | null }) {
  return (
    <MessagePage title="Not allowed">
      <p>
        This page needs the permission {quotePermissions(missing, ' and ')}.{' '}
        {organizationId !== null && <AskManagers organizationId={organizationId} />}
      </p>
    </MessagePage>
  )
}

export function BeyondZones({ organizationId }: { organizationId: string | null }) {
  return (
    <MessagePage title="Not for your role">
      <p>
        Your role is limited to zones, and this page is about the whole organization.{' '}
        {organizationId !== null && <AskManagers organizationId={organizationId} />}
      </p>
    </MessagePage>
  )
}

// Staff have no organization. Other users get theirs when they register.
export function NoOrganization() {
  const { user } = useSession()
  const { providerName } = useSettings()
  const isStaff = useScreens()(patterns.organizations) !== null
  return (
    <MessagePage
      title={isStaff ? 'No organization' : 'No organization yet'}
      actions={
        isStaff && (
          <ButtonLink to={paths.organizations()} variant="primary">
            All Organizations
          </ButtonLink>
        )
      }
    >
      {isStaff ? (
        <>
          <p>This page is about one customer's organization and its readers.</p>
          <p>Staff of {providerName} belong to no organization.</p>
        </>
      ) : (
        <p>
          Your account belongs to no organization. Whoever manages people at your company can invite you, under People, at{' '}
          <b>{user?.email}</b>.
        </p>
      )}
    </MessagePage>
  )
}
