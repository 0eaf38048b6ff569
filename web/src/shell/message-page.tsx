import type { ReactNode } from 'react'
import { useDocumentTitle } from '../lib/document-title.ts'
import { Bars } from '../ui/bars.tsx'
import { Page, useOwnFrame } from '../ui/layout/page.tsx'
import { useFocusOnMessage } from '../ui/layout/page-focus.ts'

interface MessagePageProps {
  title: string
  children?: ReactNode
  actions?: ReactNode
  /** Announced at once: the title by its focus, the rest as an alert. */
  alert?: boolean
  picture?: ReactNode
}

export function MessagePage({ title, children, actions, alert, picture }: MessagePageProps) {
  useDocumentTitle(title)
  useOwnFrame()
  useFocusOnMessage(alert === true)
  return (
    <Page className="grid place-content-center justify-items-center gap-4 text-center">
      <div className="mb-4">{picture ?? <Bars symbol="EMPTY" module={3} height={56} className="max-w-full" />}</div>
      <div className="grid gap-3">
        <h1 className="text-34 font-semibold leading-tight">{title}</h1>
        <div role={alert ? 'alert' : undefined} className="grid max-w-[52ch] gap-2 text-balance text-16 text-ink-2">
          {children}
        </div>
      </div>
      <div className="mt-4 flex flex-wrap justify-center gap-3">{actions}</div>
    </Page>
  )
}
