import { expect, test } from 'vitest'
import { pause, Wakeup } from './wakeup.ts'

const never = new AbortController().signal
const long = 40 * 24 * 60 * 60 * 1000

test('a wake ends a long wait, and one that came before the wait is not lost', async () => {
  const wakeup = new Wakeup()
  const waiting = wakeup.wait(long, never)
  wakeup.wake()
  await waiting
  wakeup.wake()
  await wakeup.wait(long, never)
})

test('the end of the agent ends every pause, however long', async () => {
  const ending = new AbortController()
  const pauses = [pause(long, ending.signal), new Wakeup().wait(60_000, ending.signal)]
  ending.abort()
  await Promise.all(pauses)
  await pause(long, ending.signal)
})

test('while the process does not run, no more than a moment is counted down', async () => {
  const countdown = { left: 1_000 }
  const waiting = new Wakeup().countDown(never, countdown)
  for (const end = performance.now() + 200; performance.now() < end; );
  await waiting
  expect(countdown.left).toBeGreaterThanOrEqual(980)
  expect(countdown.left).toBeLessThan(1_000)
})

test('a pause longer than a timer can count does not end at once', async () => {
  const ending = new AbortController()
  let isOver = false
  const waiting = pause(long, ending.signal).then(() => {
    isOver = true
  })
  await pause(20, never)
  expect(isOver).toBe(false)
  ending.abort()
  await waiting
})
