import './button.css'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { useTooltip } from '../feedback/tooltip.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'bad' | 'link'

export interface ButtonLook {
  /** `primary`: one per view. `danger`: opens a dialog. `bad`: confirms inside it. */
  variant?: ButtonVariant
  small?: boolean
  icon?: LucideIcon
  iconAfter?: LucideIcon
}

interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  busy?: boolean
  busyLabel?: string
  /** Shown in a tooltip. The button stays focusable and ignores clicks. */
  disabledReason?: string | undefined
}

export function buttonClass({ variant = 'secondary', small }: ButtonLook, extra?: string): string {
  if (variant === 'link') return classNames('link', extra)
  return classNames('button', variant !== 'secondary' && `button-${variant}`, small && 'button-small', extra)
}

export function Button(props: ButtonProps) {
  const { variant, small, icon: Icon, iconAfter: IconAfter, busy = false, busyLabel, disabledReason, ...rest } = props
  const { children, className, onClick, ...button } = rest
  const { trigger, tooltip } = useTooltip(disabledReason)
  const idle = busy || Boolean(disabledReason)
  const size = small ? 14 : 16

  function press(event: MouseEvent<HTMLButtonElement>) {
    if (idle) {
      event.preventDefault()
      event.stopPropagation()
    } else onClick?.(event)
  }

  return (
    <>
      <button
        type="button"
        {...button}
        {...trigger}
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
      {tooltip}
    </>
  )
}

/** Keeps room for both labels, so that the width stays. Without a busy label the spinner covers the idle one. */
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
