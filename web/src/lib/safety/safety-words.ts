export const describeLimit = (percent: number | null): string =>
  percent === null
    ? 'No zone halts by itself, however many readers fail.'
    : `A zone halts by itself when more than ${percent}% of its readers fail.`

/** A stop time holds for daily runs alone. */
export const describeStopTime = (stopTime: string | null, when: 'now' | 'at', isRestricted: boolean): string => {
  if (when === 'now') return 'Readers start as soon as they can, at any time.'
  const kept = isRestricted ? ' Readers start in the maintenance windows alone, and not on blocked days.' : ''
  return stopTime === null
    ? kept.trim() || 'Readers may start at any time after the update time.'
    : `From ${stopTime} on no further reader starts until the next update time.${kept}`
}
