import './top-bar.css'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router'

interface BarMenuProps {
  /** The button's class. */
  className: string
  isCurrent?: boolean
  entries: readonly ReactNode[]
  children: ReactNode
}

/** A list of links that opens below its button. It closes when it is left, with Escape, and at a navigation. */
export function BarMenu({ className, isCurrent = false, entries, children }: BarMenuProps) {
  const [open, setOpen] = useFolding()
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it watches the focus of what is inside
    <div
      className="more"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape' && open) button.current?.focus()
      }}
    >
      <button
        ref={button}
        type="button"
        className={className}
        aria-current={isCurrent || undefined}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <ul id={id} className="more-menu">
          {entries.map((entry, index) => (
            <li key={index}>{entry}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Closes at a navigation, and with Escape. */
export function useFolding() {
  const [open, setOpen] = useState(false)
  const { key } = useLocation()
  useEffect(() => setOpen(false), [key])
  useEffect(() => {
    if (!open) return
    const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [open])
  return [open, setOpen] as const
}
