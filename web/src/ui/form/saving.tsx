import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'

interface SavingProps {
  busy: boolean
  className?: string
  children: ReactNode
}

/** While it saves, the fields are dim and take neither clicks nor keys (spec §2). The focus returns afterwards. */
export function Saving({ busy, className, children }: SavingProps) {
  const element = useRef<HTMLDivElement>(null)
  const focused = useRef<Element>(null)
  // An inert element keeps its focus until the next paint.
  useLayoutEffect(() => {
    if (busy) focused.current = document.activeElement
  }, [busy])
  useEffect(() => {
    if (busy) return
    // A click on an inert element focuses what is around it.
    const isLost = document.activeElement?.contains(element.current)
    if (isLost && focused.current instanceof HTMLElement) focused.current.focus()
    focused.current = null
  }, [busy])
  return (
    <div ref={element} className={classNames('transition-opacity inert:opacity-50', className)} inert={busy} aria-busy={busy || undefined}>
      {children}
    </div>
  )
}
