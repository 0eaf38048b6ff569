import { Transform } from 'node:stream'

/** The longest that one piece waits for calls, in milliseconds: a file then sends 64 kB in 4 ms, 16 MB a second. */
const mostWaitMs = 4

/** Files and whole lists give way to calls: people wait for those. */
export interface GivingWay {
  /** Counts a call as in progress. Returns a function for its end. */
  begin(): () => void
  /** Passes a stream on. Each piece waits for calls in progress, at most for a few milliseconds. */
  giveWay(): Transform
}

export function createGivingWay(): GivingWay {
  let calls = 0
  const waiting = new Set<() => void>()
  const waitForCalls = (work: () => void) => {
    if (calls === 0) return work()
    const goOn = () => {
      clearTimeout(timer)
      waiting.delete(goOn)
      work()
    }
    const timer = setTimeout(goOn, mostWaitMs)
    waiting.add(goOn)
  }
  return {
    begin() {
      calls += 1
      return () => {
        calls -= 1
        if (calls === 0) for (const goOn of waiting) goOn()
      }
    },
    giveWay: () => new Transform({ transform: (chunk, _encoding, done) => waitForCalls(() => done(null, chunk)) }),
  }
}
