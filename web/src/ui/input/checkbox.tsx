import './checkbox.css'
import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  children?: ReactNode
}

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
