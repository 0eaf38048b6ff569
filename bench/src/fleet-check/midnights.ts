/** UTC, and those of the time zones in which a day begins between two instants. */
export function midnightsWithin(from: Date, to: Date): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((zone, index, all) => {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
    return all.indexOf(zone) === index && format.format(from) !== format.format(to)
  })
}
