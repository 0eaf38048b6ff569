/**
 * What is kept of the numbers that a host was given. A check-in that returns an older one than `last` starts a branch, and leaves another
 * one: the numbers after `leftFrom`, up to `leftTo`. `alternations`: how often in a row a left branch came back.
 */
export interface HostSequence {
  last: number
  leftFrom: number
  leftTo: number
  alternations: number
  onTwoPcs: boolean
}

/** `isFound`: this check-in proves that the host is on two PCs. */
export interface SequenceTurn extends HostSequence {
  isBehind: boolean
  isFound: boolean
}

/** One PC does not reach it, whatever is lost, killed, late, or restored from a backup: it holds no number of a branch that it left. */
const proof = 2

/**
 * Gives a host its next number. Numbers that the server does not remember, as it was restored from a backup itself, count as the last one
 * (decision 92).
 */
export function takeTurn(before: HostSequence, returned: number): SequenceTurn {
  const last = before.last + 1
  if (returned >= before.last) return { ...before, last, isBehind: false, isFound: false }
  const isOfLeft = before.leftFrom < returned && returned <= before.leftTo
  const alternations = isOfLeft ? before.alternations + 1 : 0
  const isFound = !before.onTwoPcs && alternations >= proof
  return { last, leftFrom: returned, leftTo: before.last, alternations, onTwoPcs: before.onTwoPcs || isFound, isBehind: true, isFound }
}
