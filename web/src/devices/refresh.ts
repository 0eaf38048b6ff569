/** Milliseconds until totals and list are read again while the page is visible. */
export const refreshEvery = 15_000

/** Sooner while a re-apply that the user requested is in progress. */
export const refreshDuring = (reapplication: { result?: unknown } | undefined): number =>
  reapplication && !reapplication.result ? refreshEvery / 10 : refreshEvery
