import type { ReactNode } from 'react'
import { MessagePage } from './message-page.tsx'

export function UpcomingPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <MessagePage title={title}>
      <p>{children}</p>
    </MessagePage>
  )
}
