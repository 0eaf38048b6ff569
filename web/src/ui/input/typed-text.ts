import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigation } from 'react-router'

/** Milliseconds without typing or clicking until a text is told. */
const patience = 250

/**
 * The text of a search box: at once as it is typed, and told to `onText` after a pause. It follows `text` when that changes elsewhere,
 * as by the browser's way back, and whenever what is shown is not `ofText`.
 * @returns what is typed, and a function that sets it; with `now` it is told at once
 */
export function useTypedText(
  text: string,
  onText: (text: string) => void,
  { ofText = true } = {},
): [typed: string, type: (text: string, how?: { now: boolean }) => void] {
  const [typed, setTyped] = useState(text)
  const said = useRef(text)
  const isStaying = useNavigation().state === 'idle'

  useEffect(() => {
    // This change is our own doing, and somebody may have typed on since.
    if (text === said.current && ofText) return
    said.current = text
    setTyped(text)
  }, [text, ofText])

  const say = useEffectEvent((next: string) => {
    if (next === said.current) return
    said.current = next
    onText(next)
  })
  useEffect(() => {
    // Telling it now would call back whoever is on the way to another page.
    if (!isStaying) return
    let timer = setTimeout(() => say(typed), patience)
    function wait() {
      clearTimeout(timer)
      timer = setTimeout(() => say(typed), patience)
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
      if (!now || next === said.current) return
      said.current = next
      onText(next)
    },
  ]
}
