import type { Log } from '../log.ts'

/** A log that keeps its lines. */
export function keptLog(): Log & { lines: string[] } {
  const lines: string[] = []
  return { lines, info: (text) => void lines.push(text), warn: (text) => void lines.push(`Warning: ${text}`) }
}
