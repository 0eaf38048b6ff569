import { useDelayed } from '../delay.ts'

/** What loads in 200 ms needs no stand-in. */
const PATIENCE = 200

/** A bar where a text will be; `width` in px. Appears only after 200 ms. */
export function Skeleton({ width }: { width: number }) {
  const late = useDelayed(PATIENCE)
  return late ? <span className="skeleton" style={{ width }} aria-hidden="true" /> : null
}

/** Table rows to come: one bar per column, at the columns' widths in px. Appears only after 200 ms; its height is there at once. */
export function SkeletonRows({ widths, rows }: { widths: readonly number[]; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row}>
      {widths.map((width, column) => (
        <td key={column}>
          <Skeleton width={Math.max(24, width - ((row * 18) % 30))} />
        </td>
      ))}
    </tr>
  ))
}
