import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { pointerRelease } from './cfg-capture.ts'

export type PointerHold = {
  /** Something came within the last 500 ms. */
  isActive: boolean
  /** The browser holds the pointer for the element. */
  isHeld: boolean
  /** Something came: asks for the pointer, and lets go 500 ms after the last time. */
  hold: () => void
  /** Lets go at once. */
  release: () => void
}

/** Whether this browser can hold the pointer at all. */
export const canHoldPointer = (): boolean => 'requestPointerLock' in Element.prototype

/**
 * Holds the mouse pointer while text arrives, so that a nudged mouse does not disturb a scan (spec §4). Esc gives it back: then it is not
 * asked for again until the element is focused anew.
 */
export function usePointerHold(element: RefObject<HTMLElement | null>): PointerHold {
  const [isActive, setActive] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const wanted = useRef(false)
  const declined = useRef(false)
  const lettingGo = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const release = useCallback(() => {
    clearTimeout(timer.current)
    wanted.current = false
    setActive(false)
    if (element.current && document.pointerLockElement === element.current) {
      lettingGo.current = true
      document.exitPointerLock()
    }
  }, [element])

  const hold = useCallback(() => {
    setActive(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(release, pointerRelease)
    const box = element.current
    if (!box || declined.current || wanted.current || !canHoldPointer()) return
    wanted.current = true
    // Refused without a user's gesture, or shortly after Esc: the scan then arrives with a free pointer.
    Promise.resolve(box.requestPointerLock()).catch(() => undefined)
  }, [element, release])

  useEffect(() => {
    const changed = () => {
      const held = element.current !== null && document.pointerLockElement === element.current
      setHeld(held)
      // Granted too late: the scan is over.
      if (held && !wanted.current) release()
      if (!held && wanted.current && !lettingGo.current) declined.current = true
      if (!held) lettingGo.current = false
    }
    const focused = (event: FocusEvent) => {
      if (event.target === element.current) declined.current = false
    }
    document.addEventListener('pointerlockchange', changed)
    document.addEventListener('focusin', focused)
    return () => {
      document.removeEventListener('pointerlockchange', changed)
      document.removeEventListener('focusin', focused)
      clearTimeout(timer.current)
      if (document.pointerLockElement) document.exitPointerLock()
    }
  }, [element, release])

  return { isActive, isHeld, hold, release }
}
