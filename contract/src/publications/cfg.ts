import type { UpdateModel } from '../devices/device-models.ts'

export const maxCfgLength = 1_000_000

/** Puts a "<" before a text that lacks one, as the key that focuses the box is not typed into it (spec §4). */
export const withLeadingBracket = (text: string): string => (text === '' || text.startsWith('<') ? text : `<${text}`)

interface KeyboardLayout {
  reader: string
  pc: string
  /** Matches what this layout of the PC makes of the first tag. */
  tag: RegExp
}

// A reader types like a keyboard. Where the PC has another layout than the reader, the signs of a tag become other characters.
const keyboardLayouts: readonly KeyboardLayout[] = [
  { reader: 'a US keyboard', pc: 'a German one, or one with the same signs, such as Italian or Spanish', tag: /^;[A-Za-z_][\w.-]*:/ },
  { reader: 'a US keyboard', pc: 'a French one', tag: /^[.?][A-Za-z_][\w.,-]*\// },
  { reader: 'a US keyboard', pc: 'a Russian one', tag: /^Б[А-Яа-яЁё_]+Ю/u },
  { reader: 'a German or French keyboard', pc: 'a US or UK one', tag: /^\\[A-Za-z_][\w.-]*\|/ },
]

/** Finds the layouts by which the first tag was typed wrongly; null where it was not. A "<" that the page has put before it is ignored. */
function findKeyboardLayout(text: string): KeyboardLayout | null {
  const typed = text.replace(/^</, '').trimStart()
  return keyboardLayouts.find(({ tag }) => tag.test(typed)) ?? null
}

/** Returns the closing tag of the text's first element; null where it has none. */
export function closingTag(text: string): string | null {
  const name = /<([A-Za-z_][\w.:-]*)/.exec(text)?.[1]
  return name ? `</${name}>` : null
}

/** Returns the index behind the first element; null where it is not closed. The element may contain others with its name. */
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

/** Whether the text is one element. It ends with the closing tag of its first element (spec §4), and that element ends nowhere before. */
export function isClosedCfg(text: string): boolean {
  const tag = closingTag(text)
  // The quick test comes first, as this runs at each key of a long scan.
  if (tag === null || !text.trimEnd().endsWith(tag)) return false
  const end = findRootEnd(text)
  return end !== null && text.slice(end).trim() === ''
}

/** Whether nothing is wrong with the text except that it is not closed yet. */
export const isOnlyOpen = (text: string): boolean => {
  const problem = cfgProblem(text)
  return problem !== null && problem === notClosed(closingTag(text))
}

const notClosed = (tag: string | null): string => `The configuration is not closed: it must end with ${tag}.`

/** Returns a sentence that says what is wrong with a configuration; null where nothing is. */
export function cfgProblem(text: string): string | null {
  if (text.trim() === '') return 'The configuration is empty. Scan the golden-standard reader or paste its text.'
  if (text.length > maxCfgLength) return `The configuration is longer than ${maxCfgLength} characters.`
  if (text.includes('\0') || !text.isWellFormed()) return 'The configuration has characters that are no text.'
  const layout = findKeyboardLayout(text)
  if (layout)
    return `This text was typed for another keyboard: the reader types as for ${layout.reader}, and the PC takes it as ${layout.pc}. Set the same keyboard layout in both, and scan again.`
  const tag = closingTag(text)
  if (/^<(!doctype\s+)?html\b/i.test(text))
    return 'This is a web page, not a configuration. Scan the golden-standard reader or paste its text.'
  if (!text.startsWith('<') || tag === null) return 'The configuration does not start with a tag, such as <cfg>.'
  const end = findRootEnd(text)
  if (end !== null && text.slice(end).trimStart().startsWith('<'))
    return `The configuration has more than one element: after ${tag} it begins again. It may have been scanned twice. Scan it once.`
  if (end !== null && text.slice(end).trim() !== '') return `The configuration has text after ${tag}. Remove it, or scan again.`
  if (end === null) return notClosed(tag)
  return null
}

/** Returns in how many parts a golden-standard reader's scan barcode is printed (spec §9). */
export const scanBarcodeSegments = (model: UpdateModel): number => (model === 'CR2700' ? 2 : model === 'A271/2' ? 5 : 3)
