import type { Log } from '../log.ts'

export function memoryLog(): Log & { lines: string[] } {
  const lines: string[] = []
  return { lines, info: (text) => void lines.push(text), warn: (text) => void lines.push(`Warning: ${text}`) }
}
