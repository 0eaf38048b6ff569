import './progress-bar.css'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { classNames } from '../class-names.ts'

export interface Progress {
  applied: number
  downloading: number
  waiting: number
  failed: number
  silent?: number
  replaced?: number
}

const order = ['applied', 'downloading', 'waiting', 'silent', 'replaced', 'failed'] as const

interface ProgressBarProps {
  counts: Progress
  size?: 'thin' | 'normal' | 'tall'
  label?: string
}

/** The counts must be beside it as text. */
export function ProgressBar({ counts, size = 'normal', label }: ProgressBarProps) {
  const shown = order.map((state) => ({ state, count: counts[state] ?? 0 })).filter(({ count }) => count > 0)
  const spoken = shown.map(({ state, count }) => `${formatNumber(count)} ${state}`).join(', ') || 'nothing yet'
  return (
    <div
      className={classNames('progress-bar', size !== 'normal' && `progress-bar-${size}`)}
      role="img"
      aria-label={label ? `${label}: ${spoken}` : spoken}
    >
      {shown.map(({ state, count }) => (
        <span key={state} className={`progress-${state}`} style={{ flexGrow: count }} />
      ))}
    </div>
  )
}
