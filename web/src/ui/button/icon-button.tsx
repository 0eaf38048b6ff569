import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'

type IconButtonProps = {
  icon: LucideIcon
  /** What it does, and to what: it is the button's only name. */
  label: string
  small?: boolean
  /** Destructive. */
  bad?: boolean
} & Omit<ComponentProps<'button'>, 'children'>

/** A button that shows only an icon. */
export function IconButton({ icon: Icon, label, small, bad, className, ...button }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...button}
      aria-label={label}
      className={classNames('icon-button', small && 'icon-button-small', bad && 'icon-button-bad', className)}
    >
      <Icon size={16} />
    </button>
  )
}
