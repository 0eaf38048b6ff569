/** Where an agent is disturbed while it brings one publication to its readers. */
export interface CrashPoint {
  seed: number
  place: Place
  /** What is published. */
  kind: Kind
  /** A firmware with which readers are not well, so that each is returned to what it ran before. */
  isUnwell: boolean
  /** How far into the place, 0 to 1: of the content's bytes, or of the readers. */
  depth: number
  /** Milliseconds between the moment that is waited for and the kill. */
  delay: number
  /** A second kill, so many milliseconds after the restart; null for none. */
  again: number | null
}

export const places = [
  'killed in the download',
  'cut in the download',
  'killed as it verifies',
  'killed as a reader begins',
  'killed as a reader completes',
  'outcomes cut on their way',
  'answer to outcomes cut',
  'killed as outcomes are sent',
  'killed as outcomes are answered',
  'check-in cut',
  'desired state cut',
  'download damaged',
] as const
export type Place = (typeof places)[number]

export const kinds = ['script', 'release', 'own firmware', 'commands'] as const
export type Kind = (typeof kinds)[number]

/** Numbers in [0, 1) that follow from a seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The points of a run: every place in turn, each with its own depth. Same seed and count, same points. */
export function crashPoints(count: number, seed: number): CrashPoint[] {
  return Array.from({ length: count }, (_, index) => {
    const next = numbersFrom(seed * 10_007 + index)
    // Each place comes with each kind in turn.
    const kind = kinds[(index + Math.floor(index / places.length)) % kinds.length]!
    return {
      seed: seed * 10_007 + index,
      place: places[index % places.length]!,
      kind,
      isUnwell: kind === 'release' && next() < 0.25,
      depth: next(),
      delay: Math.floor(next() ** 2 * 60),
      again: next() < 0.3 ? Math.floor(next() * 900) : null,
    }
  })
}
