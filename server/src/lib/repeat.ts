// Skips a turn while the work before goes on: work that takes longer than the interval would take the connections of calls.
export function repeatEvery(ms: number, work: () => Promise<unknown>): NodeJS.Timeout {
  let isAtWork = false
  return setInterval(async () => {
    if (isAtWork) return
    isAtWork = true
    await work().finally(() => {
      isAtWork = false
    })
  }, ms)
}
