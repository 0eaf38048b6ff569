const format = (timeZone?: string) => new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone })
const utc = format('UTC')
const local = format()
const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** A day of the calendar in words: `2025-11-20` is "20 Nov 2025". */
export const dayInWords = (day: string): string => inWords(utc, new Date(`${day}T00:00:00Z`))

/** The day of an instant, where the viewer is. */
export const formatDay = (instant: string): string => inWords(local, new Date(instant))

/** The time of day of an instant, where the viewer is: "09:44". */
export const formatTime = (instant: string): string => time.format(new Date(instant))

/** An instant to the minute, where the viewer is: "20 Nov 2025, 09:44". */
export const formatMinute = (instant: string): string => `${formatDay(instant)}, ${formatTime(instant)}`

function inWords(format: Intl.DateTimeFormat, date: Date): string {
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${parts.day} ${parts.month} ${parts.year}`
}
