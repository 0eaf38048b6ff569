const format = new Intl.NumberFormat('en-US')

export const formatNumber = (value: number): string => format.format(value)

/** "1 reader", "4,218 readers"; "readers" for an unknown count. */
export const counted = (count: number | undefined, one: string, many = `${one}s`): string =>
  count === undefined ? many : `${formatNumber(count)} ${count === 1 ? one : many}`
