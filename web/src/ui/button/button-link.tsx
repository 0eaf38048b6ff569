import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { type ButtonLook, buttonClass } from './button.tsx'

export function ButtonLink({
  variant,
  small,
  icon: Icon,
  iconAfter: IconAfter,
  className,
  children,
  ...link
}: ButtonLook & ComponentProps<typeof Link>) {
  const size = small ? 14 : 16
  return (
    <Link {...link} className={buttonClass({ variant, small }, className)}>
      {Icon && <Icon size={size} />}
      <span>{children}</span>
      {IconAfter && <IconAfter size={size} />}
    </Link>
  )
}
