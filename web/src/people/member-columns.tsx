import type { Member, MemberColumn } from '@lectern/contract/people/people.ts'
import { formatMinute, formatPerson } from '../lib/format.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { MemberActions } from './member-actions.tsx'

const column = columnHelper<Member>()
const sortable = (field: MemberColumn) => ({ id: field, enableSorting: true })

interface MemberColumnOptions {
  own: string | undefined
  organizationId: string
  areReadOnly: boolean
  onRemoved: () => void
}

export const memberColumns = ({ own, ...actions }: MemberColumnOptions) =>
  column.columns([
    column.accessor((member) => formatPerson(member), {
      ...sortable('Name'),
      header: 'Name',
      meta: { className: 'sm:w-1/5 sm:min-w-24', record: 'title', width: 160 },
      cell: ({ row: { original } }) => <Person member={original} isOwn={original.email === own} />,
    }),
    column.accessor('email', {
      ...sortable('Address'),
      header: 'E-mail address',
      meta: { className: 'sm:w-1/4 sm:min-w-24 max-sm:col-span-full', record: 'subtitle', width: 180 },
      cell: ({ getValue }) => <Ellipsis>{getValue()}</Ellipsis>,
    }),
    column.accessor('role', {
      ...sortable('Role'),
      header: 'Role',
      meta: { className: 'table-name', record: 'aside', width: 90 },
      cell: ({ getValue }) => {
        const role = getValue()
        return role ? <Ellipsis>{role.name}</Ellipsis> : <span className="text-ink-3">Known at their next visit</span>
      },
    }),
    column.accessor(({ group }) => group.name, {
      ...sortable('Group'),
      header: 'Group',
      meta: { className: 'table-name', width: 120, from: 'wide' },
      cell: ({ getValue }) => <Ellipsis>{getValue()}</Ellipsis>,
    }),
    column.accessor('lastActivityAt', {
      ...sortable('LastActivity'),
      header: 'Last activity',
      sortDescFirst: true,
      meta: { width: 110, from: 'large' },
      cell: ({ getValue }) => <LastActivity at={getValue()} />,
    }),
    column.accessor('joinedAt', {
      ...sortable('Joined'),
      header: 'Joined',
      sortDescFirst: true,
      meta: { width: 90, from: 'widest' },
      cell: ({ getValue }) => <time dateTime={getValue()}>{formatMinute(getValue())}</time>,
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { numeric: true, record: 'action', width: 150 },
      cell: ({ row: { original: member } }) => <MemberActions member={member} {...actions} />,
    }),
  ])

function Person({ member, isOwn }: { member: Member; isOwn: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Ellipsis className="flex-1 font-semibold">{formatPerson(member)}</Ellipsis>
      {isOwn && <Badge>You</Badge>}
    </span>
  )
}

function LastActivity({ at }: { at: string | null }) {
  return at === null ? <span className="text-ink-3">Never</span> : <time dateTime={at}>{formatMinute(at)}</time>
}
