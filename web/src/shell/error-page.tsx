import { RotateCw } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { MessagePage } from './message-page.tsx'

/** Where a route has thrown (spec §2). */
export function ErrorPage() {
  return (
    <MessagePage
      title="Something went wrong"
      alert
      actions={
        <>
          <Button variant="primary" icon={RotateCw} onClick={() => location.reload()}>
            Try Again
          </Button>
          <ButtonLink to="/" reloadDocument>
            Go Home
          </ButtonLink>
        </>
      }
    >
      <p>Sorry about that. We'll look into it.</p>
    </MessagePage>
  )
}
