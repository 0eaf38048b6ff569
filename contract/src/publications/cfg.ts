import type { UpdateModel } from '../devices/device-models.ts'

export const maxCfgLength = 1_000_000

/** Puts back the "<" that focusing the box has consumed (spec §4). */
export const withLeadingBracket = (text: string): string => (text === '' || text.startsWith('<') ? text : `<${text}`)

interface KeyboardLayout {
  reader: string
  pc: string
  /** What the layout makes of the first tag. */
  tag: RegExp
}

// A reader types like a keyboard. On a PC with another layout than the reader's the signs of a tag become other characters.
const keyboardLayouts: readonly KeyboardLayout[] = [
  { reader: 'a US keyboard', pc: 'a German one, or one with the same signs, such as Italian or Spanish', tag: /^;[A-Za-z_][\w.-]*:/ },
  { reader: 'a US keyboard', pc: 'a French one', tag: /^[.?][A-Za-z_][\w.,-]*\// },
  { reader: 'a US keyboard', pc: 'a Russian one', tag: /^Б[А-Яа-яЁё_]+Ю/u },
  { reader: 'a German or French keyboard', pc: 'a US or UK one', tag: /^\\[A-Za-z_][\w.-]*\|/ },
]

/** Returns null where the text begins as it was sent. The page puts a "<" before a text that lacks one. */
function findKeyboardLayout(text: string): KeyboardLayout | null {
  const typed = text.replace(/^</, '').trimStart()
  return keyboardLayouts.find(({ tag }) => tag.test(typed)) ?? null
}

export function closingTag(text: string): string | null {
  const name = /<([A-Za-z_][\w.:-]*)/.exec(text)?.[1]
  return name ? `</${name}>` : null
}

/** Finds the end of the first element; null where it is not closed. It may contain elements with its own name. */
function findRootEnd(text: string): number | null {
  const name = closingTag(text)?.slice(2, -1)
  if (name === undefined) return null
  let depth = 0
  for (const { 0: tag, index } of text.matchAll(new RegExp(`</?${name.replaceAll('.', '\\.')}(?![\\w.:-])[^>]*>`, 'g'))) {
    if (tag.startsWith('</')) depth -= 1
    else if (!tag.endsWith('/>')) depth += 1
    if (depth <= 0) return tag === `</${name}>` ? index + tag.length : null
  }
  return null
}

/** Whether the text is one element: it ends with the closing tag of its first element (spec §4), which ends nowhere before. */
export function isClosedCfg(text: string): boolean {
  const tag = closingTag(text)
  // A quick test first, as this is asked at each key of a long scan.
  if (tag === null || !text.trimEnd().endsWith(tag)) return false
  const end = findRootEnd(text)
  return end !== null && text.slice(end).trim() === ''
}

/** Whether all that is wrong with the text is that it is not closed yet. */
export const isOnlyOpen = (text: string): boolean => {
  const problem = cfgProblem(text)
  return problem !== null && problem === notClosed(closingTag(text))
}

const notClosed = (tag: string | null): string => `The configuration is not closed: it must end with ${tag}.`

export function cfgProblem(text: string): string | null {
  if (text.trim() === '') return 'The configuration is empty. Scan the golden-standard reader or paste its text.'
  if (text.length > maxCfgLength) return `The configuration is longer than ${maxCfgLength} characters.`
  if (text.includes('\0') || !text.isWellFormed()) return 'The configuration has characters that are no text.'
  const layout = findKeyboardLayout(text)
  if (layout)
    return `This text was typed for another keyboard: the reader types as for ${layout.reader}, and the PC takes it as ${layout.pc}. Set the same keyboard layout in both, and scan again.`
  const tag = closingTag(text)
  if (!text.startsWith('<') || tag === null) return 'The configuration does not start with a tag, such as <cfg>.'
  const end = findRootEnd(text)
  if (end !== null && text.slice(end).trimStart().startsWith('<'))
    return `The configuration has more than one element: after ${tag} it begins again. It may have been scanned twice. Scan it once.`
  if (end !== null && text.slice(end).trim() !== '') return `The configuration has text after ${tag}. Remove it, or scan again.`
  if (end === null) return notClosed(tag)
  return null
}

/** The parts in which a golden-standard reader's scan barcode is printed (spec §9). */
export const scanBarcodeSegments = (model: UpdateModel): number => (model === 'CR2700' ? 2 : model === 'A271/2' ? 5 : 3)
