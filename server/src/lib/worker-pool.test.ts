import { expect, onTestFinished, test } from 'vitest'
import { createWorkerPool } from './worker-pool.ts'

// Replies to a name with the thread's number, dies of "die", and never replies to "hang".
const thread = `
import { parentPort, threadId } from 'node:worker_threads'
parentPort.on('message', (message) => {
  if (message === 'die') process.exit(3)
  if (message === 'fail') return parentPort.postMessage({ error: 'failed' })
  if (message !== 'hang') parentPort.postMessage({ result: message + ' ' + threadId })
})`

function open({ threads = 1, lane = 5, all = 10, limitMs = 60_000 } = {}) {
  const deaths: string[] = []
  const file = new URL(`data:text/javascript,${encodeURIComponent(thread)}`)
  const pool = createWorkerPool<string, string>({
    file,
    threads,
    limitMs,
    waiting: { lane, all },
    sentences: { full: 'Too many wait.', failed: 'It failed.' },
    onDeath: ({ message }) => void deaths.push(message),
  })
  onTestFinished(pool.close)
  const run = (lane: string, message: string, signal = new AbortController().signal) => pool.run(lane, async () => message, signal)
  return { pool, run, deaths }
}

test('a thread does one job after another, and one that ends is replaced', async () => {
  const { run, deaths } = open()
  const first = await run('a', 'one')
  expect((await run('a', 'two')).split(' ')[1]).toBe(first.split(' ')[1])
  await expect(run('a', 'die')).rejects.toMatchObject({ status: 503, retryAfter: 2 })
  expect(deaths).toEqual(['The thread ended with code 3.'])
  const after = await run('a', 'three')
  expect(after).toMatch(/^three \d+$/)
  expect(after.split(' ')[1]).not.toBe(first.split(' ')[1])
  await expect(run('a', 'fail')).rejects.toMatchObject({ status: 503 })
  expect(await run('a', 'four')).toMatch(/^four/)
})

test('a thread that does not reply is ended, and what waits goes on', async () => {
  const { run } = open({ limitMs: 2_000 })
  const [hung, next] = await Promise.allSettled([run('a', 'hang'), run('a', 'next')])
  expect([hung.status, next.status]).toEqual(['rejected', 'fulfilled'])
})

test('lanes take turns, however many jobs one of them has', async () => {
  const { run } = open()
  const done: string[] = []
  const record = async (lane: string, message: string) => void done.push((await run(lane, message)).split(' ')[0]!)
  await Promise.all([record('a', 'a1'), record('a', 'a2'), record('a', 'a3'), record('b', 'b1'), record('c', 'c1'), record('b', 'b2')])
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a lane has one thread at most, so that another one finds a thread', async () => {
  const { run } = open({ threads: 2 })
  const given = new AbortController()
  const hung = run('a', 'hang').catch(() => 'hung')
  const behind = run('a', 'behind', given.signal)
  expect(await run('b', 'free')).toMatch(/^free/)
  given.abort(new Error('left'))
  await expect(behind).rejects.toThrow('left')
  expect(await Promise.race([hung, run('b', 'again')])).toMatch(/^again/)
})

test('so many jobs of a lane wait, and so many of all', async () => {
  const { run } = open({ lane: 2, all: 3 })
  const jobs = [run('a', 'hang'), run('a', '1'), run('a', '2')]
  for (const job of jobs) job.catch(() => undefined)
  await expect(run('a', '3')).rejects.toMatchObject({ status: 429, retryAfter: 2 })
  run('b', '1').catch(() => undefined)
  await expect(run('c', '1')).rejects.toMatchObject({ status: 429 })
})

test('a job that is given up while it waits makes room, and is never read', async () => {
  const { pool, run } = open({ lane: 1 })
  const hung = run('a', 'hang')
  hung.catch(() => undefined)
  const left = new AbortController()
  let isRead = false
  const job = pool.run(
    'a',
    async () => {
      isRead = true
      return 'one'
    },
    left.signal,
  )
  left.abort(new Error('left'))
  await expect(job).rejects.toThrow('left')
  const next = run('a', 'two')
  next.catch(() => undefined)
  await pool.close()
  await expect(hung).rejects.toMatchObject({ status: 503 })
  expect(await next).toMatch(/^two/)
  expect(isRead).toBe(false)
})
