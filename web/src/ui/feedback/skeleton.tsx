import './skeleton.css'
import { useDelayed } from '../delay.ts'

/** Milliseconds. A faster load shows no skeleton. */
const delay = 200

/** `width`: px. Appears after 200 ms. */
export function Skeleton({ width }: { width: number }) {
  return useDelayed(delay) ? <Bar width={width} /> : null
}

interface SkeletonColumn {
  /** In px. */
  width: number
  className?: string | undefined
}

/** Appears after 200 ms; its whole place is reserved at once. */
export function SkeletonRows({ columns, rows }: { columns: readonly SkeletonColumn[]; rows: number }) {
  const isLate = useDelayed(delay)
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row}>
      {columns.map(({ width, className }, column) => (
        <td key={column} className={className}>
          <Bar width={Math.max(24, width - ((row * 18) % 30))} isShown={isLate} />
        </td>
      ))}
    </tr>
  ))
}

interface BarProps {
  width: number
  isShown?: boolean
}

const Bar = ({ width, isShown = true }: BarProps) => (
  <span className={isShown ? 'skeleton' : 'block'} style={{ width }} aria-hidden="true" />
)
