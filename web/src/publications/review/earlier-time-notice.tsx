import { useNow } from '../../lib/now.ts'
import { Button } from '../../ui/button/button.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import type { WizardState } from '../wizard-state.ts'
import type { ZoneSummary } from '../zone-summary.ts'
import { findEarlierTime } from './earlier-time.ts'

interface EarlierTimeProps {
  state: WizardState
  summary: ZoneSummary | undefined
  blocked: string | undefined
  onTime: (updateTime: string) => void
}

/** Shows that the chosen time passes over a window, and offers the opening of that window as the time. */
export function EarlierTimeNotice({ state, summary, blocked, onTime }: EarlierTimeProps) {
  const earlier = findEarlierTime(state, summary, useNow())
  if (!earlier) return null
  return (
    <Notice className="m-4">
      {earlier.words}{' '}
      <Button small disabledReason={blocked} onClick={() => onTime(earlier.updateTime)}>
        Update at {earlier.updateTime} instead
      </Button>
    </Notice>
  )
}
