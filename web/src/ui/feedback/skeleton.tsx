import { useDelayed } from '../delay.ts'

/** What loads in 200 ms needs no stand-in. */
const delay = 200

/** A bar where a text will be; `width` in px. Appears only after 200 ms. */
export function Skeleton({ width }: { width: number }) {
  return useDelayed(delay) ? <Bar width={width} /> : null
}

/** Table rows to come: one bar per column, at the columns' widths in px. Bars appear only after 200 ms, the rows' height is there at once. */
export function SkeletonRows({ widths, rows }: { widths: readonly number[]; rows: number }) {
  const isLate = useDelayed(delay)
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row}>
      {widths.map((width, column) => (
        <td key={column}>{isLate && <Bar width={Math.max(24, width - ((row * 18) % 30))} />}</td>
      ))}
    </tr>
  ))
}

const Bar = ({ width }: { width: number }) => <span className="skeleton" style={{ width }} aria-hidden="true" />
