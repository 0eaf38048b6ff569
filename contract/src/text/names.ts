import { formatNumber } from './numbers.ts'

const list = new Intl.ListFormat('en-GB')

/** "ICU, Lab and Ward", or "ICU, Lab and 3 more". `count`: how many there are, where not all of their names are known. */
export function formatNames(names: readonly string[], most = names.length, count = names.length): string {
  const shown = names.slice(0, most)
  return list.format(count > shown.length ? [...shown, `${formatNumber(count - shown.length)} more`] : shown)
}
