import type { ReactNode } from 'react'
import { ButtonLink } from '../button/button-link.tsx'
import { PageHead } from '../layout/page.tsx'
import { Panel } from '../layout/panel.tsx'
import { EmptyState } from './empty-state.tsx'

type NotFoundProps = {
  /** "Group not found". */
  title: string
  /** Why that may be, in a sentence or two. */
  children: ReactNode
  /** Where the others are, and what the link there says. */
  to: string
  back: string
}

/** Stands in place of a page's content where the thing of its address is not there. */
export function NotFound({ title, children, to, back }: NotFoundProps) {
  return (
    <>
      <PageHead title={title} />
      <Panel flush aria-label={title}>
        <EmptyState
          action={
            <ButtonLink to={to} variant="link">
              {back}
            </ButtonLink>
          }
        >
          {children}
        </EmptyState>
      </Panel>
    </>
  )
}
