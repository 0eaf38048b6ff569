import { useEffect, useEffectEvent } from 'react'

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=button], [type=file])'))

/** When "<" is pressed, which begins a scan (spec §4). Not in a text field, and not while a dialog is open. */
export function useOpeningKey(onOpen: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== '<' || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    if (takesText(event.target) || document.querySelector('[role=dialog]')) return
    // The box adds the "<" itself.
    event.preventDefault()
    onOpen()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
