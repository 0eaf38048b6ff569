import { useEffect, useState } from 'react'
import { TooltipBox } from '../feedback/tooltip.tsx'

const cutText = '.ellipsis[data-cut]'
const delay = { show: 300, hide: 100, look: 100 }

const findCut = (element: Element) => (element.matches(cutText) ? element : element.querySelector(cutText))

/** Finds cut texts, and makes those outside controls focusable. */
function markCut(): void {
  const texts = [...document.querySelectorAll<HTMLElement>('.ellipsis')]
  // All widths are read before anything is written, so that the page is laid out once.
  const cuts = texts.map((text) => text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 1)
  for (const [index, text] of texts.entries()) {
    const isCut = cuts[index] as boolean
    text.toggleAttribute('data-cut', isCut)
    if (isCut && !text.closest('a, button')) text.tabIndex = 0
    else text.removeAttribute('tabindex')
  }
}

const scrollArea = '.table-scroll, .review-text'

/** Makes areas focusable while they scroll. One that does not scroll would be a useless stop. */
function markScrolling(): void {
  const areas = [...document.querySelectorAll<HTMLElement>(scrollArea)]
  const scrolling = areas.map((area) => area.scrollWidth > area.clientWidth || area.scrollHeight > area.clientHeight + 1)
  for (const [index, area] of areas.entries()) {
    if (scrolling[index]) area.tabIndex = 0
    else if (area !== document.activeElement) area.removeAttribute('tabindex')
  }
}

/** Calls back after anything that may have resized texts and areas. */
function watchTexts(onLook: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer = undefined
    markCut()
    markScrolling()
    onLook()
  }
  const lookSoon = () => {
    timer ??= setTimeout(look, delay.look)
  }
  const changes = new MutationObserver(lookSoon)
  changes.observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['class', 'style', 'open', 'hidden'],
  })
  const sizes = new ResizeObserver(lookSoon)
  sizes.observe(document.body)
  document.fonts.addEventListener('loadingdone', lookSoon)
  return () => {
    clearTimeout(timer)
    changes.disconnect()
    sizes.disconnect()
    document.fonts.removeEventListener('loadingdone', lookSoon)
  }
}

/** Shows whole texts that `Ellipsis` has cut, anywhere on the page. */
export function CutTexts() {
  const [anchor, setAnchor] = useState<Element | null>(null)
  useEffect(() => {
    let shown: Element | null = null
    let timer: ReturnType<typeof setTimeout>
    const show = (next: Element | null) => {
      clearTimeout(timer)
      shown = next
      setAnchor(next)
    }
    const showAfter = (ms: number, next: Element | null) => {
      clearTimeout(timer)
      timer = setTimeout(show, ms, next)
    }
    const unwatch = watchTexts(() => shown?.isConnected === false && show(null))
    const listen = new AbortController()
    const on = <Type extends keyof DocumentEventMap>(type: Type, react: (event: DocumentEventMap[Type], target: Element) => void) =>
      document.addEventListener(type, (event) => event.target instanceof Element && react(event, event.target), { signal: listen.signal })
    on('pointerover', ({ pointerType }, target) => {
      const text = target.closest(cutText)
      if (text && pointerType !== 'touch') showAfter(delay.show, text)
      // The pointer may rest on the words themselves.
      else if (target.closest('.tooltip')) show(shown)
    })
    on('pointerout', (_, target) => target.closest(`${cutText}, .tooltip`) && showAfter(delay.hide, null))
    on('pointerdown', () => show(null))
    on('focusin', (_, target) => {
      if (target.matches('.ellipsis, a, button') && findCut(target) && target.matches(':focus-visible')) show(target)
    })
    on('focusout', () => show(null))
    on('keydown', ({ key }) => key === 'Escape' && show(null))
    return () => {
      clearTimeout(timer)
      unwatch()
      listen.abort()
    }
  }, [])
  return anchor && <TooltipBox anchor={anchor}>{findCut(anchor)?.textContent}</TooltipBox>
}
