const longestWait = 2_000

/** Resolves when the page is painted and the browser is idle; never for a page that shows nothing. */
export function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    const painted = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return
      painted.disconnect()
      if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: longestWait })
      else setTimeout(resolve)
    })
    painted.observe({ type: 'paint', buffered: true })
  })
}
