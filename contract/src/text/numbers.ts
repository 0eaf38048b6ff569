const format = new Intl.NumberFormat('en-US')

export const formatNumber = (value: number): string => format.format(value)

/** "1 reader", "4,218 readers"; "readers" for an unknown count. */
export const counted = (count: number | undefined, one: string, many = `${one}s`): string =>
  count === undefined ? many : `${formatNumber(count)} ${count === 1 ? one : many}`

/** What a count of outcomes counts: a reader that gets configuration and firmware has two updates. `kinds`: of the contents. */
export const nounOfUpdates = (kinds: Iterable<string>): 'reader' | 'update' => (new Set(kinds).size > 1 ? 'update' : 'reader')
