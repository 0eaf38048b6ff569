import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { pointerRelease } from './cfg-capture.ts'

export interface PointerHold {
  /** Whether text came within the last 500 ms. */
  isActive: boolean
  isHeld: boolean
  hold: () => void
  release: () => void
}

export const canHoldPointer = (): boolean => 'requestPointerLock' in Element.prototype

/**
 * Lets a box hold the mouse pointer while text arrives, so that a nudged mouse does not disturb a scan (spec §4). After Esc, the pointer is
 * not held until the box gets the focus again.
 */
export function usePointerHold(element: RefObject<HTMLElement | null>): PointerHold {
  const [isActive, setActive] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const isRequested = useRef(false)
  const isDeclined = useRef(false)
  const isReleasing = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const release = useCallback(() => {
    clearTimeout(timer.current)
    isRequested.current = false
    setActive(false)
    if (element.current && document.pointerLockElement === element.current) {
      isReleasing.current = true
      document.exitPointerLock()
    }
  }, [element])

  const hold = useCallback(() => {
    setActive(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(release, pointerRelease)
    const box = element.current
    if (!box || isDeclined.current || isRequested.current || !canHoldPointer()) return
    isRequested.current = true
    // Browsers refuse this without a user gesture, or shortly after Esc. The scan then goes on with a free pointer.
    Promise.resolve(box.requestPointerLock()).catch(() => undefined)
  }, [element, release])

  useEffect(() => {
    const onLock = () => {
      const held = element.current !== null && document.pointerLockElement === element.current
      setHeld(held)
      // The browser held the pointer only after the scan had ended.
      if (held && !isRequested.current) release()
      if (!held && isRequested.current && !isReleasing.current) isDeclined.current = true
      if (!held) isReleasing.current = false
    }
    const onFocus = (event: FocusEvent) => {
      if (event.target === element.current) isDeclined.current = false
    }
    document.addEventListener('pointerlockchange', onLock)
    document.addEventListener('focusin', onFocus)
    return () => {
      document.removeEventListener('pointerlockchange', onLock)
      document.removeEventListener('focusin', onFocus)
      clearTimeout(timer.current)
      if (document.pointerLockElement) document.exitPointerLock()
    }
  }, [element, release])

  return { isActive, isHeld, hold, release }
}
