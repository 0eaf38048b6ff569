import type { UpdateModel } from '../devices/device-models.ts'

/** Largest CFG text, in characters. */
export const maxCfgLength = 1_000_000

/** A capture starts with "<": it is put back where the keystroke that focused the box has eaten it (spec §4). */
export const withLeadingBracket = (text: string): string => (text === '' || text.startsWith('<') ? text : `<${text}`)

/** The closing tag that ends a CFG: that of its first element. Null while no element has begun. */
export function closingTag(text: string): string | null {
  const name = /<([A-Za-z_][\w.:-]*)/.exec(text)?.[1]
  return name ? `</${name}>` : null
}

/** A CFG is complete when it ends with the closing tag of its first element (spec §4). */
export function isClosedCfg(text: string): boolean {
  const tag = closingTag(text)
  return tag !== null && text.trimEnd().endsWith(tag)
}

/** Why `text` is no CFG that can be published, in words; null when it is one. */
export function cfgProblem(text: string): string | null {
  if (text.trim() === '') return 'The configuration is empty. Scan the golden-standard reader or paste its text.'
  if (text.length > maxCfgLength) return `The configuration is longer than ${maxCfgLength} characters.`
  if (text.includes('\0') || !text.isWellFormed()) return 'The configuration has characters that are no text.'
  const tag = closingTag(text)
  if (!text.startsWith('<') || tag === null) return 'The configuration does not start with a tag, such as <cfg>.'
  if (!isClosedCfg(text)) return `The configuration is not closed: it must end with ${tag}.`
  return null
}

/** In how many parts a golden-standard reader's scan barcode is printed (spec §9). */
export const scanBarcodeSegments = (model: UpdateModel): number => (model === 'CR2700' ? 2 : model === 'A271/2' ? 5 : 3)
