/** `2` and `02` are 02:00, `230` and `2.30` are 02:30. Undefined for other text. */
export function parseTimeOfDay(text: string): string | undefined {
  const match = /^(\d{1,2})(?:[:.h ]?(\d{2}))?$/.exec(text.trim())
  if (!match) return undefined
  const hours = Number(match[1])
  const minutes = Number(match[2] ?? 0)
  return hours < 24 && minutes < 60 ? format(hours * 60 + minutes) : undefined
}

export function shiftTimeOfDay(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return format((hour * 60 + minute + minutes + 1440) % 1440)
}

function format(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
