import './button.css'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon
  label: string
  small?: boolean
  bad?: boolean
}

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
