import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Px beyond the window: further than a key scrolls before the browser says so. */
const margin = 300
/** So many rows are drawn wherever they are, and before the table has a place. */
const few = 20

type Ids = readonly string[]
type Body = HTMLTableSectionElement

/**
 * The ids of rows that are drawn: those near the window, and all that have been since the rows were others or in another order. All are
 * before the page is printed, and on a key of the browser, which may search or copy the page.
 */
export function useDrawnRows(ids: Ids, body: RefObject<Body | null>): ReadonlySet<string> {
  const [kept, setShown] = useState(() => ({ ids, drawn: startDrawing(ids, [], null) }))
  let shown = kept
  if (!isSame(ids, kept.ids)) {
    shown = { ids, drawn: startDrawing(ids, kept.ids, body.current) }
    setShown(shown)
  }
  useEffect(() => {
    const { ids, drawn } = shown
    if (!body.current || drawn.size === ids.length) return
    const draw = (more: Ids) => setShown((now) => (now.ids === ids ? { ids, drawn: new Set([...now.drawn, ...more]) } : now))
    const observer = new IntersectionObserver(
      (entries) => {
        const near = entries.filter(({ isIntersecting }) => isIntersecting)
        if (near.length > 0) draw(near.map(({ target }) => ids[(target as HTMLTableRowElement).sectionRowIndex]!))
      },
      { rootMargin: `${margin}px 0px` },
    )
    for (const [index, row] of [...body.current.rows].entries()) if (!drawn.has(ids[index]!)) observer.observe(row)
    const end = new AbortController()
    addEventListener('beforeprint', () => flushSync(() => draw(ids)), end)
    const draws = ({ ctrlKey, metaKey, key }: KeyboardEvent) => {
      if (ctrlKey || metaKey || key === 'F3') draw(ids)
      else if (key === 'Tab') flushSync(() => draw(findTabStops(ids, body.current!)))
    }
    addEventListener('keydown', draws, end)
    return () => {
      observer.disconnect()
      end.abort()
    }
  }, [shown, body])
  return shown.drawn
}

const isSame = (ids: Ids, others: Ids) => ids.length === others.length && ids.every((id, index) => id === others[index])

/** Where Tab may go next: the rows beside the one with the focus; into the list, its first or last. */
function findTabStops(ids: Ids, { rows }: Body): Ids {
  const focused = [...rows].findIndex((row) => row.contains(document.activeElement))
  return focused < 0 ? [ids[0]!, ids.at(-1)!] : ids.slice(Math.max(0, focused - 1), focused + 2)
}

/** Near the window, as far as the rows before say where that is, and the row that has the focus. */
function startDrawing(ids: Ids, before: Ids, body: Body | null): ReadonlySet<string> {
  if (!body || ids.length <= few) return new Set(ids.slice(0, few))
  const { top, height } = body.getBoundingClientRect()
  const place = (y: number) => Math.max(0, Math.floor(((y - top) * body.rows.length) / height))
  const near = ids.slice(place(-margin), place(innerHeight + margin) + 1)
  const focused = [...body.rows].findIndex((row) => row.contains(document.activeElement))
  const reader = ids.find((id) => id === before[focused])
  return new Set(reader === undefined ? near : [...near, reader])
}
