import { LogOut } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '../lib/session.ts'
import { Avatar } from '../ui/avatar.tsx'

/** The round profile picture at the end of the bar: leads to the profile, or opens a small menu where there is no such screen. */
export function Profile({ to }: { to: string | null }) {
  const { user, logout } = useSession()
  if (!user) return null
  const name = user.name || user.email
  const label = `Profile, ${name}`
  if (to !== null)
    return (
      <Link to={to} className="profile-link">
        <Picture picture={user.picture} name={name} />
        <span className="sr-only">{label}</span>
      </Link>
    )
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="profile-link">
        <Picture picture={user.picture} name={name} />
        <span className="sr-only">{label}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={8}
          className="z-30 min-w-56 rounded-lg border border-rule-2 bg-raised py-1 text-14 shadow-pop"
        >
          <DropdownMenu.Label className="border-b border-rule px-4 py-2">
            <b className="block font-semibold">{name}</b>
            <span className="text-13 text-ink-2">{user.email}</span>
          </DropdownMenu.Label>
          <DropdownMenu.Item
            className="flex min-h-9 cursor-pointer items-center gap-2 px-4 data-highlighted:bg-surface-2"
            onSelect={() => void logout()}
          >
            <LogOut size={16} />
            Log out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Picture({ picture, name }: { picture: string | undefined; name: string }) {
  const [broken, setBroken] = useState(false)
  // The embedded provider draws initials where there is no photograph; ours are in our own typeface.
  if (!picture || broken || picture.startsWith('data:')) return <Avatar name={name} size="large" />
  return (
    <img
      src={picture}
      alt=""
      width={40}
      height={40}
      className="avatar avatar-large object-cover"
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  )
}
