import { expect, onTestFinished, test, vi } from 'vitest'
import { Refusal, Unavailable } from '../server/errors.ts'
import { memoryLog } from '../testing/log.ts'
import { problem } from '../testing/peer.ts'
import { Wakeup } from '../wakeup.ts'
import { loop } from './loop.ts'

const hour = 3_600_000

/** A loop whose work is done by these in turn; it ends after the last. */
async function runLoop(...turns: (() => number)[]) {
  const log = memoryLog()
  const ending = new AbortController()
  const wakeup = new Wakeup()
  let turn = 0
  const work = async () => {
    const next = turns[turn]!
    turn += 1
    if (turn === turns.length) ending.abort()
    return next()
  }
  await loop('Downloads', wakeup, work, { log, signal: ending.signal })
  return { log: log.lines, turns: turn }
}

const fail = (error: Error) => () => {
  throw error
}

test('it works at once, then when its time has come, and ends with the agent', async () => {
  expect(await runLoop(...[0, 0, hour].map((next) => () => next))).toEqual({ log: [], turns: 3 })
})

test('a wake ends its wait', async () => {
  const ending = new AbortController()
  const wakeup = new Wakeup()
  let turns = 0
  const work = async () => {
    turns += 1
    if (turns === 3) ending.abort()
    else wakeup.wake()
    return hour
  }
  await loop('Downloads', wakeup, work, { log: memoryLog(), signal: ending.signal })
  expect(turns).toBe(3)
})

test('an error is logged under its name, and the loop goes on', async () => {
  expect(await runLoop(fail(new Error('The disk is full.')), () => hour)).toEqual({
    log: ['Warning: Downloads: The disk is full.', 'Downloads: works again.'],
    turns: 2,
  })
})

test('[AGT-10] a fault that lasts is logged once, another one too, and once more when it is over', async () => {
  const [full, locked] = [fail(new Error('The disk is full.')), fail(new Error('The file is locked.'))]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const running = runLoop(
    full,
    full,
    full,
    locked,
    full,
    () => 0,
    full,
    () => hour,
  )
  let isOver = false
  void running.then(() => {
    isOver = true
  })
  while (!isOver) {
    await new Promise(setImmediate)
    await vi.runAllTimersAsync()
  }
  expect((await running).log).toEqual([
    'Warning: Downloads: The disk is full.',
    'Warning: Downloads: The file is locked.',
    'Warning: Downloads: The disk is full.',
    'Downloads: works again.',
    'Warning: Downloads: The disk is full.',
    'Downloads: works again.',
  ])
})

test('a server that cannot be reached is tried again, and not logged here', async () => {
  expect(await runLoop(fail(new Unavailable('No one is there.')), () => hour)).toEqual({ log: [], turns: 2 })
})

test('the end of the agent ends a pause that the server asks for', async () => {
  const ending = new AbortController()
  const work = async () => {
    setTimeout(() => ending.abort())
    throw new Unavailable('Too many requests.', hour)
  }
  await loop('Downloads', new Wakeup(), work, { log: memoryLog(), signal: ending.signal })
})

test.for([401, 403, 404, 410])('a refusal with %d ends the agent with exit code 3, in the words of the server', async (status) => {
  const refused = runLoop(fail(new Refusal(problem(status, 'This host is not enrolled.'))), () => hour)
  await expect(refused).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('This host is not enrolled.') })
})

test('a refusal of one report is logged, and the loop goes on', async () => {
  const refusal = fail(new Refusal(problem(422, 'The batch cannot be read.')))
  expect(await runLoop(refusal, () => hour)).toEqual({
    log: ['Warning: Downloads: The batch cannot be read.', 'Downloads: works again.'],
    turns: 2,
  })
})
