/** The part of a response that others need who wait for its end. */
export interface Leaving {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

const waiting = new WeakMap<Leaving, (() => void)[]>()

/**
 * Calls `work` once the response has ended or its client has left; at once where that is so already. All who wait for one response share a
 * listener.
 */
export function whenClosed(response: Leaving, work: () => void): void {
  const known = waiting.get(response)
  if (response.closed) work()
  else if (known) known.push(work)
  else {
    const all = [work]
    waiting.set(response, all)
    response.once('close', () => {
      for (const each of all) each()
    })
  }
}
