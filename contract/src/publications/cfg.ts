import type { UpdateModel } from '../devices/device-models.ts'

export const maxCfgLength = 1_000_000

/** Restores the "<" that focusing the box has consumed (spec §4). */
export const withLeadingBracket = (text: string): string => (text === '' || text.startsWith('<') ? text : `<${text}`)

export function closingTag(text: string): string | null {
  const name = /<([A-Za-z_][\w.:-]*)/.exec(text)?.[1]
  return name ? `</${name}>` : null
}

/** Ends with the closing tag of its first element (spec §4). */
export function isClosedCfg(text: string): boolean {
  const tag = closingTag(text)
  return tag !== null && text.trimEnd().endsWith(tag)
}

export function cfgProblem(text: string): string | null {
  if (text.trim() === '') return 'The configuration is empty. Scan the golden-standard reader or paste its text.'
  if (text.length > maxCfgLength) return `The configuration is longer than ${maxCfgLength} characters.`
  if (text.includes('\0') || !text.isWellFormed()) return 'The configuration has characters that are no text.'
  const tag = closingTag(text)
  if (!text.startsWith('<') || tag === null) return 'The configuration does not start with a tag, such as <cfg>.'
  if (!isClosedCfg(text)) return `The configuration is not closed: it must end with ${tag}.`
  return null
}

/** Parts that a golden-standard reader's scan barcode is printed in (spec §9). */
export const scanBarcodeSegments = (model: UpdateModel): number => (model === 'CR2700' ? 2 : model === 'A271/2' ? 5 : 3)
