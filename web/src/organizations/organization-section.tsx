import './organization-section.css'
import { type OrganizationEntry, shownGroups } from '@lectern/contract/organizations.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { q } from '../lib/api/query.ts'
import { useLinkState } from '../lib/list-address.ts'
import { useScreens } from '../lib/screens.ts'
import { paths, patterns } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { OrganizationName } from './organization-name.tsx'

export function OrganizationSection({ organization }: { organization: OrganizationEntry }) {
  const { id, name, hasMoreGroups } = organization
  const heading = useId()
  const linkState = useLinkState()
  const list = useRef<HTMLUListElement>(null)
  const [showsAll, setShowsAll] = useState(false)
  const whole = useQuery({ ...q('getOrganization', { params: { organizationId: id } }), enabled: showsAll })
  const all = showsAll ? whole.data?.groups.map((group) => ({ ...group, memberCount: group.users.length })) : undefined
  const groups = all ?? organization.groups

  const isWhole = all !== undefined
  useEffect(() => {
    // The focused button disappears, so the focus moves.
    if (isWhole) list.current?.children[shownGroups]?.querySelector('a')?.focus()
  }, [isWhole])

  return (
    <section className="organization" aria-labelledby={heading}>
      <Head organization={organization} headingId={heading} />
      <div className="organization-groups">
        {groups.length === 0 && <p className="px-4 py-3.5 text-13 text-ink-3">No groups yet.</p>}
        <ul className="organization-grid" ref={list}>
          {groups.map((group) => (
            <li key={group.gid}>
              <b>{group.name}</b>
              <span>{formatNumber(group.memberCount)} Members in the group</span>
              <Link
                className="link"
                to={paths.groupDetails({ organizationId: id, groupId: group.gid })}
                state={linkState}
                aria-label={`View Group ${group.name}`}
              >
                View Group
              </Link>
            </li>
          ))}
        </ul>
        {hasMoreGroups && !isWhole && (
          <div className="grid justify-items-start gap-2 px-4 py-3.5">
            {whole.isError && showsAll && <FieldError>The other groups could not be loaded. {whole.error.message}</FieldError>}
            <Button
              small
              busy={whole.isFetching}
              busyLabel="Loading"
              onClick={() => {
                if (showsAll) void whole.refetch()
                setShowsAll(true)
              }}
            >
              Show all groups<span className="sr-only"> of {name || id}</span>
            </Button>
            <p className="text-12 text-ink-3">The first {counted(shownGroups, 'group')} are shown.</p>
          </div>
        )}
      </div>
    </section>
  )
}

function Head({ organization, headingId }: { organization: OrganizationEntry; headingId: string }) {
  const { id, name, hasEpicData } = organization
  const canAudit = useScreens()(patterns.organizationAuditLog) !== null
  return (
    <div className="organization-head">
      <h2 className="heading-3" id={headingId}>
        <OrganizationName organization={organization} />
      </h2>
      {name && <p className="mono text-12 text-ink-3">{id}</p>}
      {hasEpicData && <Badge>Epic data</Badge>}
      {canAudit && (
        <Link className="link mt-1.5 text-13" to={paths.organizationAuditLog({ organizationId: id })}>
          View Audit Log<span className="sr-only"> of {name || id}</span>
        </Link>
      )}
    </div>
  )
}
