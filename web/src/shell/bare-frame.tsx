import type { ReactNode } from 'react'
import { useSession } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { Page, SkipLink } from '../ui/layout/page.tsx'
import { TopBar } from '../ui/layout/top-bar.tsx'

export function BareFrame({ children }: { children: ReactNode }) {
  const { user, logout } = useSession()
  return (
    <>
      <SkipLink />
      <TopBar
        organization={
          <div className="top-bar-organization">
            <span>Signed in as</span>
            <b>{user?.email}</b>
          </div>
        }
        end={
          <Button variant="ghost" onClick={() => void logout()}>
            Log out
          </Button>
        }
      />
      <Page className="grid place-items-center py-8">{children}</Page>
    </>
  )
}
