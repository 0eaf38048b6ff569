import { useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { Avatar } from '../ui/avatar.tsx'

/** The round profile picture at the end of the bar (spec §2). */
export function ProfileLink() {
  const { user } = useSession()
  if (!user) return null
  const name = user.name || user.email
  return (
    <Link to={paths.profile()} className="profile-link">
      <Picture picture={user.picture} name={name} />
      <span className="sr-only">Profile, {name}</span>
    </Link>
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
