import { useSession } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { MessagePage } from './message-page.tsx'

export function NeedsPasskey({ returnTo }: { returnTo: string }) {
  const { loginWithPasskey, logout } = useSession()
  return (
    <MessagePage
      title="Your organization asks for a passkey"
      alert
      actions={
        <>
          <Button variant="primary" onClick={() => void loginWithPasskey(returnTo)}>
            Continue with a passkey
          </Button>
          <Button onClick={() => void logout()}>Log out</Button>
        </>
      }
    >
      <p>A passkey is kept by your device or a security key. If you have none yet, you add one now.</p>
    </MessagePage>
  )
}
