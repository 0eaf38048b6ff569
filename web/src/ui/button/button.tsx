import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Tooltip } from '../feedback/tooltip.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'bad' | 'link'

export type ButtonLook = {
  /** `primary`: one per view, at the right end of its row. `danger` opens a dialog, `bad` is the confirming button inside it. */
  variant?: ButtonVariant
  small?: boolean
  icon?: LucideIcon
  iconAfter?: LucideIcon
}

type ButtonProps = ButtonLook & {
  /** Under way: shows a spinner, keeps focus and width, ignores clicks. */
  busy?: boolean
  /** The label while busy, in the -ing form. */
  busyLabel?: string
  /** Why it cannot be used now: stays focusable, says the reason in a tooltip, ignores clicks. */
  disabledReason?: string | undefined
} & ComponentProps<'button'>

/** The classes of a button, for what is not a `<button>`. */
export function buttonClass({ variant = 'secondary', small }: ButtonLook, extra?: string): string {
  if (variant === 'link') return classNames('link', extra)
  return classNames('button', variant !== 'secondary' && `button-${variant}`, small && 'button-small', extra)
}

/** A button. Its type is `button` unless said otherwise. */
export function Button(props: ButtonProps) {
  const { variant, small, icon: Icon, iconAfter: IconAfter, busy = false, busyLabel, disabledReason, ...rest } = props
  const { children, className, onClick, ...button } = rest
  const idle = busy || Boolean(disabledReason)
  const size = small ? 14 : 16

  function press(event: MouseEvent<HTMLButtonElement>) {
    if (idle) {
      event.preventDefault()
      event.stopPropagation()
    } else onClick?.(event)
  }

  const element = (
    <button
      type="button"
      {...button}
      className={buttonClass({ variant, small }, className)}
      aria-busy={busy || undefined}
      aria-disabled={idle || undefined}
      onClick={press}
    >
      {busy ? <LoaderCircle size={size} className="spinner" /> : Icon && <Icon size={size} />}
      <Label busy={busy} busyLabel={busyLabel} spinnerRoom={!Icon}>
        {children}
      </Label>
      {IconAfter && <IconAfter size={size} />}
    </button>
  )
  return disabledReason ? <Tooltip text={disabledReason}>{element}</Tooltip> : element
}

/** The label, with room for the other one (idle or busy), so that the width never changes. Without another one the spinner lies over it. */
function Label(props: { busy: boolean; busyLabel: string | undefined; spinnerRoom: boolean; children: ReactNode }) {
  const { busy, busyLabel, spinnerRoom, children } = props
  if (!busyLabel) return <span className={classNames(busy && spinnerRoom && 'button-label-under') || undefined}>{children}</span>
  const other = busy ? (typeof children === 'string' ? children : undefined) : busyLabel
  return (
    <span className="button-label" data-other={other} data-spinner-room={spinnerRoom || undefined}>
      {busy ? busyLabel : children}
    </span>
  )
}
