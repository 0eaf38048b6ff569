import { expect, onTestFinished, test, vi } from 'vitest'
import { repeatEvery } from './repeat.ts'

test('work that takes longer than its interval is not begun a second time', async () => {
  vi.useFakeTimers()
  const begun: (() => void)[] = []
  const timer = repeatEvery(60_000, () => new Promise<void>((resolve) => begun.push(resolve)))
  onTestFinished(() => {
    clearInterval(timer)
    vi.useRealTimers()
  })
  await vi.advanceTimersByTimeAsync(180_000)
  expect(begun).toHaveLength(1)
  begun[0]!()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(begun).toHaveLength(2)
})
