import { useEffect, useLayoutEffect, useRef } from 'react'

/** Returns null while a dialog is open, which has the focus. */
const findHeading = (): HTMLElement | null =>
  document.querySelector('[role=dialog], [role=alertdialog]') ? null : document.querySelector<HTMLElement>('#main h1')

/** The page that was last announced by a focus on this heading. */
let announced: { heading: HTMLElement; name: string | null } | undefined

function focusHeading(heading: HTMLElement): void {
  const name = heading.textContent
  if (document.activeElement === heading) {
    if (announced?.heading === heading && announced.name === name) return
    // The browser would not announce another page in an element that has the focus already.
    heading.blur()
  }
  announced = { heading, name }
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** Calls `found` once: now, or as soon as the page has a heading and no dialog is open. Returns a function that ends the wait. */
function awaitHeading(found: (heading: HTMLElement, isLate: boolean) => void): () => void {
  const heading = findHeading()
  if (heading) {
    found(heading, false)
    return () => undefined
  }
  const observer = new MutationObserver(() => {
    const late = findHeading()
    if (!late) return
    observer.disconnect()
    found(late, true)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/** Whether the user has focused something on the page in the meantime. */
const isElsewhere = (): boolean => document.activeElement?.closest('#main') !== null && document.activeElement?.id !== 'main'

/**
 * Focuses the heading when `page`, a name of the page, changes: at once, or once the page has loaded. Not on the first page, and not on one
 * that redirects before it shows a heading (decision 32).
 */
export function useFocusOnNewPage(page: string, isRedirect = false): void {
  const shown = useRef(page)
  const hasShown = useRef(false)
  const isNew = useRef(false)
  // Runs before the browser reports the new page's heading to observers, which would take it for the previous page's.
  useLayoutEffect(() => {
    if (shown.current !== page && (!isRedirect || hasShown.current)) isNew.current = true
    shown.current = page
    return awaitHeading((heading, isLate) => {
      hasShown.current = true
      if (isNew.current && !(isLate && isElsewhere())) focusHeading(heading)
      isNew.current = false
    })
  }, [page, isRedirect])
}

/** For a message in place of a page, which comes without a navigation. */
export function useFocusOnMessage(isActive: boolean): void {
  useEffect(() => {
    const heading = findHeading()
    if (isActive && heading) focusHeading(heading)
  }, [isActive])
}
