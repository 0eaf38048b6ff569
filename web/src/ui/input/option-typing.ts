import { type KeyboardEvent, useRef } from 'react'

/** Milliseconds after which typed text is forgotten (spec §9). */
const remembered = 1_000

/**
 * For an open menu: focuses the option that is typed within the key's own event. Radix does it in a timer after the event, so that on a busy
 * machine an Enter that follows quickly chooses the option before it.
 */
export function useOptionTyping(): (event: KeyboardEvent<HTMLElement>) => void {
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY })
  return (event) => {
    if (event.key.length !== 1 || event.ctrlKey || event.altKey || event.metaKey) return
    const before = event.timeStamp - typed.current.at < remembered ? typed.current.text : ''
    // Within a name a space is typed; elsewhere it chooses.
    if (event.key === ' ' && before === '') return
    event.preventDefault()
    event.stopPropagation()
    typed.current = { text: before + event.key.toLowerCase(), at: event.timeStamp }
    findOption(event.currentTarget, typed.current.text)?.focus()
  }
}

/** From the focused option on, or after it for one letter: repeated, it leads to each option with that letter in turn. */
function findOption(menu: HTMLElement, text: string): HTMLElement | undefined {
  const options = [...menu.querySelectorAll<HTMLElement>('[role=option]:not([data-disabled])')]
  const search = text === text.charAt(0).repeat(text.length) ? text.charAt(0) : text
  const focused = options.indexOf(document.activeElement as HTMLElement)
  const from = search.length === 1 ? focused + 1 : Math.max(0, focused)
  const inTurn = [...options.slice(from), ...options.slice(0, from)]
  return inTurn.find(({ textContent }) => textContent.trim().toLowerCase().startsWith(search))
}
