import './ellipsis.css'
import { classNames } from '../class-names.ts'

interface EllipsisProps {
  children: string
  /** Two lines in place of one. */
  twoLines?: boolean
  className?: string
}

/**
 * A text that ends in an ellipsis where it does not fit. `CutTexts` shows it whole under the pointer, and while the keyboard is at it or at
 * its control.
 */
export const Ellipsis = ({ children, twoLines, className }: EllipsisProps) => (
  <span className={classNames('ellipsis', twoLines && 'line-clamp-2 whitespace-normal wrap-anywhere', className)}>{children}</span>
)
