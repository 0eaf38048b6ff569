import type { ReactNode } from 'react'
import { BatteryGauge } from '../ui/feedback/battery-gauge.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { type Reading, rateBattery } from './thresholds.ts'

export const notSet = 'Not set'

export const orNotSet = (value: string | undefined, shown: ReactNode = value) =>
  value ? shown : <span className="text-ink-3">{notSet}</span>

export function ReadingStatus({ reading: { kind, text } }: { reading: Reading }) {
  return (
    <Status kind={kind} spoken={text === 'Expired' ? '' : undefined}>
      {text === '?' ? <span aria-hidden="true">?</span> : text}
    </Status>
  )
}

/** Percentages are cut, not rounded, so that a number never looks better than its colour. Null for a reader without a battery. */
export const cutBattery = (percent: number | undefined): number | null => (percent === undefined ? null : Math.floor(percent))

export const Battery = ({ percent }: { percent: number | undefined }) => (
  <BatteryGauge percent={cutBattery(percent)} kind={percent === undefined ? 'ok' : rateBattery(percent)} />
)
