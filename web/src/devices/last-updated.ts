/** 8 hours behind UTC all year (spec §9). POSIX names have the opposite sign. */
const format = new Intl.DateTimeFormat('en-US', { timeZone: 'Etc/GMT+8', day: '2-digit', month: 'short', year: 'numeric' })

export const lastUpdatedZone = 'UTC−08:00'

export function formatLastUpdated(instant: string): string {
  const parts = Object.fromEntries(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]))
  return `${parts.day} ${parts.month} ${parts.year}`
}
