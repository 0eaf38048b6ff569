import type { GroupMember } from '@lectern/contract/groups.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/feedback/badge.tsx'

interface MemberListProps {
  members: readonly GroupMember[]
  own?: string | undefined
}

export function MemberList({ members, own }: MemberListProps) {
  if (members.length === 0) return <p className="p-4 text-ink-2">This group has no members.</p>
  return (
    <ul className="divide-y divide-rule">
      {members.map(({ firstName, lastName, email }) => {
        const name = `${firstName} ${lastName}`.trim()
        return (
          <li key={email} className="flex items-center gap-3 px-4 py-2.5">
            <Avatar name={name} size="medium" />
            <span className="grid min-w-0 flex-1">
              {/* A member who has just joined may not have registered yet. */}
              {name ? <b className="font-semibold wrap-anywhere">{name}</b> : <span className="text-ink-3">No name yet</span>}
              <span className="text-13 wrap-anywhere text-ink-2">{email}</span>
            </span>
            {email === own && <Badge>You</Badge>}
          </li>
        )
      })}
    </ul>
  )
}
