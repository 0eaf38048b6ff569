// Begins no work while the one before goes on: as many as take longer than the interval would take the connections of those who call.
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
