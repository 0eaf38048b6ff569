import type { InvalidFeatureFlag } from '@lectern/contract/feature-flags.ts'
import { RotateCw, Trash2 } from 'lucide-react'
import { isFlagStored, removeStoredFlag } from '../lib/feature-flags.ts'
import { Button } from '../ui/button/button.tsx'
import { MessagePage } from './message-page.tsx'

interface InvalidFlagProps {
  error: InvalidFeatureFlag
  onRetry: () => void
}

export function InvalidFlag({ error, onRetry }: InvalidFlagProps) {
  const { flag, value } = error
  const isStored = isFlagStored(error)
  function remove() {
    removeStoredFlag(error)
    onRetry()
  }
  return (
    <MessagePage
      title="Invalid feature flag"
      alert
      actions={
        isStored ? (
          <Button variant="primary" icon={Trash2} onClick={remove}>
            Remove the flag
          </Button>
        ) : (
          <Button variant="primary" icon={RotateCw} onClick={onRetry}>
            Try Again
          </Button>
        )
      }
    >
      <p>
        The feature flag <b className="mono">{flag}</b> has the value <b className="mono wrap-anywhere">{value || '(empty)'}</b>
        {isStored ? ', stored in this browser' : ', set where Lectern runs'}. It must be “on” or “off”.
      </p>
    </MessagePage>
  )
}
