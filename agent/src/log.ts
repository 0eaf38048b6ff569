/** Lines for the person at the host PC and for the service's log file. Nothing secret is ever handed to it. */
export interface Log {
  info(text: string): void
  warn(text: string): void
}

const two = (value: number) => String(value).padStart(2, '0')

/** `2026-11-20 13:41:02`, in the host's local time. */
export function localTime(at: Date): string {
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** Writes each line with its local time; warnings are marked, so that they can be searched for. */
export function lineLog(stream: { write(text: string): unknown }, now: () => Date = () => new Date()): Log {
  const line = (mark: string) => (text: string) => void stream.write(`${localTime(now())} ${mark}${text}\n`)
  return { info: line(''), warn: line('Warning: ') }
}
