/** How often totals and list are read again while the page is visible, in ms: a publish is seen to arrive. */
export const refreshEvery = 15_000
