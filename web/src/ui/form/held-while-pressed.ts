import { useState, useSyncExternalStore } from 'react'

let isPressed = false
const listeners = new Set<() => void>()

function change(pressed: boolean): void {
  if (isPressed === pressed) return
  isPressed = pressed
  for (const listener of listeners) listener()
}

const press = () => change(true)
// The click follows the release within the same task.
const release = () => setTimeout(change, 0, false)

/** A drag, a context menu and another window end a press without a release. */
const ends = ['pointerup', 'pointercancel', 'contextmenu', 'dragstart', 'keydown'] as const

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('pointerdown', press, true)
    for (const end of ends) window.addEventListener(end, release, true)
    window.addEventListener('blur', release)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('pointerdown', press, true)
    for (const end of ends) window.removeEventListener(end, release, true)
    window.removeEventListener('blur', release)
    isPressed = false
  }
}

/**
 * Keeps a value while a pointer is pressed. A press takes the focus from a field, and a sentence that then appears below the field would
 * move the pressed button; a press and a release on two elements are no click (SEE-06).
 */
export function useHeldWhilePressed<Value>(value: Value): Value {
  const pressed = useSyncExternalStore(subscribe, () => isPressed)
  const [held, setHeld] = useState(value)
  if (!pressed && held !== value) setHeld(value)
  return pressed ? held : value
}
