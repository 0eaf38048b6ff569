import './input.css'
import { type ComponentProps, useEffect, useImperativeHandle, useRef } from 'react'
import { classNames } from '../class-names.ts'
import { useFieldAttributes } from '../form/field.tsx'

interface TextareaProps extends ComponentProps<'textarea'> {
  customValidity?: string | undefined
  mono?: boolean
}

export function Textarea({ customValidity = '', mono = false, className, ref, ...area }: TextareaProps) {
  const element = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => element.current as HTMLTextAreaElement, [])
  useEffect(() => element.current?.setCustomValidity(customValidity), [customValidity])
  const field = useFieldAttributes({ ...area, 'aria-invalid': area['aria-invalid'] ?? (customValidity ? true : undefined) })
  return (
    <textarea rows={6} {...area} {...field} ref={element} className={classNames('input textarea', mono && 'textarea-mono', className)} />
  )
}
