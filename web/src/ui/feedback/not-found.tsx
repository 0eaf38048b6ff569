import type { ReactNode } from 'react'
import { ButtonLink } from '../button/button-link.tsx'
import { PageHead } from '../layout/page.tsx'
import { Panel } from '../layout/panel.tsx'
import { EmptyState } from './empty-state.tsx'

interface NotFoundProps {
  title: string
  children: ReactNode
  to: string
  back: string
}

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
