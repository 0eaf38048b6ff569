/** A response, as far as those see it who wait for its end. */
export interface Leaving {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

const waiting = new WeakMap<Leaving, (() => void)[]>()

/** Once the response has ended or its client has left; at once where it has. All that wait for one response share a listener. */
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
