import type { ReactNode } from 'react'
import { MessagePage } from './message-page.tsx'

/** A screen of the specification that is not built yet. */
export function UpcomingPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <MessagePage title={title}>
      <p>{children}</p>
    </MessagePage>
  )
}
