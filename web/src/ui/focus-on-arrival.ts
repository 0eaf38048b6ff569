import { type RefObject, useEffect, useRef } from 'react'

interface Arrival<Element extends HTMLElement> {
  list: RefObject<Element | null>
  /** @param index of the first element that comes with the next page */
  focusOnArrival: (index: number) => void
}

/** For a list that grows by pages. `selector`: its elements that can take the focus. */
export function useFocusOnArrival<Element extends HTMLElement>(pages: number, selector: string): Arrival<Element> {
  const list = useRef<Element>(null)
  const before = useRef(pages)
  const first = useRef<number | null>(null)
  useEffect(() => {
    if (pages > before.current && first.current !== null) list.current?.querySelectorAll<HTMLElement>(selector)[first.current]?.focus()
    first.current = null
    before.current = pages
  }, [pages, selector])
  return {
    list,
    focusOnArrival(index) {
      first.current = index
    },
  }
}
