import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigation } from 'react-router'

/** Milliseconds without typing or clicking before `onText` is called. */
const delay = 250

/**
 * The text of a search box, which is passed to `onText` after a pause. Takes over `text` when that changes elsewhere, and while the shown
 * list is not `ofText`.
 * @returns the typed text, and a function that sets it; with `now` it calls `onText` at once
 */
export function useTypedText(
  text: string,
  onText: (text: string) => void,
  { ofText = true } = {},
): [typed: string, type: (text: string, how?: { now: boolean }) => void] {
  const [typed, setTyped] = useState(text)
  const passed = useRef(text)
  const isStaying = useNavigation().state === 'idle'

  useEffect(() => {
    // The change came from here, and the user may have typed on.
    if (text === passed.current && ofText) return
    passed.current = text
    setTyped(text)
  }, [text, ofText])

  const passOn = useEffectEvent((next: string) => {
    if (next === passed.current) return
    passed.current = next
    onText(next)
  })
  useEffect(() => {
    // A call now would stop the navigation to another page.
    if (!isStaying) return
    let timer = setTimeout(() => passOn(typed), delay)
    function wait() {
      clearTimeout(timer)
      timer = setTimeout(() => passOn(typed), delay)
    }
    document.addEventListener('click', wait, true)
    return () => {
      document.removeEventListener('click', wait, true)
      clearTimeout(timer)
    }
  }, [typed, isStaying])

  return [
    typed,
    (next, { now } = { now: false }) => {
      setTyped(next)
      if (!now || next === passed.current) return
      passed.current = next
      onText(next)
    },
  ]
}
