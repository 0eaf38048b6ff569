export const describeLimit = (percent: number | null): string =>
  percent === null
    ? 'No zone halts by itself, however many readers fail.'
    : `A zone halts by itself when more than ${percent}% of its readers fail.`

/** A stop time counts for daily runs alone. */
export const describeStopTime = (stopTime: string | null, when: 'now' | 'at', isRestricted: boolean): string => {
  if (when === 'now') return 'Readers start as soon as they can, at any time.'
  const windows = isRestricted ? ['Readers start in the maintenance windows alone, and not on blocked days.'] : []
  if (stopTime !== null) return [`From ${stopTime} on no further reader starts until the next update time.`, ...windows].join(' ')
  return windows[0] ?? 'Readers may start at any time after the update time.'
}
