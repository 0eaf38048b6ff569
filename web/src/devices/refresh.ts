/** How often totals and list are read again while the page is visible, in ms: a publish is seen to arrive. */
export const refreshEvery = 15_000

/** The same of what a reader shall run: sooner while it is to be applied again, as somebody has just pressed the button and waits to see it done. */
export const refreshWhile = (reapplication: { result?: unknown } | undefined): number =>
  reapplication && !reapplication.result ? refreshEvery / 10 : refreshEvery
