import { useEffect, useEffectEvent } from 'react'

/** Something that takes text itself: a key pressed there is not meant for the capture. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=button], [type=file])'))

/** Calls back when "<" is pressed while nothing that takes text is focused and no dialog is open: a scan begins (spec §4). */
export function useOpeningKey(opened: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== '<' || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    if (takesText(event.target) || document.querySelector('[role=dialog]')) return
    // The box puts the "<" back itself.
    event.preventDefault()
    opened()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
