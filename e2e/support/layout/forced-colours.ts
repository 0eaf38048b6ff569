import type { Flaw } from './in-page.ts'

/**
 * Finds states that only a colour distinguishes, on a page with forced colours: choices and steps of one group that look equal in different
 * states, progress that looks like its track or like other progress, and marks without a shape.
 */
export function measureStates(): Flaw[] {
  const flaws: Flaw[] = []
  const properties = ['backgroundImage', 'color', 'outlineStyle', 'textDecorationLine'] as const
  const sides = ['Top', 'Right', 'Bottom', 'Left'] as const

  const probe = document.createElement('i')
  probe.style.backgroundColor = 'Canvas'
  document.body.append(probe)
  const canvas = getComputedStyle(probe).backgroundColor
  probe.remove()
  const isEmpty = (colour: string) => colour === canvas || /, 0\)$/.test(colour)

  /** How an element looks. Its words, its size, bolder letters and a thicker edge are too little to distinguish it. */
  function draw(element: Element, pseudo?: '::before' | '::after'): string {
    const style = getComputedStyle(element, pseudo)
    if (pseudo && style.content === 'none') return ''
    const edges = sides
      .map((side) => (style[`border${side}Width`] === '0px' ? '' : `${style[`border${side}Style`]} ${style[`border${side}Color`]}`))
      .join()
    const fill = isEmpty(style.backgroundColor) ? '' : style.backgroundColor
    if (pseudo && style.content === '""' && edges === ',,,' && fill === '' && style.backgroundImage === 'none') return ''
    return [...properties.map((name) => style[name]), fill, edges].join()
  }
  function fingerprint(element: Element): string {
    // Drawings keep their colours, so their shape must differ.
    if (element instanceof SVGElement) return element.outerHTML.replace(/class="[^"]*"/g, '')
    const parts = [draw(element), draw(element, '::before'), draw(element, '::after')]
    return [...parts, ...[...element.children].map(fingerprint)].join('|')
  }
  const isShown = (element: Element) => element.checkVisibility() && element.getClientRects().length > 0
  const differ = (members: Element[], getState: (member: Element) => string, what: string) => {
    const looks = new Map<string, { state: string; text: string }>()
    for (const member of members.filter(isShown)) {
      const state = getState(member)
      const print = fingerprint(member)
      const same = looks.get(print)
      const text = (member.textContent ?? '').trim().slice(0, 40)
      if (same && same.state !== state)
        flaws.push({ kind: 'same in forced colours', texts: [`${what} ${same.state}: ${same.text}`, `${state}: ${text}`] })
      else looks.set(print, { state, text })
    }
  }
  const all = (selector: string, within: ParentNode = document) => [...within.querySelectorAll(selector)]

  for (const group of all('[role=radiogroup], [role=tablist]'))
    differ(
      all('[role=radio], [role=tab]', group),
      (one) => one.getAttribute('aria-checked') ?? one.getAttribute('aria-selected') ?? '',
      'choice',
    )
  differ(all('input[type=radio], input[type=checkbox]'), (one) => String((one as HTMLInputElement).checked), 'choice')
  differ(all('[role=checkbox], [role=switch]'), (one) => one.getAttribute('aria-checked') ?? '', 'box')
  for (const list of all('nav')) {
    const links = all('a', list)
    for (const current of links.filter((link) => link.matches('[aria-current]')))
      differ(
        links.filter((link) => link.className === current.className),
        (one) => String(one.matches('[aria-current]')),
        'entry',
      )
  }
  const stateOf = (prefix: string) => (one: Element) =>
    [...one.classList].find((name) => name.startsWith(prefix) && name !== `${prefix}mark`) ?? ''
  // The number in a step's mark is not its state.
  for (const list of all('.stepper'))
    differ(
      all('.step', list).map((step) => step.querySelector('.step-mark') ?? step),
      (mark) => stateOf('step-')(mark.parentElement!),
      'step',
    )
  for (const bar of all('.progress-bar, [role=img]').filter(isShown)) {
    const track = getComputedStyle(bar).backgroundColor
    const isTrack = (colour: string) => colour === track || (isEmpty(colour) && isEmpty(track))
    for (const part of all(bar.matches('.progress-bar') ? ':scope > span' : ':scope > span:empty', bar)) {
      const { backgroundColor, backgroundImage } = getComputedStyle(part)
      if (backgroundImage === 'none' && isTrack(backgroundColor))
        flaws.push({ kind: 'same in forced colours', texts: [part.className, 'its track'] })
    }
  }
  differ(all('.progress-bar > span'), stateOf('progress-'), 'progress')
  differ(all('.glyph'), stateOf('glyph-'), 'mark')
  return flaws
}
