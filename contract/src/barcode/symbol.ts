/** The width of the light margin around a symbol, in modules (spec §9). */
export const quietModules = 10

/** The size of the canvas in px (spec §9). */
export function symbolSize(bytes: number, { caption }: { caption: boolean }): { width: number; height: number } {
  const side = Math.round(Math.min(Math.max(0.2 * bytes, 300), 500))
  return { width: side, height: side + (caption ? 50 : 0) }
}

/** Dark modules as horizontal runs. */
export function findRuns(modules: readonly (readonly boolean[])[]): { x: number; y: number; width: number }[] {
  return modules.flatMap((row, y) => {
    const runs: { x: number; y: number; width: number }[] = []
    row.forEach((dark, x) => {
      const last = runs.at(-1)
      if (dark && last && last.x + last.width === x) last.width += 1
      else if (dark) runs.push({ x, y, width: 1 })
    })
    return runs
  })
}
