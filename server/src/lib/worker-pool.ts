import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Problem } from './http/problem.ts'

interface PoolOptions {
  // The program of a thread that responds to each message with a `Reply`.
  file: URL
  threads: number
  /** How many jobs may wait: in one lane, and in all. */
  waiting: { lane: number; all: number }
  /** Milliseconds after which a thread is ended: its program has a fault. */
  limitMs: number
  onDeath: (error: Error) => void
  /** What callers read: `full` where too many jobs wait, `failed` where the thread ended. */
  sentences: { full: string; failed: string }
  /** What each thread is started with. */
  workerData?: unknown
}

export type Reply<Result> = { result: Result } | { error: string }

/** Does work that takes a processor for long in threads of its own. */
export interface WorkerPool<Job, Result> {
  /**
   * Runs one job of a lane at a time. Lanes take turns, so that none waits for all jobs of another. `read` is called when the job's turn
   * comes. Throws a Problem 429 where too many wait, 503 where the thread ends before its result, and the signal's reason where the job is
   * given up.
   */
  run(lane: string, read: () => Promise<Job>, signal: AbortSignal): Promise<Result>
  close(): Promise<void>
}

interface Waiting<Job, Result> {
  read: () => Promise<Job>
  resolve: (result: Promise<Result>) => void
}

export function createWorkerPool<Job, Result>(options: PoolOptions): WorkerPool<Job, Result> {
  const { threads, waiting, sentences } = options
  const line = createLine<Waiting<Job, Result>>()
  const running = new Set<string>()
  const workers = createWorkers(options)

  function startNext(): void {
    const next = running.size < threads && line.take((lane) => !running.has(lane))
    if (!next) return
    const [lane, job] = next
    running.add(lane)
    const result = job.read().then((message) => runInThread<Job, Result>(workers, options, message))
    job.resolve(
      result.finally(() => {
        running.delete(lane)
        line.moveToEnd(lane)
        startNext()
      }),
    )
    startNext()
  }

  return {
    async run(lane, read, signal) {
      signal.throwIfAborted()
      if (line.count(lane) >= waiting.lane || line.count() >= waiting.all)
        throw new Problem(429, sentences.full, { retryAfter: 2, isQuota: true })
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const leave = line.add(lane, { read, resolve })
      signal.addEventListener('abort', () => {
        leave()
        reject(signal.reason)
      })
      startNext()
      return promise
    },
    close: workers.close,
  }
}

// Waiting jobs by lane. The first lane is served next.
function createLine<Item>() {
  const lanes = new Map<string, Set<Item>>()
  function remove(lane: string, item: Item): void {
    const items = lanes.get(lane)
    items?.delete(item)
    if (items?.size === 0) lanes.delete(lane)
  }
  return {
    add(lane: string, item: Item): () => void {
      lanes.set(lane, (lanes.get(lane) ?? new Set()).add(item))
      return () => remove(lane, item)
    },
    take(isFree: (lane: string) => boolean): [string, Item] | undefined {
      for (const [lane, items] of lanes) {
        const [item] = items
        if (item === undefined || !isFree(lane)) continue
        remove(lane, item)
        return [lane, item]
      }
      return undefined
    },
    moveToEnd(lane: string): void {
      const items = lanes.get(lane)
      if (!items) return
      lanes.delete(lane)
      lanes.set(lane, items)
    },
    count: (lane?: string): number =>
      lane === undefined ? [...lanes.values()].reduce((sum, { size }) => sum + size, 0) : (lanes.get(lane)?.size ?? 0),
  }
}

interface Workers {
  take(): Worker
  giveBack(worker: Worker): void
  close(): Promise<void>
}

function createWorkers({ file, workerData }: Pick<PoolOptions, 'file' | 'workerData'>): Workers {
  const all = new Set<Worker>()
  const idle = new Set<Worker>()
  function start(): Worker {
    const worker = new Worker(file, { workerData })
    // The thread must not keep the program from ending.
    worker.unref()
    all.add(worker)
    // Whoever waits for the reply gets the error too.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      all.delete(worker)
      idle.delete(worker)
    })
    return worker
  }
  return {
    take() {
      const [worker] = idle
      if (!worker) return start()
      idle.delete(worker)
      return worker
    },
    giveBack: (worker) => idle.add(worker),
    close: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

async function runInThread<Job, Result>(workers: Workers, { limitMs, onDeath, sentences }: PoolOptions, message: Job): Promise<Result> {
  const worker = workers.take()
  const limit = setTimeout(() => void worker.terminate(), limitMs)
  const settled = new AbortController()
  const ended = once(worker, 'exit', settled).then(([code]) => {
    throw new Error(`The thread ended with code ${code}.`)
  })
  try {
    worker.postMessage(message)
    const [reply] = (await Promise.race([once(worker, 'message', settled), ended])) as [Reply<Result>]
    if ('error' in reply) throw new Error(reply.error)
    workers.giveBack(worker)
    return reply.result
  } catch (error) {
    onDeath(error as Error)
    await worker.terminate()
    throw new Problem(503, sentences.failed, { cause: error, retryAfter: 2 })
  } finally {
    clearTimeout(limit)
    ended.catch(() => undefined)
    settled.abort()
  }
}
