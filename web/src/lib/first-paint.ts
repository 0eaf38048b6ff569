const longestWait = 2_000

/** Resolves when the page shows its first content and the browser has nothing better to do. A page that shows nothing never gets there. */
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
