import type { LicenseCounts } from '@lectern/contract/graphs.ts'
import { inWords } from './drawing.ts'

/** How many of the licences use the decoder. */
export function LicenceGauge({ counts: { total, usingDecode } }: { counts: LicenseCounts }) {
  const quarters = [0, 1, 2, 3, 4].map((part) => Math.round((total * part) / 4))
  return (
    <>
      <p className="licence-count">
        <b>{inWords(usingDecode)}</b> of {inWords(total)} licences using Decode
      </p>
      <div className="licence-gauge" role="img" aria-label={`${inWords(usingDecode)} of ${inWords(total)}`}>
        <span style={{ width: `${(usingDecode / total) * 100}%` }} />
      </div>
      <p className="licence-scale" aria-hidden="true">
        {[...new Set(quarters)].map((part) => (
          <span key={part}>{inWords(part)}</span>
        ))}
      </p>
    </>
  )
}
