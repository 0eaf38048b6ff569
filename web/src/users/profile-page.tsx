import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { Link } from 'react-router'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSession } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ProfileForm } from './profile-form.tsx'

/** `/profile` (spec §2). */
export default function ProfilePage() {
  useDocumentTitle('Profile')
  const { logout } = useSession()
  const { data: person, error, refetch, isFetching } = useQuery(q('getCurrentUser', {}))
  return (
    <Page>
      <PageHead
        title="Profile"
        intro="How colleagues see you, and how support reaches you."
        actions={
          <Button icon={LogOut} onClick={() => void logout()}>
            Log out
          </Button>
        }
      />
      {person ? (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,44rem)_20rem]">
          <ProfileForm person={person} />
          {person.group && (
            <Panel title="Your group">
              <p className="font-semibold wrap-anywhere">{person.group.name}</p>
              <Link to={paths.group()} className="link mt-2 inline-block text-13">
                Members and invitation link
              </Link>
            </Panel>
          )}
        </div>
      ) : (
        <Panel flush aria-label="Profile">
          {error ? (
            <ErrorPanel message={error.message} onRetry={() => void refetch()} retrying={isFetching} />
          ) : (
            <p className="p-4" role="status">
              Loading...
            </p>
          )}
        </Panel>
      )}
    </Page>
  )
}
