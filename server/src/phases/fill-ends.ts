/**
 * Where phases end, with each that may grow reaching its next reader where it has none. `positions`: of all readers that can be in one, in order. What
 * ended stays as it is.
 */
export function fillEnds(ends: readonly number[], mayGrow: readonly boolean[], positions: readonly number[]): number[] {
  let start = 0
  return ends.map((own, index) => {
    const next = positions.find((position) => position >= start)
    const end = mayGrow[index] && next !== undefined ? Math.max(own, next + 1) : Math.max(own, start)
    start = end
    return end
  })
}
