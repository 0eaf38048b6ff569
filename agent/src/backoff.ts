const range = { first: 1000, most: 60_000 }

/** Milliseconds to wait after one or more `failures` in a row. Random, so that a site's hosts do not all return at once. */
export function backoff(failures: number, random: () => number = Math.random): number {
  const most = Math.min(range.first * 2 ** Math.min(failures - 1, 20), range.most)
  return most / 2 + (most / 2) * random()
}
