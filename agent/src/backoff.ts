/** Milliseconds before the first further attempt, and the most there ever are between two. */
export const backoffRange = { first: 1000, most: 60_000 }

/**
 * Milliseconds to wait after `failures` attempts in a row (1 or more): doubling from one second to a minute, and between half and all
 * of that at random, so that the hosts of a site do not all return at the same moment.
 */
export function backoff(failures: number, random: () => number = Math.random): number {
  const most = Math.min(backoffRange.first * 2 ** Math.min(failures - 1, 20), backoffRange.most)
  return most / 2 + (most / 2) * random()
}
