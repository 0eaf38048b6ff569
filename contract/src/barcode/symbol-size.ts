/** Canvas size in px (spec §9). */
export function symbolSize(bytes: number, { caption }: { caption: boolean }): { width: number; height: number } {
  const side = Math.round(Math.min(Math.max(0.2 * bytes, 300), 500))
  return { width: side, height: side + (caption ? 50 : 0) }
}
