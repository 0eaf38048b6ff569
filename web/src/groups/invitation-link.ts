/** What a colleague opens to join a group. */
export const invitationLink = (origin: string, gid: number, invitation: string): string =>
  `${origin}/join/${gid}?${new URLSearchParams({ invitation })}`

const day = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric' })
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** An instant in the viewer's time, e.g. "20 Nov 2025, 14:05". */
export function untilWhen(instant: string): string {
  const date = new Date(instant)
  const parts = Object.fromEntries(day.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${parts.day} ${parts.month} ${parts.year}, ${time.format(date)}`
}
