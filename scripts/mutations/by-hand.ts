import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Mutation } from './list/mutation.ts'

export interface Outcome {
  mutation: Mutation
  /** Why the mutation shows nothing; null where its test turned red. */
  problem: string | null
  seconds: number
}

/** Mutations of one test file, which the lane that takes them runs once without any of them. */
export type Batch = readonly Mutation[]

const mostOfABatch = 8

/** Makes one mutation after the other in each of `workers` lanes, which have a copy below `folder` and a database of their own. */
export async function makeMutations(
  { root, folder, workers }: { root: string; folder: string; workers: number },
  mutations: readonly Mutation[],
  tell: (outcome: Outcome) => void,
): Promise<void> {
  const batches = [...Map.groupBy(mutations, ({ testFile }) => testFile).values()].flatMap(splitBatch)
  const children = Array.from({ length: Math.min(workers, batches.length) }, (_, lane) =>
    fork(join(import.meta.dirname, 'lane.ts'), [root, join(folder, `lane-${lane}`)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  )
  const ends = children.map((child) => once(child, 'exit'))
  const endAll = () => {
    for (const child of children) if (child.connected) child.disconnect()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, endAll)
  try {
    await Promise.all(children.map((child) => runLane(child, batches, tell)))
  } finally {
    endAll()
    await Promise.all(ends)
  }
}

/** Sends the lane one batch after the other, as long as there are any. */
async function runLane(child: ChildProcess, batches: Batch[], tell: (outcome: Outcome) => void): Promise<void> {
  const ended = once(child, 'exit').then(() => null)
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    child.send(batch)
    const answer = (await Promise.race([once(child, 'message'), ended])) as [Outcome[]] | null
    if (!answer) throw new Error('Not all mutations were made.')
    answer[0].forEach(tell)
  }
}

function splitBatch(mutations: readonly Mutation[]): Batch[] {
  const count = Math.ceil(mutations.length / mostOfABatch)
  return Array.from({ length: count }, (_, number) => mutations.slice(number * mostOfABatch, (number + 1) * mostOfABatch))
}
