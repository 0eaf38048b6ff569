import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { lazyExtra } from '../lazy.tsx'

export const TooltipBox = lazyExtra(async () => (await import('./tooltip-box.tsx')).TooltipBox)

/** Milliseconds until the words appear under a resting pointer, and until they go when it leaves. */
const delay = { show: 300, hide: 100 }

/**
 * Words for a focusable element, shown under a resting pointer or keyboard focus until Escape. Nothing that a user needs may be in them
 * alone. `trigger`: props of the element. `tooltip`: rendered beside it.
 */
export function useTooltip(words: string | undefined) {
  const id = useId()
  const [anchor, setAnchor] = useState<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: Element | null, ms = 0) => {
    clearTimeout(timer.current)
    if (ms === 0) setAnchor(next)
    else timer.current = setTimeout(setAnchor, ms, next)
  }
  if (words === undefined) return { trigger: {}, tooltip: null }

  const trigger = {
    ...(anchor && { 'aria-describedby': id }),
    onPointerEnter: ({ pointerType, currentTarget }: SyntheticEvent & { pointerType: string }) => {
      if (pointerType !== 'touch') change(currentTarget, delay.show)
    },
    onPointerLeave: () => change(null, delay.hide),
    onPointerDown: () => change(null),
    onFocus: ({ currentTarget }: SyntheticEvent) => {
      if (currentTarget.matches(':focus-visible')) change(currentTarget)
    },
    onBlur: () => change(null),
    onKeyDown: ({ key }: SyntheticEvent & { key: string }) => {
      if (key === 'Escape') change(null)
    },
  }
  const tooltip: ReactNode = anchor && (
    <TooltipBox id={id} anchor={anchor} onPointerEnter={() => change(anchor)} onPointerLeave={() => change(null, delay.hide)}>
      {words}
    </TooltipBox>
  )
  return { trigger, tooltip }
}
