import './scale.css'
import { formatNumber } from '@lectern/contract/text/numbers.ts'

/** Round numbers from 0, at most four, none so near to `total` that the two would touch. */
export function listTicks(total: number): number[] {
  const least = total / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least) ?? total
  return [0, 1, 2, 3].map((count) => count * step).filter((tick) => tick <= total * 0.75)
}

/** Below a bar whose whole width is `total`, which `label` says in words. */
export function Scale({ total, label = formatNumber(total) }: { total: number; label?: string }) {
  return (
    <p className="scale" aria-hidden="true">
      {listTicks(total).map((tick) => (
        <span key={tick} style={{ left: `${(100 * tick) / Math.max(total, 1)}%` }}>
          {formatNumber(tick)}
        </span>
      ))}
      {/* Of nothing, the tick at 0 is the end: an empty line keeps its height. */}
      {total > 0 ? label : '\u00a0'}
    </p>
  )
}
