const dayFormat = (timeZone?: string) => new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone })
const utc = dayFormat('UTC')
const local = dayFormat()
const monthDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

function formatDate(format: Intl.DateTimeFormat, date: Date): string {
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${parts.day} ${parts.month} ${parts.year}`
}

/** Formats a calendar day: `2025-11-20` as "20 Nov 2025". */
export const formatCalendarDay = (day: string): string => formatDate(utc, new Date(`${day}T00:00:00Z`))

/** Formats a calendar day without the year: "20 Nov". */
export const formatMonthDay = (day: string): string => monthDay.format(new Date(`${day}T00:00:00Z`))

/** Formats an instant's day in the viewer's time zone: "20 Nov 2025". */
export const formatDay = (instant: string): string => formatDate(local, new Date(instant))

/** Formats an instant's time of day in the viewer's time zone: "09:44". */
export const formatTime = (instant: string): string => time.format(new Date(instant))

/** Formats an instant in the viewer's time zone: "20 Nov 2025, 09:44". */
export const formatMinute = (instant: string): string => `${formatDay(instant)}, ${formatTime(instant)}`

/** A person's name; the e-mail address where there is none. */
export const formatPerson = ({
  firstName,
  lastName,
  email,
}: {
  firstName: string | null
  lastName: string | null
  email: string
}): string => [firstName, lastName].filter(Boolean).join(' ') || email
