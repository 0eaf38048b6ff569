import { formatNumber } from './numbers.ts'

const list = new Intl.ListFormat('en-GB')

/** "ICU, Lab and Ward", or "ICU, Lab and 3 more". `count`: how many there are, where `names` are only some of them. */
export function formatNames(names: readonly string[], most = names.length, count = names.length): string {
  const shown = names.slice(0, most)
  return list.format(count > shown.length ? [...shown, `${formatNumber(count - shown.length)} more`] : shown)
}

/** Words for chosen zones within a sentence: "all 500 zones". */
export const zonesInSentence = (words: string): string => words.replace(/^All |^The /, (start) => start.toLowerCase())
