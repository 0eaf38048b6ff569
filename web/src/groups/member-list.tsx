import type { GroupMember } from '@lectern/contract/groups.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useState } from 'react'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button/button.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { useFocusOnArrival } from '../ui/focus-on-arrival.ts'

interface MemberListProps {
  members: readonly GroupMember[]
  own?: string | undefined
}

const shownFirst = 50

export function MemberList({ members, own }: MemberListProps) {
  const [showsAll, setShowsAll] = useState(false)
  // The focused button disappears, so the focus moves to the next members.
  const { list, focusOnArrival } = useFocusOnArrival<HTMLUListElement>(showsAll ? 2 : 1, 'li')
  if (members.length === 0) return <p className="p-4 text-ink-2">This group has no members.</p>
  // The user is first, so that they are always among those shown.
  const sorted = members.toSorted((one, other) => Number(other.email === own) - Number(one.email === own))
  return (
    <>
      <ul className="divide-y divide-rule" ref={list}>
        {(showsAll ? sorted : sorted.slice(0, shownFirst)).map(({ firstName, lastName, email }, place) => {
          const name = `${firstName} ${lastName}`.trim()
          return (
            <li key={email} tabIndex={place === shownFirst ? -1 : undefined} className="flex items-center gap-3 px-4 py-2.5">
              <Avatar name={name} size="medium" />
              <span className="grid min-w-0 flex-1">
                {/* A new member may not have registered yet, and so has no name. */}
                {name ? <b className="font-semibold wrap-anywhere">{name}</b> : <span className="text-ink-3">No name yet</span>}
                <span className="text-13 wrap-anywhere text-ink-2">{email}</span>
              </span>
              {email === own && <Badge>You</Badge>}
            </li>
          )
        })}
      </ul>
      {!showsAll && members.length > shownFirst && (
        <div className="border-t border-rule px-4 py-3">
          <Button
            small
            onClick={() => {
              focusOnArrival(shownFirst)
              setShowsAll(true)
            }}
          >
            Show all {formatNumber(members.length)} members
          </Button>
        </div>
      )}
    </>
  )
}
