import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../class-names.ts'

type CheckboxProps = {
  /** The words beside it; without them give `aria-label`. */
  children?: ReactNode
} & Omit<ComponentProps<'input'>, 'type'>

/** A checkbox with its words. Spread react-hook-form's `register` onto it. */
export function Checkbox({ children, className, ...input }: CheckboxProps) {
  return (
    <label className={classNames('checkbox', className)}>
      <span className="checkbox-box">
        <input {...input} type="checkbox" className="checkbox-mark" />
        <Check size={12} />
      </span>
      {children && <span>{children}</span>}
    </label>
  )
}
