import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Place {
  /** The checkout. */
  root: string
  /** The folder for the copies. */
  folder: string
  workers: number
}

/**
 * Runs programs (`lane`, beside this file) that work through the jobs. Each has a copy of the checkout and gets one job after the other.
 */
export async function runLanes<Job extends object, Answer>(
  lane: string,
  { root, folder, workers }: Place,
  jobs: Job[],
  tell: (answer: Answer) => void,
): Promise<void> {
  const children = Array.from({ length: Math.min(workers, jobs.length) }, (_, number) =>
    fork(join(import.meta.dirname, lane), [root, join(folder, `lane-${number}`)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  )
  const ends = children.map((child) => once(child, 'exit'))
  const endAll = () => {
    for (const child of children) if (child.connected) child.disconnect()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, endAll)
  try {
    await Promise.all(children.map((child) => runLane(child, jobs, tell)))
  } finally {
    endAll()
    await Promise.all(ends)
  }
}

/** Sends the lane one job after the other, as long as there are any. */
async function runLane<Job extends object, Answer>(child: ChildProcess, jobs: Job[], tell: (answer: Answer) => void): Promise<void> {
  const ended = once(child, 'exit').then(() => null)
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    child.send(job)
    const answer = (await Promise.race([once(child, 'message'), ended])) as [Answer] | null
    if (!answer) throw new Error('Not all mutations were made.')
    tell(answer[0])
  }
}

/** The lane's side: `answer` does each job. The program ends with its sender. */
export function answerJobs<Job, Answer>(answer: (job: Job) => Promise<Answer>, close: () => Promise<void>): void {
  process.on('message', async (job: Job) => {
    const made = await answer(job)
    if (process.connected) process.send?.(made)
  })
  // The same signal ends its sender, and thereby this program.
  process.on('SIGINT', () => {})
  process.once('disconnect', async () => {
    await close()
    process.exit()
  })
}
