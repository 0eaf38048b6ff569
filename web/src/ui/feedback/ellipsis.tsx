import './ellipsis.css'
import { classNames } from '../class-names.ts'

interface EllipsisProps {
  children: string
  /** On two lines rather than one. */
  twoLines?: boolean
  className?: string
}

/**
 * A text that ends in an ellipsis where there is no room for it. It is shown whole while the pointer rests on it, and while the keyboard
 * is at it or at the control that it is in; `CutTexts` does that.
 */
export const Ellipsis = ({ children, twoLines, className }: EllipsisProps) => (
  <span className={classNames('ellipsis', twoLines && 'line-clamp-2 whitespace-normal wrap-anywhere', className)}>{children}</span>
)
