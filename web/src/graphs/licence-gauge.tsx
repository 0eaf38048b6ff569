import type { LicenceCounts } from '@lectern/contract/graphs.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'

/** How many of the licences use the decoder. */
export function LicenceGauge({ counts: { total, usingDecode } }: { counts: LicenceCounts }) {
  const quarters = [0, 1, 2, 3, 4].map((part) => Math.round((total * part) / 4))
  return (
    <>
      <p className="licence-count">
        <b>{formatNumber(usingDecode)}</b> of {formatNumber(total)} licences using Decode
      </p>
      <div className="licence-gauge" role="img" aria-label={`${formatNumber(usingDecode)} of ${formatNumber(total)}`}>
        <span style={{ width: `${(usingDecode / total) * 100}%` }} />
      </div>
      <p className="licence-scale" aria-hidden="true">
        {[...new Set(quarters)].map((part) => (
          <span key={part}>{formatNumber(part)}</span>
        ))}
      </p>
    </>
  )
}
