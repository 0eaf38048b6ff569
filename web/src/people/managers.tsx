import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { mailLink } from '../lib/mail-link.ts'
import { useIsLimited, usePermissions } from '../lib/session.ts'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { everyMember, limitedMember } from './permission-words.ts'
import { RoleEffects } from './role-effects.tsx'

// For a member who does not manage people: whom to ask, and what they may do themselves.
export function Managers({ organizationId }: { organizationId: string }) {
  const managers = useQuery(q('listManagers', { params: { organizationId } }))
  const { data: person } = useQuery(q('getCurrentUser', {}))
  const role = person?.organizations?.find(({ id }) => id === organizationId)?.role
  const permissions = usePermissions()
  const isLimited = useIsLimited()
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel flush title="Who manages people">
        <QueryStates query={managers} failed="Error loading the managers">
          {(list) =>
            list.length === 0 ? (
              <p className="p-4 text-ink-2">No member of your organization may manage people. Contact support.</p>
            ) : (
              <ul className="divide-y divide-rule">
                {list.map(({ name, email }) => (
                  <li key={email} className="grid px-4 py-2.5">
                    {name && <b className="font-semibold wrap-anywhere">{name}</b>}
                    <a href={mailLink(email)} className="link justify-self-start text-13 wrap-anywhere">
                      {email}
                    </a>
                  </li>
                ))}
              </ul>
            )
          }
        </QueryStates>
      </Panel>
      <Panel title="What you may do">
        {role && (
          <p className="mb-2">
            Your role is <b className="font-semibold wrap-anywhere">{role.name}</b>.
          </p>
        )}
        <p className="mb-2 max-w-prose text-ink-2">{isLimited ? limitedMember : everyMember}</p>
        <RoleEffects permissions={permissions} isLimited={isLimited} />
      </Panel>
    </div>
  )
}
