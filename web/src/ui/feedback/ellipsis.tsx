import './ellipsis.css'
import { useEffect } from 'react'
import { classNames } from '../class-names.ts'
import { useTooltip } from './tooltip.tsx'

interface EllipsisProps {
  children: string
  /** On two lines rather than one. */
  twoLines?: boolean
  className?: string
}

const findControl = (text: Element) => text.parentElement?.closest('a, button')

// One for all: a list of a hundred rows has hundreds of texts.
let observer: ResizeObserver | undefined

function markCut(entries: readonly ResizeObserverEntry[]): void {
  // Read of all before the first is written, so that they are laid out once.
  const looks = entries.map(({ target }) => ({
    text: target as HTMLElement,
    isCut: target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight + 1,
  }))
  for (const { text, isCut } of looks) {
    text.toggleAttribute('data-cut', isCut)
    if (isCut && !findControl(text)) text.tabIndex = 0
    else text.removeAttribute('tabindex')
  }
}

const removals = new EventTarget()

function watch(text: HTMLElement | null) {
  if (!text) return undefined
  observer ??= new ResizeObserver(markCut)
  observer.observe(text)
  return () => {
    observer?.unobserve(text)
    removals.dispatchEvent(new CustomEvent('removal', { detail: text }))
  }
}

/**
 * A text that ends in an ellipsis where there is no room for it. It is shown whole while the pointer rests on it, and while the keyboard
 * is at it or at the control that it stands in; `CutTexts` does that.
 */
export const Ellipsis = ({ children, twoLines, className }: EllipsisProps) => (
  // Another text may be cut at the same size.
  <span
    key={children}
    ref={watch}
    className={classNames('ellipsis', twoLines && 'line-clamp-2 whitespace-normal wrap-anywhere', className)}
  >
    {children}
  </span>
)

const cutText = '.ellipsis[data-cut]'
const delay = { show: 300, hide: 100 }

const findCut = (element: Element) => (element.matches(cutText) ? element : element.querySelector(cutText))
const readCut = (anchor: Element): string => findCut(anchor)?.textContent ?? ''

/** Shows what `Ellipsis` has cut, anywhere on the page. */
export function CutTexts() {
  const { tooltip, show } = useTooltip(readCut)
  useEffect(() => {
    let anchor: Element | null = null
    const move = (next: Element | null, ms?: number) => {
      anchor = next
      show(next, ms)
    }
    const listen = new AbortController()
    const { signal } = listen
    const on = <Type extends keyof DocumentEventMap>(type: Type, react: (event: DocumentEventMap[Type], target: Element) => void) =>
      document.addEventListener(type, (event) => event.target instanceof Element && react(event, event.target), { signal })
    on('pointerover', ({ pointerType }, target) => {
      const text = target.closest(cutText)
      if (text && pointerType !== 'touch') move(text, delay.show)
    })
    on('pointerout', (_, target) => target.closest(cutText) && move(null, delay.hide))
    on('pointerdown', () => move(null))
    on('focusin', (_, target) => {
      if (target.matches('.ellipsis, a, button') && findCut(target) && target.matches(':focus-visible')) move(target)
    })
    on('focusout', () => move(null))
    on('keydown', ({ key }) => key === 'Escape' && move(null))
    removals.addEventListener('removal', (event) => anchor?.contains((event as CustomEvent<Element>).detail) && move(null), { signal })
    return () => listen.abort()
  }, [show])
  return tooltip
}
