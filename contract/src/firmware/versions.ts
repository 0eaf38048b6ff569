/**
 * A version in the form in which it is stored and compared: numbers by value, the rest in small letters. Versions with one form are the
 * same.
 */
export const versionOrder = (version: string): string =>
  version.toLowerCase().replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(12, '0'))

const numbersAndRest = /^v?(\d+(?:\.\d+)*)([^+]*)/
const preRelease = /^(?:-|[ ._]*(?:rc|alpha|beta|a|b)[-. _]*\d*$)/
const longWords: Record<string, string> = { a: 'alpha', b: 'beta' }

/**
 * The rank of a version, as text (RIT-09): pre-releases before their release, numbers by value, build metadata ignored. The database's
 * `version_rank` has the same rule.
 */
function versionRank(order: string): string {
  const found = numbersAndRest.exec(order)
  // A version that begins with no number comes before all others.
  if (!found) return `!${order.replaceAll(' ', '')}`
  const [, numbers, rest] = found as unknown as [string, string, string]
  const words = (rest.match(/\d+|[^-. _0-9]+/g) ?? []).map((word) => longWords[word] ?? word)
  if (words.length === 0) return `${numbers}$`
  return `${numbers}${preRelease.test(rest) ? '!' : '%'}${words.join('.')}`
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Sorts oldest first. Versions of equal rank are sorted by text. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [versionOrder(one), versionOrder(other)]
  return compareTexts(versionRank(a), versionRank(b)) || compareTexts(a, b)
}

/** False for versions of equal rank, such as 4.9.2 and 4.9.2+build5. */
export const isNewerVersion = (one: string, other: string): boolean => versionRank(versionOrder(one)) > versionRank(versionOrder(other))
