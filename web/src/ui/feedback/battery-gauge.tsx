import './status.css'
import { classNames } from '../class-names.ts'
import type { StatusKind } from './status.tsx'

interface BatteryGaugeProps {
  /** 0 to 100; null for a reader without a battery. */
  percent: number | null
  kind: Extract<StatusKind, 'ok' | 'warn' | 'bad'>
}

/** `percent`: null for a reader without a battery. */
export const formatBattery = (percent: number | null): string => (percent === null ? 'Corded' : `${percent}%`)

export function BatteryGauge({ percent, kind }: BatteryGaugeProps) {
  if (percent === null) return <span className="battery text-ink-3">{formatBattery(percent)}</span>
  const level = Math.min(100, Math.max(0, percent))
  return (
    <span className={classNames('battery', `status-${kind}`)}>
      <svg width="26" height="11" viewBox="0 0 26 11" aria-hidden="true">
        <rect x=".5" y=".5" width="22" height="10" rx="1" fill="none" stroke="currentColor" />
        <rect x="23.5" y="3.5" width="2" height="4" fill="currentColor" />
        <rect x="2" y="2" width={(level * 19) / 100} height="7" fill="currentColor" />
      </svg>
      <span>{formatBattery(percent)}</span>
      {kind === 'bad' && <span className="sr-only"> low</span>}
    </span>
  )
}
