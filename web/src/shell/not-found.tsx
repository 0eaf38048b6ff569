import { useLocation } from 'react-router'
import { ButtonLink } from '../ui/button-link.tsx'
import { MessagePage } from './message-page.tsx'

/** No page answers to this address (spec §2). */
export function NotFound() {
  const { pathname } = useLocation()
  return (
    <MessagePage
      title="Page not found"
      actions={
        <ButtonLink to="/" variant="primary">
          Go Home
        </ButtonLink>
      }
    >
      <p>No page answers to this address. It may have moved, or the link was cut short.</p>
      <p className="mono break-all text-13">{pathname}</p>
    </MessagePage>
  )
}
