import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** Milliseconds without typing until a text is told. */
const patience = 250

/**
 * The text of a search box: at once as it is typed, and told to `onText` after a pause. It follows `text` when that changes elsewhere,
 * as by the browser's way back.
 * @returns what is typed, and a function that sets it; with `now` it is told at once
 */
export function useTypedText(
  text: string,
  onText: (text: string) => void,
): [typed: string, type: (text: string, how?: { now: boolean }) => void] {
  const [typed, setTyped] = useState(text)
  const said = useRef(text)

  useEffect(() => {
    // This change is our own doing, and somebody may have typed on since.
    if (text === said.current) return
    said.current = text
    setTyped(text)
  }, [text])

  const say = useEffectEvent((next: string) => {
    if (next === said.current) return
    said.current = next
    onText(next)
  })
  useEffect(() => {
    const timer = setTimeout(() => say(typed), patience)
    return () => clearTimeout(timer)
  }, [typed])

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
