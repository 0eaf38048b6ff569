import './ellipsis.css'
import { useEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { useTooltip } from './tooltip.tsx'

interface EllipsisProps {
  children: string
  /** On two lines rather than one. */
  twoLines?: boolean
  className?: string
}

/**
 * A text that ends in an ellipsis where there is no room for it. It is shown whole while the pointer rests on it, and while the keyboard
 * is at it or at the control that it stands in.
 */
export function Ellipsis({ children, twoLines, className }: EllipsisProps) {
  const element = useRef<HTMLSpanElement>(null)
  const [cut, setCut] = useState<'alone' | 'in control'>()
  const { trigger, tooltip, show } = useTooltip(cut && children)

  useEffect(() => {
    const text = element.current!
    const look = () => {
      const isCut = text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 1
      setCut(isCut ? (text.parentElement?.closest('a, button') ? 'in control' : 'alone') : undefined)
    }
    const observer = new ResizeObserver(look)
    observer.observe(text)
    return () => observer.disconnect()
  }, [children])

  useEffect(() => {
    const control = element.current?.parentElement?.closest('a, button')
    if (cut !== 'in control' || !control) return
    const arrive = () => control.matches(':focus-visible') && show(control)
    const leave = () => show(null)
    control.addEventListener('focus', arrive)
    control.addEventListener('blur', leave)
    return () => {
      control.removeEventListener('focus', arrive)
      control.removeEventListener('blur', leave)
    }
  }, [cut, show])

  return (
    <>
      <span
        ref={element}
        {...trigger}
        className={classNames('ellipsis', twoLines && 'line-clamp-2 whitespace-normal wrap-anywhere', className)}
        tabIndex={cut === 'alone' ? 0 : undefined}
      >
        {children}
      </span>
      {tooltip}
    </>
  )
}
