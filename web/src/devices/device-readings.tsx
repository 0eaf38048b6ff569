import { BatteryGauge } from '../ui/feedback/battery-gauge.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { batteryKind, type Reading } from './thresholds.ts'

/** A reading; "Expired" needs no second word. */
export function ReadingStatus({ reading: { kind, text } }: { reading: Reading }) {
  return (
    <Status kind={kind} spoken={text === 'Expired' ? '' : undefined}>
      {text}
    </Status>
  )
}

/** Per cents are cut, not rounded, so that the number never belongs to a better class than the colour. */
export function Battery({ percent }: { percent: number | undefined }) {
  if (percent === undefined) return <BatteryGauge percent={null} kind="ok" />
  return <BatteryGauge percent={Math.floor(percent)} kind={batteryKind(percent)} />
}
