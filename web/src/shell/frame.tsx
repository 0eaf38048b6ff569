import '../ui/layout/page.css'
import '../ui/layout/top-bar.css'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { Wordmark } from '../ui/bars.tsx'

/** What a page shows until its script is there. The build writes it into the page, and `useOwnFrame` removes it. */
export function Frame() {
  return (
    <MemoryRouter>
      <header className="top-bar">
        <div className="top-bar-inner">
          <Wordmark />
        </div>
      </header>
      <main className="page" aria-busy="true">
        <p className="sr-only">Loading…</p>
        <div className="h-48 bg-surface-2" />
      </main>
    </MemoryRouter>
  )
}

// Words over the frame while there is nothing else.
export const OpeningStatus = ({ children }: { children: ReactNode }) => (
  <p role="status" className="pt-80 text-center text-ink-2">
    {children}
  </p>
)
