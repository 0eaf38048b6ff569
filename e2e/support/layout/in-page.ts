/** One thing that is wrong with what a page shows. */
export interface Flaw {
  kind:
    | 'overlap'
    | 'clipped'
    | 'out of its box'
    | 'page scrolls sideways'
    | 'table scrolls sideways'
    | 'no full text on hover'
    | 'no full text on focus'
    | 'close to its row'
    | 'tall row'
    | 'no card'
    | 'sticky bars'
    | 'same in forced colours'
    | 'axe'
  /** The one or two texts that it is about, shortened. */
  texts: string[]
}

export interface Layout {
  flaws: Flaw[]
  /** Height of each row of the table, in px. */
  rows: number[]
  cards: number
  /** How many texts end in an ellipsis: elements of `window.shortened`. */
  shortened: number
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

interface Piece {
  node: Text
  text: string
  /** What is seen of it. */
  seen: Box
  layer: Element
}

declare global {
  interface Window {
    shortened?: { element: Element; text: string }[]
  }
}

/**
 * Measures the shown page. The function is sent to the page as text, so all that it needs is inside it. A text is as high as its letters,
 * not as its line's box, as lines may be closer together than the font's box is high.
 */
export function measureLayout(): Layout {
  const slack = 1.5
  // From letters to the lines of their row, in px.
  const leastPadding = 9
  const flaws: Flaw[] = []
  const styles = new Map<Element, CSSStyleDeclaration>()
  const look = (element: Element) => {
    const known = styles.get(element) ?? getComputedStyle(element)
    styles.set(element, known)
    return known
  }
  const shorten = (text: string) => text.trim().replace(/\s+/g, ' ').slice(0, 60)
  const report = (kind: Flaw['kind'], ...texts: string[]) => {
    const flaw = { kind, texts: texts.map(shorten) }
    if (!flaws.some((other) => other.kind === kind && other.texts.join() === flaw.texts.join())) flaws.push(flaw)
  }
  const meet = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  })
  const isEmpty = (box: Box, least = 0.5) => box.right - box.left < least || box.bottom - box.top < least

  /** The ancestors that cut off what stands out of them. */
  const clippers = new Map<Element, Element[]>()
  function findClippers(element: Element): Element[] {
    const known = clippers.get(element)
    if (known) return known
    const found: Element[] = []
    let escapes = ''
    for (let at: Element | null = element; at && at !== document.body && at !== document.documentElement; at = at.parentElement) {
      const { position, overflowX, overflowY, transform, clipPath } = look(at)
      const isHolder = position !== 'static' || transform !== 'none'
      const doesHold = escapes === '' || (escapes === 'absolute' && isHolder) || transform !== 'none'
      if (doesHold && (overflowX !== 'visible' || overflowY !== 'visible' || clipPath !== 'none')) found.push(at)
      if (doesHold) escapes = ''
      if (position === 'absolute' || position === 'fixed') escapes = position
    }
    clippers.set(element, found)
    return found
  }

  /** Text is compared with text of the same layer: what sticks or floats lies above the rest. */
  function findLayer(element: Element): Element {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { position, zIndex } = look(at)
      if (position === 'fixed' || position === 'sticky' || (position === 'absolute' && zIndex !== 'auto')) return at
    }
    return document.body
  }

  /** The nearest ancestor that is seen as a box: a control, or with a fill or an edge. */
  function findBox(element: Element): Element | null {
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const style = look(at)
      if (style.display === 'inline' || style.display === 'contents') continue
      const hasEdge = ['Top', 'Right', 'Bottom', 'Left'].some((side) => parseFloat(style[`border${side}Width` as 'borderTopWidth']) > 0)
      const hasFill = !/^(transparent|rgba\(.*, 0\)|oklch\(.* \/ 0\))$/.test(style.backgroundColor)
      if (hasEdge || hasFill || at.matches('button, td, th')) return at
    }
    return null
  }

  function findCut(style: CSSStyleDeclaration, seen: Box, frame: Box): 'ellipsis' | 'clipped' | null {
    const isCutX = /hidden|clip/.test(style.overflowX) && (seen.right > frame.right + slack || seen.left < frame.left - slack)
    const isCutY = /hidden|clip/.test(style.overflowY) && (seen.bottom > frame.bottom + slack || seen.top < frame.top - slack)
    if (!isCutX && !isCutY) return null
    const hasEllipsis = isCutY ? style.webkitLineClamp !== 'none' : style.textOverflow === 'ellipsis'
    return hasEllipsis ? 'ellipsis' : 'clipped'
  }

  const shortened = new Map<Element, string>()
  const pieces: Piece[] = []
  /** What is seen of one line of a text; reports where it is cut. */
  function cut(node: Text, parent: Element, line: Box): Box | null {
    let seen = line
    for (const clipper of findClippers(parent)) {
      const frame = clipper.getBoundingClientRect()
      const style = look(clipper)
      if (frame.width <= 2 || frame.height <= 2 || (style.clipPath !== 'none' && frame.width <= 4)) return null
      const next = meet(seen, frame)
      const how = findCut(style, seen, frame)
      if (how === 'ellipsis') shortened.set(clipper, clipper.textContent ?? '')
      if (how === 'clipped') report('clipped', node.data, clipper.className.toString())
      seen = next
      if (isEmpty(seen)) return null
    }
    return seen
  }

  // Of what is seen: an ellipsis may hide lines.
  function measureCell(node: Text, parent: Element, range: Range, letters: number): void {
    const cell = parent.closest('.table tbody tr:not(.table-detail) > td')
    if (!cell || look(cell).display !== 'table-cell') return
    const frame = cell.getBoundingClientRect()
    for (const rect of range.getClientRects()) {
      const seen = findClippers(parent).reduce<Box>((box, clipper) => meet(box, clipper.getBoundingClientRect()), rect)
      if (isEmpty(seen)) continue
      const middle = (seen.top + seen.bottom) / 2
      const distance = Math.min(middle - frame.top, frame.bottom - middle) - letters / 2
      if (distance < leastPadding) report('close to its row', node.data, `${Math.round(distance)} px`)
    }
  }

  function readText(node: Text): void {
    const parent = node.parentElement!
    if (node.data.trim() === '' || parent.closest('script, style, noscript, svg, select, datalist, option')) return
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return
    const range = document.createRange()
    range.selectNodeContents(node)
    const letters = parseFloat(look(parent).fontSize)
    const layer = findLayer(parent)
    const box = findBox(parent)
    const frame = box?.getBoundingClientRect()
    for (const rect of range.getClientRects()) {
      if (rect.width < 1) continue
      const middle = (rect.top + rect.bottom) / 2
      const half = Math.min(rect.height, letters) / 2
      const line = { left: rect.left, right: rect.right, top: middle - half, bottom: middle + half }
      const seen = cut(node, parent, line)
      if (seen === null) continue
      pieces.push({ node, text: node.data, seen, layer })
      if (!frame || box!.contains(layer)) continue
      // What is cut off at an inner element does not stand out of the box.
      const sides = [frame.left - seen.left, seen.right - frame.right, frame.top - seen.top, seen.bottom - frame.bottom]
      if (Math.max(...sides) > slack) report('out of its box', node.data, box!.className.toString() || box!.tagName)
    }
    measureCell(node, parent, range, letters)
  }

  function compare(): void {
    pieces.sort((a, b) => a.seen.top - b.seen.top)
    const near: Piece[] = []
    for (const piece of pieces) {
      for (let index = near.length - 1; index >= 0; index -= 1) if (near[index]!.seen.bottom <= piece.seen.top) near.splice(index, 1)
      for (const other of near) {
        if (other.node === piece.node || other.layer !== piece.layer) continue
        if (!isEmpty(meet(other.seen, piece.seen), slack)) report('overlap', other.text, piece.text)
      }
      near.push(piece)
    }
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) readText(walker.currentNode as Text)
  compare()
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) {
    const outside = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > root.clientWidth + 1 && findClippers(element.parentElement!).length === 0,
    )
    const culprit = outside.at(-1)
    report(
      'page scrolls sideways',
      `${root.scrollWidth - root.clientWidth} px`,
      `${culprit?.tagName} ${culprit?.className} ${culprit?.textContent}`,
    )
  }
  for (const scroller of document.querySelectorAll('.table-scroll'))
    if (scroller.scrollWidth > scroller.clientWidth + 1)
      report('table scrolls sideways', scroller.getAttribute('aria-label') ?? '', `${scroller.scrollWidth - scroller.clientWidth} px`)
  window.shortened = [...shortened].map(([element, text]) => ({ element, text }))
  return {
    flaws,
    rows: [...document.querySelectorAll('.table tbody tr:not(.table-detail)')].map((row) => row.getBoundingClientRect().height),
    cards: document.querySelectorAll('.record').length,
    shortened: window.shortened.length,
  }
}

/** Which share of the window's height bars cover that stay while the page is scrolled: from 0 to 1. */
export function measureBars(): number {
  const root = document.documentElement
  const before = scrollY
  scrollTo(0, (root.scrollHeight - innerHeight) / 2)
  const covered = new Set<number>()
  for (const element of document.body.querySelectorAll('*')) {
    const { position } = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    if ((position !== 'sticky' && position !== 'fixed') || box.width < innerWidth / 2 || !element.checkVisibility()) continue
    for (let y = Math.max(0, Math.floor(box.top)); y < Math.min(innerHeight, box.bottom); y += 1) covered.add(y)
  }
  scrollTo(0, before)
  return covered.size / innerHeight
}
