/** Secrets must not be passed to it. */
export interface Log {
  info(text: string): void
  warn(text: string): void
}

const pad = (value: number) => String(value).padStart(2, '0')

/** `2026-11-20 13:41:02`, in the host's local time. */
export function localTime(at: Date): string {
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${day} ${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`
}

export function createLog(stream: { write(text: string): unknown }, now: () => Date = () => new Date()): Log {
  const line = (mark: string) => (text: string) => void stream.write(`${localTime(now())} ${mark}${text}\n`)
  return { info: line(''), warn: line('Warning: ') }
}
