/**
 * Returns the ends of phases, moved so that each phase that may grow has at least one reader. `positions`: of all readers that can be in a
 * share, ascending. No end moves back. A phase for which no reader is left keeps its end.
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
