/** Milliseconds. */
export interface Timing {
  /** For a dialect to find a reader. */
  readonly dialect: number
  /** For all that a reader prints of its configuration. */
  readonly configuration: number
  /** Between what one dialect sends and what the next one sends. */
  readonly betweenDialects: number
  /** Silence after which an answer without a mark at its end is whole. */
  readonly quiet: number
  /** For the answer to one command, or to one block of a transfer. */
  readonly acknowledgement: number
  /** For a reader that stores a file. */
  readonly store: number
  /** For the port to take bytes. */
  readonly write: number
  /** For which a port without a reader, or one that babbles, is left alone. */
  readonly rest: number
  /** For which a reader counts as in use after a scan. */
  readonly use: number
}
export const usualTiming: Timing = {
  dialect: 3_000,
  configuration: 5_000,
  betweenDialects: 1_000,
  quiet: 150,
  acknowledgement: 1_000,
  store: 10_000,
  write: 5_000,
  rest: 60_000,
  use: 10_000,
}
