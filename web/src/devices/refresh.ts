/** Milliseconds between reads of totals and list while the page is visible. */
export const refreshEvery = 15_000

/** Shorter while a re-apply of the user is in progress. */
export const refreshDuring = (reapplication: { result?: unknown } | undefined): number =>
  reapplication && !reapplication.result ? refreshEvery / 10 : refreshEvery
