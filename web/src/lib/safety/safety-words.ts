export const describeLimit = (percent: number | null): string =>
  percent === null
    ? 'No zone halts by itself, however many readers fail.'
    : `A zone halts by itself when more than ${percent}% of its readers fail.`

export const describeStopTime = (stopTime: string | null): string =>
  stopTime === null
    ? 'Readers may start at any time after the update time.'
    : `From ${stopTime} on no further reader starts until the next update time.`
