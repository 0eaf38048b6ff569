import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'

type SavingProps = { busy: boolean; className?: string; children: ReactNode }

/** The fields of a form: while it is saved they are dim and take neither clicks nor keys (spec §2). Focus comes back to where it was. */
export function Saving({ busy, className, children }: SavingProps) {
  const element = useRef<HTMLDivElement>(null)
  const focused = useRef<Element>(null)
  // What has just become inert keeps its focus until the next paint.
  useLayoutEffect(() => {
    if (busy) focused.current = document.activeElement
  }, [busy])
  useEffect(() => {
    if (busy) return
    // A click into what is inert goes to what is around it.
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
