import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Burst, findPress, lateStart, noBurst, pauseAfter, press } from './typing.ts'

interface Typing {
  isListening: boolean
  onTyped: (burst: Burst) => void
  onPress: (press: 'next' | 'release') => void
  /** A part of a text went elsewhere, as the page did not have the keyboard. */
  onBroken: () => void
}

/**
 * Takes every key while the page listens: none reaches a shortcut, the browser's quick find or a button.
 * @returns whether text arrives, and whether the page has the keyboard
 */
export function useTyping({ isListening, onTyped, onPress, onBroken }: Typing): { isReceiving: boolean; hasKeyboard: boolean } {
  const burst = useRef(noBurst)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** On the clock of events: the beginning of listening, and the first key of the burst. */
  const since = useRef(0)
  const began = useRef(0)
  const [isReceiving, setReceiving] = useState(false)
  const [hasKeyboard, setKeyboard] = useState(() => document.hasFocus())

  const end = useEffectEvent(() => {
    const typed = burst.current
    burst.current = noBurst
    setReceiving(false)
    if (typed.keys === 0) return
    const pressed = findPress(typed)
    if (pressed) onPress(pressed)
    else if (began.current - since.current < lateStart) onBroken()
    else onTyped(typed)
  })
  const take = useEffectEvent((event: KeyboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    // A person holds a key down, a reader does not.
    if (event.repeat) return
    if (burst.current.keys === 0) began.current = event.timeStamp
    burst.current = press(burst.current, {
      key: event.key,
      ctrlKey: event.ctrlKey && !event.getModifierState('AltGraph'),
      at: event.timeStamp,
    })
    setReceiving(burst.current.keys > 1)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => end(), pauseAfter(burst.current))
  })
  const leave = useEffectEvent(() => {
    setKeyboard(false)
    clearTimeout(timer.current)
    const isPart = burst.current.keys > 1
    burst.current = noBurst
    setReceiving(false)
    if (isPart) onBroken()
  })

  useEffect(() => {
    if (!isListening) return
    const down = (event: KeyboardEvent) => take(event)
    const silence = (event: KeyboardEvent) => {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    const away = () => leave()
    const back = () => {
      since.current = performance.now()
      setKeyboard(true)
    }
    since.current = performance.now()
    const isAlready = document.hasFocus()
    setKeyboard(isAlready)
    addEventListener('keydown', down, true)
    addEventListener('keypress', silence, true)
    addEventListener('keyup', silence, true)
    addEventListener('blur', away)
    addEventListener('focus', back)
    return () => {
      removeEventListener('keydown', down, true)
      removeEventListener('keypress', silence, true)
      removeEventListener('keyup', silence, true)
      removeEventListener('blur', away)
      removeEventListener('focus', back)
      clearTimeout(timer.current)
      burst.current = noBurst
      setReceiving(false)
    }
  }, [isListening])

  return { isReceiving, hasKeyboard }
}
