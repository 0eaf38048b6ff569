import './input.css'
import { type ComponentProps, useEffect, useImperativeHandle, useRef } from 'react'
import { classNames } from '../class-names.ts'
import { useFieldAttributes } from '../form/field.tsx'

interface InputProps extends ComponentProps<'input'> {
  /** A text makes the input invalid (spec §5). */
  customValidity?: string | undefined
}

export function Input({ customValidity = '', className, ref, ...input }: InputProps) {
  const element = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => element.current as HTMLInputElement, [])
  useEffect(() => element.current?.setCustomValidity(customValidity), [customValidity])
  const field = useFieldAttributes({ ...input, 'aria-invalid': input['aria-invalid'] ?? (customValidity ? true : undefined) })
  return <input type="text" {...input} {...field} ref={element} className={classNames('input', className)} />
}
