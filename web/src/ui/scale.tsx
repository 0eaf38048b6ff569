import './scale.css'
import { formatNumber } from '@lectern/contract/text/numbers.ts'

/** At most four round numbers from 0, none so near to `total` that both would touch. */
export function listTicks(total: number): number[] {
  const least = total / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least) ?? total
  return [0, 1, 2, 3].map((count) => count * step).filter((tick) => tick <= total * 0.75)
}

/** A scale below a bar whose full width is `total`; `label` is that in words. */
export function Scale({ total, label = formatNumber(total) }: { total: number; label?: string }) {
  return (
    <p className="scale" aria-hidden="true">
      {listTicks(total).map((tick) => (
        <span key={tick} style={{ left: `${(100 * tick) / Math.max(total, 1)}%` }}>
          {formatNumber(tick)}
        </span>
      ))}
      {/* For a total of 0 the tick at 0 is also the end; an empty line keeps the height. */}
      {total > 0 ? label : '\u00a0'}
    </p>
  )
}
